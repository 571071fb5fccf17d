package io.pgring.transport.accept;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.pgring.transport.Address;
import io.pgring.transport.Channel;
import io.pgring.transport.SocketOptions;
import io.pgring.transport.SocketStream;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(30)
class UnixListenerTest {
  @TempDir Path directory;

  @Test
  void acceptsAndRemovesItsFileInTheEnd() throws IOException {
    Path path = directory.resolve("s");
    Listener listener = open(path);
    try (Channel client = connect(path)) {
      assertThat(client.finishConnect()).isEqualTo(Channel.ConnectState.CONNECTED);
      Channel accepted = listener.accept();
      assertThat(accepted.isUnix()).isTrue();
      assertThat(accepted.remote()).isEqualTo("unix:" + path);
      accepted.close();
    }
    assertThat(listener.accept()).isNull();
    assertThat(listener.failure()).isNull();
    assertThat(listener.boundAddress()).isEqualTo(UnixDomainSocketAddress.of(path));

    listener.close();
    listener.close();
    assertThat(path).doesNotExist();
  }

  @Test
  void takesTheLongestPossiblePath() throws IOException {
    int left = Address.MAX_PATH_BYTES - directory.toString().length() - 1;
    Path path = directory.resolve("x".repeat(left));
    try (Listener listener = open(path);
        Channel client = connect(path);
        Channel accepted = listener.accept()) {
      assertThat(client.finishConnect()).isEqualTo(Channel.ConnectState.CONNECTED);
      assertThat(accepted).isNotNull();
    }
  }

  @Test
  void removesAStaleSocket() throws IOException {
    Path path = directory.resolve("s");
    leaveStaleSocket(path);
    assertThat(path).exists();

    try (Listener listener = open(path);
        Channel client = connect(path)) {
      assertThat(client.finishConnect()).isEqualTo(Channel.ConnectState.CONNECTED);
      listener.accept().close();
    }
  }

  @Test
  void refusesALiveSocket() throws IOException {
    Path path = directory.resolve("s");
    try (Listener live = open(path)) {
      assertRefused(path, "is in use: another process answers on it");
      live.accept().close();
      assertThat(path).exists();
    }
  }

  @Test
  void refusesASocketWhoseBacklogIsFull() throws IOException {
    Path path = directory.resolve("s");
    try (ServerSocketChannel live = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      live.bind(UnixDomainSocketAddress.of(path), 1);
      Channel[] clients = new Channel[8];
      for (int i = 0; i < clients.length; i++) {
        clients[i] = connect(path);
      }

      assertRefused(path, "seems to be in use");
      for (Channel client : clients) {
        client.close();
      }
    }
    assertThat(path).exists();
  }

  @Test
  void neverDeletesWhatIsNoSocket() throws IOException {
    Path file = Files.writeString(directory.resolve("precious"), "data");
    Path folder = Files.createDirectory(directory.resolve("folder"));
    Path stale = directory.resolve("stale");
    leaveStaleSocket(stale);
    Path link = Files.createSymbolicLink(directory.resolve("link"), stale);

    assertRefused(file, "exists and is not a socket");
    assertRefused(folder, "exists and is not a socket");
    assertRefused(link, "exists and is not a socket");
    assertThat(file).hasContent("data");
    assertThat(folder).isDirectory();
    assertThat(link).isSymbolicLink();
    assertThat(Files.exists(stale, LinkOption.NOFOLLOW_LINKS)).isTrue();
  }

  @Test
  void leavesAFileThatReplacedItsOwn() throws IOException {
    Path path = directory.resolve("s");
    Listener first = open(path);
    Files.delete(path);
    try (Listener second = open(path)) {
      first.close();

      assertThat(path).exists();
      assertThat(second.boundAddress()).isEqualTo(UnixDomainSocketAddress.of(path));
    }
    assertThat(path).doesNotExist();
  }

  @Test
  void createsAMissingDirectory() throws IOException {
    Path path = directory.resolve("a").resolve("b").resolve("s");
    try (Listener listener = open(path)) {
      assertThat(path).exists();
    }
    assertThat(path.getParent()).isDirectory();
  }

  @Test
  void namesADirectoryThatCannotBeCreated() throws IOException {
    Path file = Files.createFile(directory.resolve("file"));

    assertRefused(file.resolve("s"), "cannot create the directory of the socket, " + file);
  }

  @ParameterizedTest
  @CsvSource({"0777, rwxrwxrwx", "0700, rwx------", "0660, rw-rw----"})
  void setsTheMode(String octal, String permissions) throws IOException {
    Path path = directory.resolve("s");
    ListenOptions options =
        new ListenOptions(16, Integer.parseInt(octal, 8), "", SocketOptions.DEFAULTS);
    try (Listener listener = Listener.open(address(path), options)) {
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
          .isEqualTo(permissions);
    }
  }

  @Test
  void setsTheGroup() throws IOException {
    Path path = directory.resolve("s");
    String own = Files.readAttributes(directory, PosixFileAttributes.class).group().getName();
    ListenOptions options = new ListenOptions(16, 0770, own, SocketOptions.DEFAULTS);
    try (Listener listener = Listener.open(address(path), options)) {
      assertThat(Files.readAttributes(path, PosixFileAttributes.class).group()).hasToString(own);
    }
  }

  @Test
  void anUnknownGroupLeavesNothingBehind() {
    Path path = directory.resolve("s");
    ListenOptions options = new ListenOptions(16, 0770, "no-such-group", SocketOptions.DEFAULTS);

    assertThatIOException()
        .isThrownBy(() -> Listener.open(address(path), options))
        .withMessageContaining("there is no group 'no-such-group'");
    assertThat(path).doesNotExist();
  }

  private static void leaveStaleSocket(Path path) throws IOException {
    ServerSocketChannel.open(StandardProtocolFamily.UNIX)
        .bind(UnixDomainSocketAddress.of(path))
        .close();
  }

  private static void assertRefused(Path path, String message) {
    assertThatIOException()
        .isThrownBy(() -> open(path))
        .withMessageStartingWith("cannot listen on unix:" + path)
        .withMessageContaining(message);
  }

  private static Listener open(Path path) throws IOException {
    return Listener.open(address(path), ListenOptions.DEFAULTS);
  }

  private static Address address(Path path) {
    return Address.parse("unix:" + path);
  }

  private static Channel connect(Path path) {
    return SocketStream.connect(UnixDomainSocketAddress.of(path), SocketOptions.DEFAULTS);
  }
}
