package io.pgring.demo;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.LoggerFactory;

/**
 * Keeps the libraries' log off the screen and remembers the errors that the proxy logs, which
 * nothing a client does may cause. One for the process; any thread.
 */
final class DemoLog extends AppenderBase<ILoggingEvent> {
  private final List<String> errors = new CopyOnWriteArrayList<>();
  // java.util.logging forgets the settings of a logger that nobody refers to.
  private final java.util.logging.Logger driver =
      java.util.logging.Logger.getLogger("org.postgresql");

  private DemoLog() {}

  /**
   * Sets the logging of this process up.
   *
   * @param quiet whether the proxy's lines about single clients and servers are left out too
   */
  static DemoLog install(boolean quiet) {
    DemoLog log = new DemoLog();
    log.driver.setLevel(java.util.logging.Level.OFF);
    logger("io.zonky").setLevel(Level.OFF);
    logger("io.pgring").setLevel(quiet ? Level.ERROR : Level.WARN);
    log.setContext(logger("io.pgring").getLoggerContext());
    log.start();
    logger("io.pgring").addAppender(log);
    return log;
  }

  /** Error lines so far, in their order. */
  List<String> errors() {
    return errors;
  }

  @Override
  protected void append(ILoggingEvent event) {
    if (event.getLevel().isGreaterOrEqual(Level.ERROR)) {
      String cause =
          event.getThrowableProxy() == null
              ? ""
              : ": "
                  + event.getThrowableProxy().getClassName()
                  + " "
                  + event.getThrowableProxy().getMessage();
      errors.add(event.getFormattedMessage() + cause);
    }
  }

  private static ch.qos.logback.classic.Logger logger(String name) {
    return (ch.qos.logback.classic.Logger) LoggerFactory.getLogger(name);
  }
}
