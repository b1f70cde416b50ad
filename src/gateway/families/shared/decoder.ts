/** What a family brings to `decodeStream`: it reads JSON values one by one and says how the answer ended. */

export interface FamilyDecoder {
  /** The answer said that it is complete: nothing after it counts, though the connection may stay open (F17). */
  readonly done: boolean;
  /** The service gave a reason why the answer ends. */
  readonly hasReason: boolean;
  /**
   * One JSON value of the stream; `event` is the SSE event's name, where it had one. Gives the text in it, if all that it
   * said is that the answer goes on with this text: `goOn` takes the text of the next one that differs in nothing else.
   */
  chunk(value: unknown, event?: string): string | undefined;
  goOn(text: string): void;
  /** Everything was read, or nothing more will come. Ends with `message-end`. */
  end(ending: Ending): void;
}

export interface Ending {
  /** The stream said itself that it was complete: by `[DONE]`, or as a whole document. */
  readonly done: boolean;
  /** It was a JSON array, written element by element. */
  readonly array: boolean;
}
