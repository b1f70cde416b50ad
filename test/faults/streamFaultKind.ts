/** Kinds of stream faults: they change events, their text, or the packets that are written. */
import { definedFields } from "../../src/base/definedFields";
import type { Family } from "../../src/domain/chat/chatEvent";
import type { FaultKind, StreamFault, StreamInfo } from "../../src/localGateway/http/requestFaults";

export interface StreamFaultKind extends FaultKind<unknown> {
  /** Missing: all families. */
  readonly family?: Family;
  open(value: unknown, teller: StreamInfo): StreamFault;
}

export function streamKind<T>(
  { name, does, value }: FaultKind<T>,
  open: (value: T, teller: StreamInfo) => StreamFault,
  family?: Family,
): StreamFaultKind {
  return {
    name,
    does,
    value,
    open: (given, teller) => open(value.parse(given), teller),
    ...definedFields({ family }),
  };
}
