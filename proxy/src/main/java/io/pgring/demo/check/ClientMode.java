package io.pgring.demo.check;

import java.util.Properties;

/** How a client's driver speaks the protocol. */
enum ClientMode {
  SIMPLE("simple", "simple", 0),
  /** Statements get a name, and results come in binary, from the fifth run on. */
  EXTENDED("extended", "extended", 5),
  /** Statements have a name from the first run on. */
  PREPARED("prepared", "extended", 1);

  private final String title;
  private final String queryMode;
  private final int prepareThreshold;

  ClientMode(String title, String queryMode, int prepareThreshold) {
    this.title = title;
    this.queryMode = queryMode;
    this.prepareThreshold = prepareThreshold;
  }

  String title() {
    return title;
  }

  /** Properties of the driver for a user whose password is the user's name. */
  Properties properties(String user) {
    Properties properties = new Properties();
    properties.setProperty("user", user);
    properties.setProperty("password", user);
    properties.setProperty("preferQueryMode", queryMode);
    properties.setProperty("prepareThreshold", String.valueOf(prepareThreshold));
    properties.setProperty("loginTimeout", "20");
    properties.setProperty("socketTimeout", "20");
    return properties;
  }
}
