package io.pgring.login.secret;

import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * Remembers the keys of passwords by password, salt and iteration count, so that only a pool's
 * first login to a server pays for PBKDF2. One per process; thread-safe, reads take no lock. Holds
 * no password, only hashes and keys.
 */
public final class SaltedPasswordCache {
  private final ConcurrentMap<ByteBuffer, ScramKeys> keysByFingerprint = new ConcurrentHashMap<>();
  private final int maxEntries;

  /**
   * @param maxEntries about how many keys are kept; beyond it an arbitrary one is forgotten, which
   *     costs its user one more PBKDF2
   */
  public SaltedPasswordCache(int maxEntries) {
    if (maxEntries < 1) {
      throw new IllegalArgumentException("maxEntries must be positive: " + maxEntries);
    }
    this.maxEntries = maxEntries;
  }

  /** The keys if they were computed before, else {@code null}. */
  public ScramKeys find(Secret secret, byte[] salt, int iterations) {
    return keysByFingerprint.get(ByteBuffer.wrap(secret.fingerprint(salt, iterations)));
  }

  /** The keys, computed now if need be; only for a plain password, and not on a lane. */
  public ScramKeys deriveKeys(Secret secret, byte[] salt, int iterations) {
    ScramKeys known = find(secret, salt, iterations);
    if (known != null) {
      return known;
    }
    ScramKeys keys = secret.deriveKeys(salt, iterations);
    makeRoom();
    keysByFingerprint.put(ByteBuffer.wrap(secret.fingerprint(salt, iterations)), keys);
    return keys;
  }

  private void makeRoom() {
    Iterator<ByteBuffer> any = keysByFingerprint.keySet().iterator();
    while (keysByFingerprint.size() >= maxEntries && any.hasNext()) {
      any.next();
      any.remove();
    }
  }

  int size() {
    return keysByFingerprint.size();
  }
}
