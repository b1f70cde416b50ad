/** Lines of a stream that are no field of an event: errors printed between events, missing field names, garbage (Q-F18, Q-R8). */
import { asArray, isRecord, parseJson } from "../../base/jsonValue";

export interface StrayLineListener {
  /** The line is the data of an event. */
  onData(text: string): void;
  onValue(value: unknown, event: "error" | undefined): void;
  onMalformed(raw: string): void;
}

/** Characters of an error that is printed over several lines. */
const maxErrorLength = 8 * 1024;
/** An unknown field of an event stream, which the specification ignores (Q-F14). */
const unknownField = /^[a-z][\w-]*:/i;
const errorWord = /\b(?:error|exception)\b/i;

export class StrayLines {
  readonly #listener: StrayLineListener;
  /** Lines that may become an error object printed over several lines. */
  #gathered = "";
  #lastError = "";

  constructor(listener: StrayLineListener) {
    this.#listener = listener;
  }

  /**
   * Error text on a line of its own, with no JSON value after it: the reason why the stream ended. When values follow,
   * the line is reported as malformed instead.
   */
  get lastError(): string {
    return this.#lastError;
  }

  read(line: string): void {
    const text = line.trim();
    if (text === "") return;
    const data = /^data:\s*/.exec(text);
    const error = /^error:\s*/i.exec(text);
    if (data) this.#listener.onData(text.slice(data[0].length));
    else if (text === "[DONE]" || text === '"[DONE]"') this.#listener.onData(text);
    else if (error) this.#readError(text.slice(error[0].length));
    else if (!unknownField.test(text)) this.#readBare(text);
  }

  /** An event follows: the gathered lines are no error object. */
  flush(): void {
    if (this.#gathered !== "") this.#listener.onMalformed(this.#gathered);
    this.#gathered = "";
  }

  /** A JSON value follows: the error text did not end the stream. */
  dropError(): void {
    if (this.#lastError !== "") this.#listener.onMalformed(this.#lastError);
    this.#lastError = "";
  }

  /** Nothing follows. `heard`: at least one JSON value came before. */
  end(heard: boolean): void {
    if (heard && this.#lastError === "" && errorWord.test(this.#gathered)) {
      this.#lastError = this.#gathered;
      this.#gathered = "";
    }
    this.flush();
  }

  #readBare(text: string): void {
    const value = parseJson(text);
    if (isRecord(value)) {
      this.flush();
      this.#listener.onValue(value, undefined);
    } else this.#gather(text);
  }

  #readError(text: string): void {
    const value = parseJson(text);
    if (typeof value === "object" && value !== null) this.#listener.onValue(value, "error");
    else {
      this.dropError();
      this.#lastError = text;
    }
  }

  /** Delivers the gathered lines once they are a whole error object. */
  #gather(text: string): void {
    this.#gathered = this.#gathered === "" ? text : `${this.#gathered}\n${text}`;
    if (this.#gathered.length > maxErrorLength) this.flush();
    if (!/[\]}],?$/.test(text)) return;
    const value = parseJson(this.#gathered.replace(/^,|,$/g, ""));
    const first = isRecord(value) ? value : asArray(value)[0];
    if (!isRecord(first) || !("error" in first)) return;
    this.#gathered = "";
    this.#listener.onValue(first, "error");
  }
}
