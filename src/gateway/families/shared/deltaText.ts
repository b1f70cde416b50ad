/** Text deltas as they ought to be, from text deltas as they come: accumulated text (C8) and thinking inside the content (C7). */

type Send = (text: string) => void;

export interface TextFilter {
  push(text: string): void;
  /** Something else begins, or nothing more comes: what was held back is let go. */
  flush(): void;
}

/**
 * Some servers send all the text so far in each chunk. That is taken for true only after three chunks in a row each began
 * with the whole chunk before: as deltas they would say *The The cat The cat sat*. Until then such chunks wait, so that
 * nothing has to be taken back; an ordinary stream is let through from its second chunk on.
 */
export function createCumulativeFilter(send: Send): TextFilter {
  let state: "watching" | "plain" | "cumulative" = "watching";
  let first = "";
  let last = "";
  let held: string[] = [];

  const isCumulative = (growths: number, length: number): boolean => held.length >= growths && last.length >= length;

  const confirm = (): void => {
    state = "cumulative";
    held = [];
    send(last.slice(first.length));
  };

  const giveUp = (): void => {
    state = "plain";
    for (const text of held) send(text);
    held = [];
    last = "";
  };

  return {
    push(text) {
      if (text === "") return;
      if (state === "plain") {
        send(text);
      } else if (state === "cumulative") {
        if (text.startsWith(last)) {
          send(text.slice(last.length));
          last = text;
        } else {
          send(text);
          last += text;
        }
      } else if (last === "") {
        first = last = text;
        send(text);
      } else if (text.length > last.length && text.startsWith(last)) {
        held.push(text);
        last = text;
        if (isCumulative(3, 20)) confirm();
      } else {
        giveUp();
        send(text);
      }
    },
    flush() {
      if (state !== "watching" || last === "") return;
      if (isCumulative(2, 12)) confirm();
      else giveUp();
    },
  };
}

/** Local servers' word, and the one of Gemini behind this family. */
const tagNames = ["think", "thought"];

/** Some servers write the thinking into the content. Only a tag that opens the answer counts: elsewhere it is text. */
export function createThinkFilter(sendText: Send, sendReasoning: Send): TextFilter {
  let state: "start" | "inside" | "after" | "plain" = "start";
  let held = "";
  let closing = "";

  const push = (text: string): void => {
    held += text;
    if (state === "start") {
      const begun = held.trimStart();
      const name = tagNames.find((one) => begun.startsWith(`<${one}>`));
      if (name !== undefined) {
        state = "inside";
        held = begun.slice(name.length + 2);
        closing = `</${name}>`;
      } else if (tagNames.some((one) => `<${one}>`.startsWith(begun))) return;
      else state = "plain";
    }
    if (state === "inside") {
      const end = held.indexOf(closing);
      const sure = end === -1 ? held.length - partialEnd(held, closing) : end;
      if (sure > 0) sendReasoning(held.slice(0, sure));
      held = held.slice(sure);
      if (end === -1) return;
      held = held.slice(closing.length);
      state = "after";
    }
    if (state === "after") {
      held = held.trimStart();
      if (held === "") return;
      state = "plain";
    }
    const rest = held;
    held = "";
    if (rest !== "") sendText(rest);
  };

  return {
    push(text) {
      if (state === "plain") sendText(text);
      else push(text);
    },
    flush() {
      if (held === "") return;
      const rest = held;
      held = "";
      if (state === "inside") sendReasoning(rest);
      else if (state === "start") {
        sendText(rest);
        if (rest.trim() !== "") state = "plain";
      }
    },
  };
}

/** How many characters at the end of `text` may be the beginning of `tag`. */
function partialEnd(text: string, tag: string): number {
  for (let length = Math.min(tag.length - 1, text.length); length > 0; length--) {
    if (tag.startsWith(text.slice(text.length - length))) return length;
  }
  return 0;
}
