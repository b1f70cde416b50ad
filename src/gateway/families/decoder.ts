/** What a family brings to `decodeStream`: it reads JSON values one by one and says how the answer ended. */

export interface FamilyDecoder {
  /** The answer said that it is complete: nothing after it counts, though the connection may stay open (F17). */
  readonly done: boolean;
  /** The service gave a reason why the answer ends. */
  readonly hasReason: boolean;
  /** One JSON value of the stream; `event` is the SSE event's name, where it had one. */
  chunk(value: unknown, event?: string): void;
  /** Everything was read, or nothing more will come. Ends with `message-end`. */
  end(ending: Ending): void;
}

export interface Ending {
  /** The stream said itself that it was complete: by `[DONE]`, or as a whole document. */
  readonly done: boolean;
  /** It was a JSON array, written element by element. */
  readonly array: boolean;
}
