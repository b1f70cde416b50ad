/** Filters for text deltas, for the chat-completions decoder: text that is sent cumulatively (Q-C8) and thinking inside the content (Q-C7). */

type Send = (text: string) => void;

export interface TextFilter {
  push(text: string): void;
  /** Another kind of delta begins, or nothing more comes: buffered text is sent. */
  flush(): void;
}

/**
 * Some servers send all the text so far in each chunk. This is assumed only after three chunks in a row began with the
 * whole chunk before: as deltas they would read *The The cat The cat sat*. Until then such chunks are buffered, so that
 * nothing has to be taken back; an ordinary stream passes from its second chunk on.
 */
export class CumulativeFilter implements TextFilter {
  readonly #send: Send;
  #state: "watching" | "plain" | "cumulative" = "watching";
  #first = "";
  #last = "";
  #buffered: string[] = [];

  constructor(send: Send) {
    this.#send = send;
  }

  push(text: string): void {
    if (text === "") return;
    if (this.#state === "plain") this.#send(text);
    else if (this.#state === "cumulative") this.#pushCumulative(text);
    else if (this.#last === "") {
      this.#first = this.#last = text;
      this.#send(text);
    } else if (text.length > this.#last.length && text.startsWith(this.#last)) {
      this.#buffered.push(text);
      this.#last = text;
      if (this.#isCumulative(3, 20)) this.#confirm();
    } else {
      this.#giveUp();
      this.#send(text);
    }
  }

  flush(): void {
    if (this.#state !== "watching" || this.#last === "") return;
    if (this.#isCumulative(2, 12)) this.#confirm();
    else this.#giveUp();
  }

  #pushCumulative(text: string): void {
    if (text.startsWith(this.#last)) {
      this.#send(text.slice(this.#last.length));
      this.#last = text;
    } else {
      this.#send(text);
      this.#last += text;
    }
  }

  #isCumulative(chunks: number, length: number): boolean {
    return this.#buffered.length >= chunks && this.#last.length >= length;
  }

  #confirm(): void {
    this.#state = "cumulative";
    this.#buffered = [];
    this.#send(this.#last.slice(this.#first.length));
  }

  #giveUp(): void {
    this.#state = "plain";
    for (const text of this.#buffered) this.#send(text);
    this.#buffered = [];
    this.#last = "";
  }
}

/** `think`: local servers; `thought`: Gemini behind chat completions. */
const tagNames = ["think", "thought"];

/** Some servers write the thinking into the content. Only a tag at the beginning of the answer counts: elsewhere it is text. */
export class ThinkFilter implements TextFilter {
  readonly #sendText: Send;
  readonly #sendReasoning: Send;
  #state: "start" | "inside" | "after" | "plain" = "start";
  #buffered = "";
  #closing = "";

  constructor(sendText: Send, sendReasoning: Send) {
    this.#sendText = sendText;
    this.#sendReasoning = sendReasoning;
  }

  push(text: string): void {
    if (this.#state === "plain") {
      this.#sendText(text);
      return;
    }
    this.#buffered += text;
    if (this.#state === "start") this.#readStart();
    if (this.#state === "inside") this.#readInside();
    if (this.#state === "after") this.#readAfter();
    if (this.#isPlain() && this.#buffered !== "") this.#sendText(this.#take());
  }

  flush(): void {
    if (this.#buffered === "") return;
    const rest = this.#take();
    if (this.#state === "inside") this.#sendReasoning(rest);
    else if (this.#state === "start") {
      this.#sendText(rest);
      if (rest.trim() !== "") this.#state = "plain";
    }
  }

  #readStart(): void {
    const text = this.#buffered.trimStart();
    const name = tagNames.find((one) => text.startsWith(`<${one}>`));
    if (name !== undefined) {
      this.#state = "inside";
      this.#buffered = text.slice(name.length + 2);
      this.#closing = `</${name}>`;
    } else if (!tagNames.some((one) => `<${one}>`.startsWith(text))) this.#state = "plain";
  }

  #readInside(): void {
    const end = this.#buffered.indexOf(this.#closing);
    const sure = end === -1 ? this.#buffered.length - partialEnd(this.#buffered, this.#closing) : end;
    if (sure > 0) this.#sendReasoning(this.#buffered.slice(0, sure));
    this.#buffered = this.#buffered.slice(sure);
    if (end === -1) return;
    this.#buffered = this.#buffered.slice(this.#closing.length);
    this.#state = "after";
  }

  /** White space between the thinking and the answer is dropped. */
  #readAfter(): void {
    this.#buffered = this.#buffered.trimStart();
    if (this.#buffered !== "") this.#state = "plain";
  }

  #isPlain(): boolean {
    return this.#state === "plain";
  }

  #take(): string {
    const text = this.#buffered;
    this.#buffered = "";
    return text;
  }
}

/** How many characters at the end of `text` may be the beginning of `tag`. */
function partialEnd(text: string, tag: string): number {
  for (let length = Math.min(tag.length - 1, text.length); length > 0; length--) {
    if (tag.startsWith(text.slice(text.length - length))) return length;
  }
  return 0;
}
