package io.pgring.admin;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/** What the console asks of the process. Any thread; nothing here waits. */
public interface Operations {
  /**
   * Reads the configuration again and puts it in force.
   *
   * @return the errors that kept the old one in force; none when the new one is
   */
  CompletableFuture<List<String>> reload();

  /**
   * Ends the process.
   *
   * @param atOnce otherwise transactions may finish, within {@code shutdown_timeout_s}
   */
  void shutDown(boolean atOnce);

  /** For a proxy inside of another program, which has no file and ends with that program. */
  Operations NONE =
      new Operations() {
        @Override
        public CompletableFuture<List<String>> reload() {
          return CompletableFuture.completedFuture(
              List.of("this proxy was not started from a configuration file"));
        }

        @Override
        public void shutDown(boolean atOnce) {
          // The program that has started the proxy ends it.
        }
      };
}
