package io.pgring.pipeline;

import io.pgring.transport.Channel;
import io.pgring.transport.SlabPool;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.util.Arrays;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.ManyToOneConcurrentArrayQueue;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Owns the read side of every client of a lane: adopts accepted channels, reads, frames, publishes,
 * and closes. Relay's commands (read again, close) and the acceptor's channels arrive in bounded
 * queues that are drained once a duty cycle.
 */
public final class SelectorAgent implements Agent {
  private static final int RECEIVE_BYTES = 64 * 1024;
  private static final int ADOPTIONS_PER_CYCLE = 32;
  private static final int MIN_CARRY_READ_BYTES = 4 * 1024;

  private final LaneSelector selector;
  private final MessageFramer framer;
  private final SlabPool carryPool;
  private final ErrorHandler errorHandler;
  private final int windowBytes;
  private final UnsafeBuffer receiveBuffer;
  private final ByteBuffer receiveBytes;
  private final ManyToOneConcurrentArrayQueue<ClientConnection> commands;
  private final ManyToOneConcurrentArrayQueue<Channel> accepted;
  private final ClientConnection[] clients;
  private final int[] freeSlots;
  private final int[] generations;
  private int freeCount;
  private volatile int clientCount;
  private ClientConnection[] unpublished = new ClientConnection[16];
  private int unpublishedCount;

  /**
   * @param ring where frames go
   * @param ringFull called when the ring has no room
   * @param limits sizes, see {@link SelectorLimits}
   */
  public SelectorAgent(
      LaneSelector selector,
      FrameRing ring,
      RingFull ringFull,
      SelectorLimits limits,
      ErrorHandler errorHandler) {
    this.selector = selector;
    this.framer =
        new MessageFramer(ring, ringFull, limits.maxStartupBytes(), limits.maxMessageBytes());
    this.carryPool = new SlabPool(limits.carryBudgetBytes());
    this.errorHandler = errorHandler;
    this.windowBytes = limits.windowBytes();
    receiveBytes = ByteBuffer.allocateDirect(RECEIVE_BYTES);
    receiveBuffer = new UnsafeBuffer(receiveBytes);
    int slots = limits.maxClients();
    commands = new ManyToOneConcurrentArrayQueue<>(slots + 1);
    accepted = new ManyToOneConcurrentArrayQueue<>(slots + 1);
    clients = new ClientConnection[slots];
    generations = new int[slots];
    freeSlots = new int[slots];
    for (int i = 0; i < slots; i++) {
      freeSlots[i] = slots - 1 - i;
    }
    freeCount = slots;
  }

  /**
   * Makes room in the ring by running the stages on this thread, or sees to it that this agent is
   * woken when there is some.
   */
  public interface RingFull {
    /** True when publishing should be tried once more. */
    boolean makeRoom();
  }

  /**
   * Hands over an accepted channel; any thread. False when the lane is full: the caller closes the
   * channel.
   */
  public boolean adopt(Channel channel) {
    if (!accepted.offer(channel)) {
      return false;
    }
    selector.wakeUp();
    return true;
  }

  /** Clients of this lane, for the choice of the emptiest lane; any thread. */
  public int clientCount() {
    return clientCount + accepted.size();
  }

  boolean selects(LaneSelector other) {
    return selector == other;
  }

  void offer(ClientConnection client) {
    // Each client is in the queue at most once, and the queue has a place for each.
    commands.offer(client);
    selector.wakeUp();
  }

  /**
   * Takes what the other threads have left; selecting is a step of its own, since fused agents
   * share a selector.
   */
  @Override
  public int doWork() {
    int work = 0;
    if (!framer.isStalled()) {
      work += retryUnpublished();
      work += adoptAccepted();
    }
    ClientConnection client;
    while ((client = commands.poll()) != null) {
      execute(client, client.takeCommands());
      work++;
    }
    return work;
  }

  /** True when commands or channels wait: the agent must not block. */
  public boolean hasWork() {
    return !commands.isEmpty()
        || (!accepted.isEmpty() || unpublishedCount > 0) && !framer.isStalled();
  }

  @Override
  public String roleName() {
    return "selector";
  }

  @Override
  public void onClose() {
    for (ClientConnection client : clients) {
      if (client != null) {
        client.channel().close();
      }
    }
    Channel channel;
    while ((channel = accepted.poll()) != null) {
      channel.close();
    }
  }

  private int adoptAccepted() {
    int adopted = 0;
    Channel channel;
    while (adopted < ADOPTIONS_PER_CYCLE
        && !accepted.isEmpty()
        && framer.hasRoom()
        && (channel = accepted.poll()) != null) {
      register(channel);
      adopted++;
    }
    return adopted;
  }

