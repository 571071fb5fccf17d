package io.pgring.transport.accept;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Runs the acceptor in a process that has descriptors for a few dozen clients only. */
@Timeout(120)
class DescriptorShortageTest {
  private static final int DESCRIPTORS = 80;
  private static final int CLIENTS = 300;

  private final List<Socket> sockets = new ArrayList<>();
  private Process child;
  private BufferedReader answers;
  private PrintStream commands;
  private int port;

  @BeforeEach
  void start() throws IOException {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    child =
        new ProcessBuilder(
                "bash",
                "-c",
                "ulimit -n " + DESCRIPTORS + " && exec \"$@\"",
                "bash",
                java,
                "-Xmx64m",
                "-cp",
                System.getProperty("java.class.path"),
                AcceptorChild.class.getName())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    answers = child.inputReader(StandardCharsets.US_ASCII);
    commands = new PrintStream(child.getOutputStream(), true, StandardCharsets.US_ASCII);
    port = Integer.parseInt(answers.readLine());
  }

  @AfterEach
  void stop() throws IOException {
    for (Socket socket : sockets) {
      socket.close();
    }
    child.destroyForcibly();
  }

  @Test
  void refusesWhomItCannotServeAndRecovers() throws IOException {
    for (int i = 0; i < CLIENTS; i++) {
      connect();
    }
    long refused = command("serve", CLIENTS);
    int greeted = 0;
    for (Socket socket : sockets) {
      greeted += isGreeted(socket) ? 1 : 0;
    }

    assertThat(greeted).isBetween(10, DESCRIPTORS).isEqualTo((int) (CLIENTS - refused));
    assertThat(command("free", 0)).isEqualTo(greeted);
    Socket later = connect();
    assertThat(command("serve", 1)).isZero();
    assertThat(isGreeted(later)).isTrue();
  }

  @Test
  void waitsBetweenAttemptsThatMustFail() throws IOException {
    Socket first = connect();
    assertThat(command("serve", 1)).isZero();
    assertThat(isGreeted(first)).isTrue();
    assertThat(command("hoard", 0)).isPositive();
    Socket waiting = connect();

    // Every second cycle at least is a pause of 50 ms; a spinning acceptor is through at once.
    assertThat(command("cycle", 20)).isGreaterThan(400);

    command("free", 0);
    assertThat(command("serve", 1)).isZero();
    assertThat(isGreeted(waiting)).isTrue();
  }

  private Socket connect() throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
    sockets.add(socket);
    return socket;
  }

  private long command(String command, int count) throws IOException {
    commands.println(command + " " + count);
    return Long.parseLong(answers.readLine());
  }

  private static boolean isGreeted(Socket socket) throws IOException {
    try {
      return socket.getInputStream().read() == AcceptorChild.GREETING;
    } catch (SocketException reset) {
      return false;
    }
  }
}
