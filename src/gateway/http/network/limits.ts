/** Timeouts for the parts of a request, and those that apply without settings. */
import { patience } from "../../../domain/gateway/patience";

/** In milliseconds. */
export interface Limits {
  readonly connect: number;
  /** From the last byte of the request to the first of the response. */
  readonly firstByte: number;
  /** The same for quick reads. */
  readonly read: number;
  /** Between two chunks of a response; comments of an event stream count. */
  readonly silence: number;
  /** From the first byte to the last of a response that is no stream: trickling white space never falls silent. */
  readonly whole: number;
}

export const defaultLimits: Limits = {
  connect: patience.connect,
  firstByte: patience.firstByte,
  read: 15_000,
  silence: patience.silence,
  whole: 120_000,
};
