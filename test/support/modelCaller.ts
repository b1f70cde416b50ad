/** Another extension that talks to a provided model: it sends its messages, runs the calls and keeps what it keeps of an answer. */
import {
  type ProvidedMessage,
  type ProvidedPart,
  type ReportedPart,
  markerType,
} from "../../src/agents/models/providedMessage";

/** `everything` but thinking, which is no part of the API; or the text and the calls, the text joined in front, as some callers do. */
export type Keeps = "everything" | "text and calls";

export type Ask = (messages: readonly ProvidedMessage[]) => Promise<readonly ReportedPart[]>;

export class ModelCaller {
  readonly messages: ProvidedMessage[] = [];
  /** The parts of the answers that it keeps from now on. */
  keeps: Keeps;

  constructor(keeps: Keeps) {
    this.keeps = keeps;
  }

  /** Sends the prompt, and the result of each call until there is none. Resolves with the text of all answers. */
  async turn(prompt: string, ask: Ask, resultOf: (input: unknown) => string): Promise<string> {
    this.messages.push({ role: "user", parts: [{ type: "text", text: prompt }] });
    let text = "";
    for (;;) {
      const parts = await ask(this.messages);
      text += textOf(parts);
      this.messages.push({ role: "assistant", parts: this.#keep(parts) });
      const calls = parts.filter((part) => part.type === "tool-call");
      if (calls.length === 0) return text;
      const results = calls.map(({ id, input }): ProvidedPart => {
        return { type: "tool-result", id, content: [{ type: "text", text: resultOf(input) }], isError: false };
      });
      this.messages.push({ role: "user", parts: results });
    }
  }

  #keep(parts: readonly ReportedPart[]): readonly ProvidedPart[] {
    if (this.keeps === "everything") return parts.filter((part) => part.type !== "thinking");
    const calls = parts.filter((part) => part.type === "tool-call");
    const text = textOf(parts).trim();
    return [...(text === "" ? [] : [{ type: "text" as const, text }]), ...calls];
  }
}

export function textOf(parts: readonly ReportedPart[]): string {
  return parts.map((part) => (part.type === "text" ? part.text : "")).join("");
}

/** The record in the marker of an answer. */
export function markerOf(parts: readonly ReportedPart[]): string | undefined {
  const marker = parts.at(-1);
  if (marker?.type !== "data" || marker.mimeType !== markerType) return undefined;
  const written = Buffer.from(marker.data).toString();
  return Buffer.from(written.slice(written.lastIndexOf(".") + 1), "base64").toString();
}
