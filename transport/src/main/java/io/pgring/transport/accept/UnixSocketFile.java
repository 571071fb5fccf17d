package io.pgring.transport.accept;

import java.io.IOException;
import java.net.ConnectException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.GroupPrincipal;
import java.nio.file.attribute.UserPrincipalNotFoundException;

/**
 * The file of a listening Unix socket: makes the place free for it, protects it, and removes it in
 * the end. It deletes nothing but socket files, and none that somebody listens on. Used by the
 * thread that opens and the one that closes the listener.
 */
final class UnixSocketFile {
  private static final int FILE_TYPE_MASK = 0170000;
  private static final int SOCKET_TYPE = 0140000;

  private final Path path;
  private Object boundKey;

  UnixSocketFile(String path) {
    this.path = Path.of(path);
  }

  UnixDomainSocketAddress address() {
    return UnixDomainSocketAddress.of(path);
  }

  /**
   * Creates a missing directory and removes a socket file that a process left behind when it died.
   */
  void clear() throws IOException {
    createDirectory();
    if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    if (!isSocket()) {
      throw new IOException(path + " exists and is not a socket; it is left alone");
    }
    requireNobodyListening();
    Files.delete(path);
  }

  /**
   * Sets mode and group of the freshly bound file. Between binding and this call the umask decides
   * who may connect, which is nobody but the owner with the usual 022.
   */
  void protect(int mode, String group) throws IOException {
    boundKey = fileKey();
    if (!group.isEmpty()) {
      Files.setAttribute(path, "posix:group", lookUp(group), LinkOption.NOFOLLOW_LINKS);
    }
    Files.setAttribute(path, "unix:mode", mode);
  }

  /** Removes the file, unless somebody has put another one in its place meanwhile. */
  void remove() throws IOException {
    if (boundKey != null
        && Files.exists(path, LinkOption.NOFOLLOW_LINKS)
        && boundKey.equals(fileKey())) {
      Files.delete(path);
    }
  }

  private void createDirectory() throws IOException {
    Path directory = path.getParent();
    if (directory == null || Files.isDirectory(directory)) {
      return;
    }
    try {
      Files.createDirectories(directory);
    } catch (IOException e) {
      throw new IOException(
          "cannot create the directory of the socket, " + directory + ": " + e, e);
    }
  }

  private boolean isSocket() throws IOException {
    int mode = (int) Files.getAttribute(path, "unix:mode", LinkOption.NOFOLLOW_LINKS);
    return (mode & FILE_TYPE_MASK) == SOCKET_TYPE;
  }

  /**
   * Only "connection refused" proves that the file is stale; a full backlog or a missing right does
   * not.
   */
  private void requireNobodyListening() throws IOException {
    try (SocketChannel probe = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      probe.configureBlocking(false);
      probe.connect(address());
    } catch (ConnectException refused) {
      return;
    } catch (IOException e) {
      throw new IOException(
          path + " seems to be in use: connecting to it gave '" + e.getMessage() + "'", e);
    }
    throw new IOException(path + " is in use: another process answers on it");
  }

  private GroupPrincipal lookUp(String group) throws IOException {
    try {
      return path.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByGroupName(group);
    } catch (UserPrincipalNotFoundException e) {
      throw new IOException("there is no group '" + group + "' for the socket " + path, e);
    }
  }

  private Object fileKey() throws IOException {
    return Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
        .fileKey();
  }
}
