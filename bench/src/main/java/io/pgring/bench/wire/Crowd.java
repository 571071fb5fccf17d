package io.pgring.bench.wire;

import io.pgring.bench.BenchFailure;
import io.pgring.bench.pgbench.Account;
import io.pgring.bench.pgbench.Endpoint;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * Many clients on one thread, which all connect at once, log in and can be told to ask something.
 * Main thread only; nothing happens outside of {@link #await}.
 */
public final class Crowd implements AutoCloseable {
  private static final long SELECT_MILLIS = 100;

  private final List<CrowdMember> members = new ArrayList<>();
  private final Selector selector;
  private final InetSocketAddress address;
  private final Account account;

  /**
   * @param endpoint where, over TCP
   * @param account as whom
   */
  public Crowd(Endpoint endpoint, Account account) {
    this.address = new InetSocketAddress(endpoint.host(), endpoint.port());
    this.account = account;
    try {
      selector = Selector.open();
    } catch (IOException e) {
      throw new BenchFailure("no selector: " + e.getMessage(), e);
    }
  }

  /**
   * Begins to connect more clients, without waiting for any of them. Each asks one question as soon
   * as it is logged in.
   *
   * @param count how many
   * @return the new ones
   */
  public List<CrowdMember> connect(int count) {
    List<CrowdMember> added = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      CrowdMember member = new CrowdMember(account);
      members.add(member);
      added.add(member);
      member.connect(selector, address);
    }
    return added;
  }

  /**
   * Lets all of them get on until a condition holds for each of the given ones.
   *
   * @param which those that matter
   * @param condition what is waited for
   * @param limitMillis how long at most
   * @return whether it came about in time
   */
  public boolean await(
      List<CrowdMember> which, Predicate<CrowdMember> condition, long limitMillis) {
    long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(limitMillis);
    while (!which.stream().allMatch(condition)) {
      if (System.nanoTime() - deadlineNs > 0) {
        return false;
      }
      step();
    }
    return true;
  }

  private void step() {
    try {
      selector.select(Crowd::onReady, SELECT_MILLIS);
    } catch (IOException e) {
      throw new BenchFailure("cannot wait for the crowd: " + e.getMessage(), e);
    }
  }

  private static void onReady(SelectionKey key) {
    ((CrowdMember) key.attachment()).onReady(key);
  }

  @Override
  public void close() {
    members.forEach(CrowdMember::leave);
    try {
      selector.close();
    } catch (IOException alreadyGone) {
      return;
    }
  }
}
