/** What a family brings to `decodeStream`: it reads JSON values one by one and says how the answer ended. */

export interface FamilyDecoder {
  /** One JSON value of the stream; `event` is the SSE event's name, where it had one. */
  chunk(value: unknown, event?: string): void;
  /**
   * Everything was read, or nothing more will come. `done`: the stream said itself that it was complete. Ends with
   * `message-end`.
   */
  end(ending: { readonly done: boolean }): void;
}
