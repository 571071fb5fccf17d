package io.pgring;

import ch.qos.logback.classic.AsyncAppender;
import ch.qos.logback.classic.ClassicConstants;
import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ConfiguratorRank;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.CoreConstants;
import ch.qos.logback.core.hook.DefaultShutdownHook;
import ch.qos.logback.core.spi.ContextAwareBase;
import ch.qos.logback.core.status.NopStatusListener;

/**
 * Sets the log of the process up: lines on standard error, written by a thread of their own. In
 * code, since reading a file of Logback's would be a good part of the start. Leaves it to such a
 * file where the property {@code logback.configurationFile} or a test has one. Found by Logback as
 * a service, once, by the thread that logs first.
 */
@ConfiguratorRank(ConfiguratorRank.CUSTOM_HIGH_PRIORITY)
public final class LogConfigurator extends ContextAwareBase implements Configurator {
  private static final String PATTERN =
      "%d{yyyy-MM-dd HH:mm:ss.SSS} [%thread] %level %replace(%msg){'[\\r\\n]', '?'}%n";
  private static final int QUEUED_LINES = 8192;

  @Override
  public ExecutionStatus configure(LoggerContext loggers) {
    if (System.getProperty(ClassicConstants.CONFIG_FILE_PROPERTY) != null
        || getClass().getResource("/" + ClassicConstants.TEST_AUTOCONFIG_FILE) != null) {
      return ExecutionStatus.INVOKE_NEXT_IF_ANY;
    }
    loggers.getStatusManager().add(new NopStatusListener());
    Logger root = loggers.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    root.setLevel(Level.INFO);
    root.addAppender(queue(loggers, console(loggers)));
    writeQueueAtEnd(loggers);
    return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
  }

  private static ConsoleAppender<ILoggingEvent> console(LoggerContext loggers) {
    PatternLayoutEncoder encoder = new PatternLayoutEncoder();
    encoder.setContext(loggers);
    encoder.setPattern(PATTERN);
    encoder.start();
    ConsoleAppender<ILoggingEvent> console = new ConsoleAppender<>();
    console.setContext(loggers);
    console.setName("console");
    console.setTarget("System.err");
    console.setEncoder(encoder);
    console.start();
    return console;
  }

  /** Lanes log through a queue: a slow terminal or disk must not hold them up. */
  private static AsyncAppender queue(
      LoggerContext loggers, ConsoleAppender<ILoggingEvent> console) {
    AsyncAppender queue = new AsyncAppender();
    queue.setContext(loggers);
    queue.setName("async");
    queue.setQueueSize(QUEUED_LINES);
    queue.setNeverBlock(true);
    queue.addAppender(console);
    queue.start();
    return queue;
  }

  /** The process ends only when the queue has been written. */
  private static void writeQueueAtEnd(LoggerContext loggers) {
    DefaultShutdownHook hook = new DefaultShutdownHook();
    hook.setContext(loggers);
    Thread thread = new Thread(hook, "pgring-log-end");
    loggers.putObject(CoreConstants.SHUTDOWN_HOOK_THREAD, thread);
    Runtime.getRuntime().addShutdownHook(thread);
  }
}
