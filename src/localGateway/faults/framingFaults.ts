/** F of the quirk list: the same events in other bytes. */
import { kind, nothing } from "./faultKind";
import { streamKind, type StreamFaultKind } from "./streamFault";

export const framingFaults: readonly StreamFaultKind[] = [
  streamKind(kind("sse.drip", "sends a stream one byte at a time", nothing), () => ({
    packets: (bytes) => Array.from(bytes, (byte) => Buffer.of(byte)),
  })),
];
