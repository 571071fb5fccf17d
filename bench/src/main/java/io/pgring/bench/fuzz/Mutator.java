package io.pgring.bench.fuzz;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Damages messages. One for each case; all it does follows from its random numbers. */
final class Mutator {
  /** Keeps a case within what the proxy takes from a client that reads nothing. */
  private static final int MAX_BYTES = 32_768;

  private static final int MAX_CHANGES = 4;
  private static final int MAX_NOISE_BYTES = 64;
  private static final int MAX_COPIES = 20;
  private static final int[] LENGTHS = {
    0,
    1,
    3,
    4,
    5,
    8,
    10_001,
    65_535,
    65_537,
    1 << 24,
    1 << 30,
    Integer.MAX_VALUE,
    -1,
    Integer.MIN_VALUE
  };
  private static final String TYPES = "QPBDECSHXdcfpF?\0\u00ffNRZ";

  private final Random random;

  Mutator(Random random) {
    this.random = random;
  }

  /**
   * @param messages a conversation, or a part of one
   * @param others messages of other conversations, some of which are mixed in
   * @return bytes that resemble it
   */
  byte[] damage(List<byte[]> messages, List<byte[]> others) {
    List<byte[]> damaged = new ArrayList<>(messages);
    int changes = random.nextInt(MAX_CHANGES + 1);
    for (int i = 0; i < changes && !damaged.isEmpty(); i++) {
      change(damaged, random.nextInt(damaged.size()), others);
    }
    return join(damaged);
  }

  private void change(List<byte[]> messages, int index, List<byte[]> others) {
    switch (random.nextInt(10)) {
      case 0 -> messages.remove(index);
      case 1 -> messages.add(random.nextInt(messages.size() + 1), messages.get(index));
      case 2 -> messages.add(index, others.get(random.nextInt(others.size())));
      case 3 -> messages.add(index, noise());
      case 4 -> messages.set(index, withLength(messages.get(index)));
      case 5 -> messages.set(index, withType(messages.get(index)));
      case 6 -> messages.set(index, cut(messages.get(index)));
      case 7 -> repeat(messages, index);
      default -> messages.set(index, withNoise(messages.get(index)));
    }
  }

  private byte[] noise() {
    byte[] noise = new byte[1 + random.nextInt(MAX_NOISE_BYTES)];
    random.nextBytes(noise);
    return noise;
  }

  /** Another length, near the right one or from a list, where a typed or untyped one has it. */
  private byte[] withLength(byte[] message) {
    byte[] changed = message.clone();
    int at = message[0] == 0 ? 0 : 1;
    if (changed.length >= at + Integer.BYTES) {
      ByteBuffer buffer = ByteBuffer.wrap(changed);
      int near = buffer.getInt(at) + random.nextInt(7) - 3;
      buffer.putInt(at, random.nextBoolean() ? near : LENGTHS[random.nextInt(LENGTHS.length)]);
    }
    return changed;
  }

  private byte[] withType(byte[] message) {
    byte[] changed = message.clone();
    changed[0] = (byte) TYPES.charAt(random.nextInt(TYPES.length()));
    return changed;
  }

  /** Never to nothing, so that every message has a first byte. */
  private byte[] cut(byte[] message) {
    byte[] changed = new byte[1 + random.nextInt(message.length)];
    System.arraycopy(message, 0, changed, 0, changed.length);
    return changed;
  }

  private void repeat(List<byte[]> messages, int index) {
    byte[] message = messages.get(index);
    int copies = 1 + random.nextInt(MAX_COPIES);
    for (int i = 0; i < copies; i++) {
      messages.add(index, message);
    }
  }

  /** Single bytes changed; behind the header more often than in it. */
  private byte[] withNoise(byte[] message) {
    byte[] changed = message.clone();
    int header = random.nextInt(4) == 0 ? 0 : Math.min(1 + Integer.BYTES, changed.length - 1);
    int count = 1 + random.nextInt(3);
    for (int i = 0; i < count; i++) {
      int at = header + random.nextInt(changed.length - header);
      changed[at] = random.nextBoolean() ? 0 : (byte) random.nextInt(256);
    }
    return changed;
  }

  private byte[] join(List<byte[]> messages) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    messages.forEach(bytes::writeBytes);
    byte[] all = bytes.toByteArray();
    int end = random.nextInt(4) == 0 ? random.nextInt(all.length + 1) : all.length;
    byte[] kept = new byte[Math.min(end, MAX_BYTES)];
    System.arraycopy(all, 0, kept, 0, kept.length);
    return kept;
  }
}
