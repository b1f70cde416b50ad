/** Collects the events of one answer as parts of the history, in their order. */
import { definedFields } from "../../base/definedFields";
import type { ChatEvent, Finish, Usage } from "../../domain/chat/chatEvent";
import type { AppError } from "../../domain/errors/appError";
import type { AssistantPart } from "../../domain/chat/message";

type CollectedPart =
  | { readonly type: "text" | "reasoning"; readonly block: number; text: string }
  /** Without `input` while the call is not complete, and for one that never was. */
  | {
      readonly type: "tool-call";
      readonly call: string;
      readonly wireId?: string;
      readonly name: string;
      input?: Readonly<Record<string, unknown>>;
    }
  | Extract<AssistantPart, { type: "media" | "opaque" }>;

export class CollectedAnswer {
  readonly #parts: CollectedPart[] = [];
  usage: Usage | undefined;
  finish: Finish = "unknown";
  cut = true;
  /** What the service reported inside the stream. */
  error: AppError | undefined;
  hasInvalidCall = false;

  add(event: ChatEvent): void {
    switch (event.type) {
      case "text-delta":
      case "reasoning-delta":
        this.#addText(event.type === "text-delta" ? "text" : "reasoning", event.block, event.text);
        break;
      case "tool-call-start": {
        const { call, wireId, name } = event;
        this.#parts.push({ type: "tool-call", call, name, ...definedFields({ wireId }) });
        break;
      }
      case "tool-call-end": {
        const part = this.#parts.findLast((known) => known.type === "tool-call" && known.call === event.call);
        if (part?.type === "tool-call") part.input = event.input;
        break;
      }
      case "tool-call-invalid":
        this.hasInvalidCall = true;
        break;
      case "media":
        this.#parts.push({ type: "media", mimeType: event.mimeType, data: event.data });
        break;
      case "opaque":
        this.#parts.push({ type: "opaque", family: event.family, data: event.data });
        break;
      case "usage":
        this.usage = event;
        break;
      case "stream-error":
        this.error = event.error;
        break;
      case "message-end":
        this.finish = event.finish;
        this.cut = event.cut;
        break;
      case "message-start":
      case "tool-call-delta":
      case "citation":
      case "malformed":
        break;
    }
  }

  /** Without calls that are not complete: such a call is never passed on. */
  get parts(): readonly AssistantPart[] {
    return this.#parts.flatMap((part): readonly AssistantPart[] => {
      if (part.type === "text" || part.type === "reasoning") return [{ type: part.type, text: part.text }];
      if (part.type !== "tool-call") return [part];
      const { input, ...call } = part;
      return input === undefined ? [] : [{ ...call, input }];
    });
  }

  #addText(type: "text" | "reasoning", block: number, text: string): void {
    // A citation or a signature may come between two deltas of a block.
    const known = this.#parts.findLast((part) => part.type === type && part.block === block);
    if (known?.type === type) known.text += text;
    else this.#parts.push({ type, block, text });
  }
}
