package io.pgring.protocol;

/** One golden message for each flyweight, longest interesting form. */
enum Layout {
  QUERY("51 00000014 'select 1, now()' 00"),
  PARSE("50 0000001b 's1' 00 'select $1' 00 0002 00000017 00000000"),
  BIND("42 00000023 'p' 00 's1' 00 0001 0001 0003 00000002 'ab' ffffffff 00000000 0002 0000 0001"),
  TARGET("44 00000008 'Ss1' 00"),
  EXECUTE("45 0000000a 'p' 00 00000064"),
  FUNCTION_CALL("46 0000001d 00000585 0002 0001 0000 0002 00000001 07 00000002 'ab' 0001"),
  COPY_FAIL("66 00000009 'full' 00"),
  STARTUP("00000022 00030000 'user' 00 'alice' 00 'database' 00 'shop' 00 00"),
  CANCEL_REQUEST("00000010 04d2162e 00000102 'keys'"),
  PASSWORD("70 0000000b 'secret' 00"),
  SASL_INITIAL_RESPONSE("70 0000001c 'SCRAM-SHA-256' 00 00000006 'n,,n=,'"),
  AUTHENTICATION("52 0000000d 0000000a 'X' 00 'Y' 00 00"),
  BACKEND_KEY_DATA("4b 0000000c 00000102 'keys'"),
  NEGOTIATE_PROTOCOL_VERSION("76 00000015 00030002 00000002 '_pq_.a' 00 'b' 00"),
  PARAMETER_STATUS("53 00000015 'TimeZone' 00 'Etc/UTC' 00"),
  ERROR_RESPONSE("45 0000001c 'SERROR' 00 'C42601' 00 'Mno' 00 'H' 00 'Mx' 00 00"),
  READY_FOR_QUERY("5a 00000005 'I'"),
  COMMAND_COMPLETE("43 0000000f 'INSERT 0 5' 00"),
  ROW_DESCRIPTION(
      "54 0000002f 0002 'a' 00 00004001 0003 00000017 0004 ffffffff 0001"
          + " 'bc' 00 00000000 0000 00000413 ffff 0000000e 0000"),
  DATA_ROW("44 00000014 0003 00000002 '42' ffffffff 00000000"),
  PARAMETER_DESCRIPTION("74 0000000e 0002 00000017 00000019"),
  NOTIFICATION_RESPONSE("41 0000000f 00000102 'jobs' 00 'x' 00"),
  COPY_RESPONSE("47 0000000b 01 0002 0001 0000"),
  FUNCTION_CALL_RESPONSE("56 0000000a 00000002 '42'");

  private final byte[] golden;

  Layout(String notation) {
    golden = WireBytes.of(notation);
  }

  byte[] golden() {
    return golden.clone();
  }

  /** Where the length field is: startup packets have no type byte. */
  int lengthFieldOffset() {
    return this == STARTUP || this == CANCEL_REQUEST ? 0 : 1;
  }

  /** Whether the message may be longer than its golden bytes by one without being malformed. */
  boolean openEnded() {
    return this == CANCEL_REQUEST || this == BACKEND_KEY_DATA;
  }
}
