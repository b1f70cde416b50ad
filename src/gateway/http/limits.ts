/** Timeouts for the parts of a request, in milliseconds. */
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
  connect: 10_000,
  firstByte: 60_000,
  read: 15_000,
  silence: 90_000,
  whole: 120_000,
};
