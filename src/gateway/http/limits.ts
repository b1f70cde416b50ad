/** How long each part of a request may take, in milliseconds. */
export interface Limits {
  readonly connect: number;
  /** From the request's last byte to the answer's first. */
  readonly firstByte: number;
  /** The same for reads that answer at once. */
  readonly read: number;
  /** Between two pieces of an answer; comments count as life. */
  readonly silence: number;
  /** From the first byte to the last of an answer that is no stream: blanks that go on trickling are no silence. */
  readonly whole: number;
}

export const defaultLimits: Limits = {
  connect: 10_000,
  firstByte: 60_000,
  read: 15_000,
  silence: 90_000,
  whole: 120_000,
};
