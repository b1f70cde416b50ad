/** The web as tools may use it: one page of the internet at a time, and a picture of a page on this machine. */

export interface WebPort {
  /** The proxy that a request goes through, as host and port: it looks the name up itself, so what the name leads to is its affair. */
  proxyOf(url: URL): string | undefined;
  /**
   * One GET request without cookies or login; a redirect is not followed. Only to public addresses: the name is looked up, every address is
   * checked, and the connection goes to one of these. Rejects with an `AppFailure`, or with the reason of an abort.
   */
  get(url: URL, signal: AbortSignal): Promise<WebResponse>;
}

export interface WebResponse {
  readonly status: number;
  /** Where a redirect leads, as it was sent. */
  readonly location?: string;
  readonly contentType?: string;
  /** Decompressed. Ends with an error where the connection breaks; an abort of the signal ends it. */
  readonly body: AsyncIterable<Uint8Array>;
}

/** Width and height in pixels. */
export interface PageSize {
  readonly width: number;
  readonly height: number;
}

export interface PagePort {
  /**
   * A picture of the page, as PNG, by a browser with an empty profile that reaches the port of the address on this machine and nothing else.
   * `undefined` where the page could not be drawn in time. Rejects with the reason of an abort.
   */
  capture(url: URL, size: PageSize, signal: AbortSignal): Promise<Uint8Array | undefined>;
}