  private void register(Channel channel) {
    if (freeCount == 0) {
      channel.close();
      return;
    }
    int slot = freeSlots[--freeCount];
    long key = (long) generations[slot] << 32 | slot;
    ClientConnection client = new ClientConnection(key, channel, this, carryPool, windowBytes);
    clients[slot] = client;
    clientCount = clients.length - freeCount;
    client.readKey = channel.register(selector.selector(), SelectionKey.OP_READ, client);
    if (!framer.notice(client, FrameEvent.CONNECTED, 0)) {
      free(client);
    }
  }

  void onReadable(ClientConnection client) {
    if (client.closed || client.endOfStream || client.blockedOnRing) {
      return;
    }
    int credit = client.credit();
    if (credit <= 0) {
      if (client.stopReading()) {
        interest(client, false);
      }
      return;
    }
    int read = client.carry.isEmpty() ? readFresh(client, credit) : readBehindCarry(client, credit);
    if (read < 0) {
      endOfStream(client);
    } else if (client.blockedOnRing) {
      interest(client, false);
      retryLater(client);
    }
  }

  private int readFresh(ClientConnection client, int credit) {
    receiveBytes.clear().limit(Math.min(RECEIVE_BYTES, credit));
    int read = client.channel().read(receiveBytes);
    if (read > 0) {
      int framed = framer.frame(client, receiveBuffer, 0, read);
      if (framed < read && !carry(client, framed, read)) {
        return -1;
      }
    }
    return read;
  }

  private boolean carry(ClientConnection client, int from, int to) {
    if (client.carry.append(receiveBuffer, from, to - from)) {
      return true;
    }
    errorHandler.onError(
        new IllegalStateException(
            "slab budget spent: client " + client.channel().remote() + " dropped"));
    return false;
  }

  private int readBehindCarry(ClientConnection client, int credit) {
    int room = Math.min(credit, Math.max(MIN_CARRY_READ_BYTES, client.carry.size()));
    if (client.carry.reserve(room) < 0) {
      return -1;
    }
    int read = client.carry.readFrom(client.channel(), room);
    if (read > 0) {
      frameCarry(client);
    }
    return read;
  }

  private void frameCarry(ClientConnection client) {
    int framed =
        framer.frame(client, client.carry.buffer(), client.carry.head(), client.carry.size());
    if (client.closed) {
      client.carry.clear();
    } else {
      client.carry.consume(framed);
    }
  }

  // A full ring leaves complete messages behind; they are tried again before anything else is read.
  private int retryUnpublished() {
    int count = unpublishedCount;
    unpublishedCount = 0;
    for (int i = 0; i < count; i++) {
      ClientConnection client = unpublished[i];
      unpublished[i] = null;
      if (!client.closed) {
        retry(client);
      }
    }
    return count;
  }

  private void retry(ClientConnection client) {
    client.blockedOnRing = false;
    if (!client.carry.isEmpty()) {
      frameCarry(client);
    }
    if (client.endOfStream) {
      endOfStream(client);
    } else if (client.blockedOnRing) {
      retryLater(client);
    } else if (!client.isReadStopped()) {
      interest(client, true);
    }
  }

  private void retryLater(ClientConnection client) {
    if (unpublishedCount == unpublished.length) {
      unpublished = Arrays.copyOf(unpublished, 2 * unpublishedCount);
    }
    unpublished[unpublishedCount++] = client;
  }

  private void endOfStream(ClientConnection client) {
    if (client.closed) {
      return;
    }
    if (!client.endOfStream) {
      client.endOfStream = true;
      interest(client, false);
    }
    if (client.blockedOnRing || !framer.notice(client, FrameEvent.DISCONNECTED, 0)) {
      retryLater(client);
    }
  }

  private void execute(ClientConnection client, int bits) {
    if (client.closed) {
      return;
    }
    if ((bits & ClientConnection.CLOSE) != 0) {
      free(client);
      return;
    }
    if ((bits & ClientConnection.RESUME) != 0 && !client.endOfStream) {
      client.readingResumed();
      if (!client.blockedOnRing) {
        interest(client, true);
      }
    }
  }

  private void interest(ClientConnection client, boolean read) {
    if (client.readKey.isValid()) {
      if (read) {
        client.readKey.interestOpsOr(SelectionKey.OP_READ);
      } else {
        client.readKey.interestOpsAnd(~SelectionKey.OP_READ);
      }
    }
  }

  private void free(ClientConnection client) {
    client.closed = true;
    client.carry.clear();
    client.channel().close();
    int slot = client.slot();
    clients[slot] = null;
    generations[slot]++;
    freeSlots[freeCount++] = slot;
    clientCount = clients.length - freeCount;
  }
}
