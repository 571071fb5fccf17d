package io.pgring;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;

/**
 * Signals of the operating system. Java has only shutdown hooks, which cannot tell SIGHUP from
 * SIGTERM, nor a second SIGTERM from the first; {@code sun.misc.Signal} can. It is in the supported
 * module {@code jdk.unsupported} of every JDK, but the compiler warns of it in a way that no
 * annotation silences, so it is called by reflection.
 *
 * <p>Handlers run on a thread that the JVM makes for each signal.
 */
final class Signals {
  private Signals() {}

  /**
   * Sets what happens at a signal, in place of the JVM's own handler.
   *
   * @param name without SIG, like {@code TERM}
   * @return false when the signal cannot be handled: it does not exist here, or the JVM was told
   *     (-Xrs) to leave it alone
   */
  static boolean handle(String name, Runnable handler) {
    try {
      Class<?> signal = Class.forName("sun.misc.Signal");
      Class<?> signalHandler = Class.forName("sun.misc.SignalHandler");
      Object of = signal.getConstructor(String.class).newInstance(name);
      Object proxy =
          Proxy.newProxyInstance(
              Signals.class.getClassLoader(), new Class<?>[] {signalHandler}, calling(handler));
      signal.getMethod("handle", signal, signalHandler).invoke(null, of, proxy);
      return true;
    } catch (ReflectiveOperationException e) {
      return false;
    }
  }

  private static InvocationHandler calling(Runnable handler) {
    return (proxy, method, arguments) -> {
      switch (method.getName()) {
        case "handle":
          handler.run();
          return null;
        case "equals":
          return proxy == arguments[0];
        case "hashCode":
          return System.identityHashCode(proxy);
        default:
          return "handler of a signal";
      }
    };
  }
}
