/** Tool calls of families that mark where each begins. They are emitted as they arrive, and complete only at the end of the stream (S3). */
import type { Answer } from "./answer";
import { cutAtLimit, type ToolCallEnding, describeArguments, parseArguments, type ToolInput } from "./toolCallAssembly";

export class CallList {
  readonly #answer: Answer;
  readonly #calls: ListedCall[] = [];

  constructor(answer: Answer) {
    this.#answer = answer;
  }

  get any(): boolean {
    return this.#calls.length > 0;
  }

  open({ name, wireId }: { readonly name: string; readonly wireId?: string | undefined }): ListedCall {
    const id = `call-${this.#calls.length}`;
    const call = new ListedCall(this.#answer, id, this.#answer.newBlock());
    this.#calls.push(call);
    const wire = wireId === undefined ? {} : { wireId };
    this.#answer.emit({ type: "tool-call-start", block: call.block, call: id, ...wire, name });
    return call;
  }

  /** Whether a call was not closed, or was closed with incomplete arguments. */
  isOpen(): boolean {
    return this.#calls.some((call) => call.isOpen());
  }

  end(ending: ToolCallEnding): void {
    const last = this.#calls.at(-1);
    for (const call of this.#calls) call.finish({ ...ending, limited: ending.limited && call === last });
  }
}

export class ListedCall {
  /** The call's name in the events. */
  readonly call: string;
  readonly block: number;
  readonly #answer: Answer;
  #text = "";
  #fallback: ToolInput | undefined;
  #closed = false;

  constructor(answer: Answer, call: string, block: number) {
    this.#answer = answer;
    this.call = call;
    this.block = block;
  }

  append(text: string): void {
    if (text === "") return;
    this.#text += text;
    this.#answer.countPiece();
    this.#answer.emit({ type: "tool-call-delta", call: this.call, text });
  }

  /** Sets the arguments for the case that no text of them follows. */
  assume(input: ToolInput): void {
    this.#fallback = input;
  }

  /** Closes the call, because no more of it will come. */
  close(): void {
    this.#closed = true;
    if (this.#text.trim() !== "" || this.#fallback === undefined) return;
    this.#text = JSON.stringify(this.#fallback);
    this.#answer.emit({ type: "tool-call-delta", call: this.call, text: this.#text });
  }

  isOpen(): boolean {
    return !this.#closed || (this.#text.trim() !== "" && parseArguments(this.#text) === undefined);
  }

  finish({ stopped, finished, limited }: ToolCallEnding): void {
    if (stopped === undefined) this.close();
    const { call } = this;
    const text = this.#text;
    const isEmpty = text.trim() === "";
    const input = isEmpty ? (finished ? {} : undefined) : parseArguments(text);
    if (stopped === undefined && input !== undefined) {
      this.#answer.emit({ type: "tool-call-end", call, input });
      return;
    }
    const reason = stopped ?? (isEmpty ? "No arguments came." : describeArguments(text));
    this.#answer.emit({ type: "tool-call-invalid", call, text, ...(limited ? cutAtLimit : { reason }) });
  }
}
