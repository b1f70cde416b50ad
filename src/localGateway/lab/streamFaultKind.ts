/** Kinds of stream faults: they change events, their text, or the packets that are written. */
import { definedFields } from "../../base/definedFields";
import type { Family } from "../../domain/chat/chatEvent";
import type { FaultKind, StreamFault, StreamInfo } from "../http/requestFaults";

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
