/** The limits on the parts of a request, in milliseconds. They are no settings: Stop ends a wait, and a longer limit helps against no fault. */
export const requestTimeouts = {
  /** Milliseconds for a connection, with the proxy and TLS. */
  connect: 15_000,
  /** Milliseconds from the last byte of the request to the first of the response: models may think for minutes before they answer. */
  firstByte: 300_000,
  /** Milliseconds between two chunks of a stream; what has arrived is kept. */
  silence: 180_000,
} as const;
