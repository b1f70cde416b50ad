/** What `decodeStream` expects of a family's decoder: it reads JSON values one by one and emits the end of the answer. */

export interface FamilyDecoder {
  /** The family's own last event was read: the rest is ignored, though the connection may stay open (Q-F17). */
  readonly done: boolean;
  /** The service gave a finish reason. */
  readonly hasReason: boolean;
  /** One JSON value of the stream; `event` is the name of its server-sent event, where it had one. */
  chunk(value: unknown, event?: string): void;
  /** Everything was read, or nothing more will come. Ends with `message-end`. */
  end(ending: StreamEnding): void;
}

export interface StreamEnding {
  /** The stream was completed: by `[DONE]`, or as a whole document. */
  readonly done: boolean;
  /** The body was a JSON array, written element by element. */
  readonly array: boolean;
}
