package io.pgring.pipeline;

import io.pgring.transport.SlabPool;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Relay returns credit and closes while the selector agent publishes and stops reading: in no order
 * of their steps does a client with credit stay unread, or a close get lost. Lincheck makes an
 * instance for each order and calls {@link #nothingIsLost} at its end.
 */
@Timeout(180)
public class CreditInterleavingsTest {
  private static final int WINDOW_BYTES = 100;
  private static final int QUEUED = 1 << 8;
  private static final VarHandle COMMANDS = commands();

  private final ClientConnection client =
      new ClientConnection(0, null, null, new SlabPool(0), WINDOW_BYTES);
  private boolean stopped;
  private boolean closed;

  /** The client counts as queued for the agent already, so that no agent is needed. */
  public CreditInterleavingsTest() {
    COMMANDS.set(client, QUEUED);
    client.published(WINDOW_BYTES - 10);
  }

  private static VarHandle commands() {
    try {
      return MethodHandles.privateLookupIn(ClientConnection.class, MethodHandles.lookup())
          .findVarHandle(ClientConnection.class, "commands", int.class);
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }

  @Operation(nonParallelGroup = "selector agent")
  public void read() {
    if (stopped) {
      return;
    }
    if (client.credit() <= 0) {
      stopped = client.stopReading();
    } else {
      client.published(10);
    }
  }

  @Operation(nonParallelGroup = "relay")
  public void relay() {
    client.relayed(30);
  }

  @Operation(nonParallelGroup = "relay", runOnce = true)
  public void close() {
    client.close();
    closed = true;
  }

  @Validate
  public void nothingIsLost() {
    int commands = client.takeCommands();
    if (closed && (commands & ClientConnection.CLOSE) == 0) {
      throw new IllegalStateException("a close was lost");
    }
    boolean resumed = (commands & ClientConnection.RESUME) != 0;
    if (stopped && !resumed && client.credit() >= WINDOW_BYTES / 2) {
      throw new IllegalStateException(client.credit() + " bytes of credit, and nobody reads");
    }
  }

  @Test
  void aClientWithCreditIsRead() {
    new ModelCheckingOptions()
        .threads(2)
        .actorsBefore(1)
        .actorsPerThread(3)
        .actorsAfter(0)
        .iterations(15)
        .invocationsPerIteration(500)
        .check(CreditInterleavingsTest.class);
  }
}
