package io.pgring.transport;

import java.nio.ByteBuffer;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A first-in first-out queue of bytes in one slab, which is borrowed with the first byte and
 * returned with the last, so that an idle owner holds no memory. Confined to the thread of its
 * {@link SlabPool}.
 */
public final class ByteQueue {
  private SlabPool pool;
  private Slab slab;
  private int head;
  private int tail;

  public ByteQueue(SlabPool pool) {
    this.pool = pool;
  }

  /** Bytes waiting. */
  public int size() {
    return tail - head;
  }

  public boolean isEmpty() {
    return tail == head;
  }

  /**
   * Memory of the queue; the waiting bytes are {@code [head, head + size)}. Null while nothing was
   * ever reserved.
   */
  public UnsafeBuffer buffer() {
    return slab.buffer();
  }

  /** Index of the first waiting byte. */
  public int head() {
    return head;
  }

  /**
   * Makes room for {@code length} more bytes behind the last one, and returns the index to write
   * them at; {@link #commit(int)} makes them part of the queue.
   *
   * @return -1 when the pool's budget is spent
   */
  public int reserve(int length) {
    if (slab == null) {
      slab = pool.acquire(length);
      head = 0;
      tail = 0;
      return slab == null ? -1 : 0;
    }
    if (slab.capacity() - tail >= length) {
      return tail;
    }
    return makeRoom(length) ? tail : -1;
  }

  /**
   * Adds {@code length} bytes, written at the index that {@link #reserve(int)} returned, to the
   * queue.
   */
  public void commit(int length) {
    tail += length;
  }

  /**
   * Copies bytes to the end of the queue.
   *
   * @return false, with nothing appended, when the pool's budget is spent
   */
  public boolean append(DirectBuffer source, int offset, int length) {
    int index = reserve(length);
    if (index < 0) {
      return false;
    }
    slab.buffer().putBytes(index, source, offset, length);
    tail += length;
    return true;
  }

  /** Appends what a heap array holds; for precomputed pieces such as statement names. */
  public boolean append(byte[] source) {
    int index = reserve(source.length);
    if (index < 0) {
      return false;
    }
    slab.buffer().putBytes(index, source);
    tail += source.length;
    return true;
  }

  /** Drops {@code length} bytes from the front, and returns the slab once the queue is empty. */
  public void consume(int length) {
    head += length;
    if (head == tail) {
      clear();
    }
  }

  /** Drops everything and returns the slab. */
  public void clear() {
    if (slab != null) {
      pool.release(slab);
      slab = null;
    }
    head = 0;
    tail = 0;
  }

  /**
   * Borrows from another pool from now on, in whose thread the queue is then confined. Only an
   * empty queue can move.
   */
  public void moveTo(SlabPool pool) {
    assert slab == null : "a queue that holds bytes stays with their pool";
    this.pool = pool;
  }

  /**
   * Writes as much as the channel takes.
   *
   * @return bytes written, or -1 when the channel is broken
   */
  public int writeTo(Channel channel) {
    if (head == tail) {
      return 0;
    }
    ByteBuffer bytes = slab.byteBuffer();
    bytes.limit(tail).position(head);
    int written = channel.write(bytes);
    bytes.clear();
    if (written > 0) {
      consume(written);
    }
    return written;
  }

  /**
   * Reads from the channel behind the last byte, into at most {@code maxBytes} of room that {@link
   * #reserve(int)} made.
   *
   * @return bytes read, 0 when there are none, -1 at end of stream
   */
  public int readFrom(Channel channel, int maxBytes) {
    ByteBuffer bytes = slab.byteBuffer();
    bytes.limit(tail + maxBytes).position(tail);
    int read = channel.read(bytes);
    bytes.clear();
    if (read > 0) {
      tail += read;
    }
    return read;
  }

  private boolean makeRoom(int length) {
    int size = tail - head;
    if (slab.capacity() - size >= length && head >= size) {
      slab.buffer().putBytes(0, slab.buffer(), head, size);
    } else {
      Slab larger = pool.acquire(Math.max(size + length, 2 * slab.capacity()));
      if (larger == null) {
        larger = pool.acquire(size + length);
        if (larger == null) {
          return false;
        }
      }
      larger.buffer().putBytes(0, slab.buffer(), head, size);
      pool.release(slab);
      slab = larger;
    }
    head = 0;
    tail = size;
    return true;
  }
}
