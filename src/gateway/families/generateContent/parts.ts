/** Reads the parts of a generate-content answer. Each is complete, except calls whose arguments are streamed. */
import { definedFields } from "../../../base/definedFields";
import { asArray, asRecord, asText, type JsonRecord } from "../../../base/jsonValue";
import type { Answer } from "../shared/answer";
import { addMedia, findMedia } from "../shared/answerMedia";
import type { CallList, ListedCall } from "../shared/callList";
import { PartialArguments } from "./partialArguments";

/**
 * The `data` of this family's opaque parts. A signature belongs to the part before it: to the last `length` characters
 * of the text or thinking there (0: an empty part of its own), or to the call of that name. A `part` is sent back
 * unchanged, a picture in the place of the one that was shown. A token is sent with the request that continues a paused answer.
 */
export type GenerateContentOpaque =
  | { readonly of: "text" | "thought"; readonly length: number; readonly thoughtSignature: string }
  | { readonly of: "call"; readonly call: string; readonly thoughtSignature: string }
  | { readonly continuationToken: string }
  | { readonly part: JsonRecord };

/** Fields of a part without content of its own. */
const plainFields = new Set(["text", "thought", "thoughtSignature"]);

interface StreamedCall {
  readonly call: ListedCall;
  readonly id: string | undefined;
  readonly args: PartialArguments;
}

export class PartReader {
  readonly #answer: Answer;
  readonly #calls: CallList;
  #streamed: StreamedCall | undefined;

  constructor(answer: Answer, calls: CallList) {
    this.#answer = answer;
    this.#calls = calls;
  }

  push(part: JsonRecord): void {
    const { text } = part;
    // Relays write an empty text beside the real content of a part.
    if (typeof text === "string" && text !== "") {
      this.#readText(part, text);
      return;
    }
    const called = asRecord(part["functionCall"]) ?? asRecord(part["function_call"]);
    if (called === undefined) this.#readOther(part);
    else this.#readCall(part, called);
  }

  /** The token that continues a paused answer. */
  emitToken(continuationToken: string): void {
    this.#emitOpaque({ continuationToken });
  }

  /** Returns whether the arguments of a call were still being streamed. */
  end(): boolean {
    const wasOpen = this.#streamed !== undefined;
    this.#closeStreamed();
    return wasOpen;
  }

  #readText(part: JsonRecord, text: string): void {
    const isThought = part["thought"] === true;
    if (isThought) this.#answer.reasoning(text);
    else this.#answer.text(text);
    const thoughtSignature = asText(part["thoughtSignature"]);
    if (thoughtSignature === undefined) return;
    const of = isThought ? "thought" : "text";
    this.#emitOpaque({ of, length: text.length, thoughtSignature }, this.#answer.lastBlock);
    // The signature does not cover text that follows.
    this.#answer.endBlock();
  }

  #readCall(part: JsonRecord, called: JsonRecord): void {
    const name = asText(called["name"]);
    const id = asText(called["id"]);
    // Translators repeat name and id with each piece of the arguments; a name alone begins another call.
    const open = name === undefined || (id !== undefined && id === this.#streamed?.id) ? this.#streamed : undefined;
    if (open === undefined) this.#closeStreamed();
    const call = open?.call ?? (name === undefined ? undefined : this.#calls.open({ name, wireId: id }));
    if (call === undefined) {
      if (Object.keys(called).length > 0) this.#answer.malformed("A tool call has no name.", JSON.stringify(called));
      return;
    }
    const thoughtSignature = asText(part["thoughtSignature"]);
    if (thoughtSignature !== undefined) {
      this.#emitOpaque({ of: "call", call: call.call, thoughtSignature }, call.block);
    }
    this.#readArguments(call, id, called);
  }

  #readArguments(call: ListedCall, id: string | undefined, called: JsonRecord): void {
    const args = called["args"];
    if (called["willContinue"] === true || called["partialArgs"] !== undefined) {
      this.#streamed ??= { call, id, args: new PartialArguments() };
    } else if (this.#streamed === undefined) {
      call.append(typeof args === "string" ? args : JSON.stringify(args ?? {}));
      return;
    }
    this.#streamed.args.push(asArray(called["partialArgs"]));
    this.#streamed.args.add(asRecord(args) ?? {});
    if (called["willContinue"] !== true) this.#closeStreamed();
  }

  #closeStreamed(): void {
    if (this.#streamed === undefined) return;
    const { call, args } = this.#streamed;
    this.#streamed = undefined;
    call.append(args.text());
  }

  #readOther(part: JsonRecord): void {
    const media = asRecord(part["inlineData"]) ?? asRecord(part["inline_data"]);
    const thoughtSignature = asText(part["thoughtSignature"]);
    // A signed picture is shown, and also sent back with its signature.
    const isShown = media === undefined ? this.#readFile(part) : this.#readMedia(part, media);
    if (isShown && thoughtSignature === undefined) return;
    if (Object.keys(part).some((name) => !plainFields.has(name) && part[name] !== null)) {
      const read = Object.keys(part).find((name) => /(?:Result|Response|_result|_response)$/.test(name));
      this.#emitOpaque({ part }, isShown && media !== undefined ? this.#answer.lastBlock : undefined, read);
    } else if (thoughtSignature !== undefined) {
      this.#emitOpaque({ of: part["thought"] === true ? "thought" : "text", length: 0, thoughtSignature });
    }
  }

  /** Returns whether the picture is part of the answer. */
  #readMedia(part: JsonRecord, media: JsonRecord): boolean {
    const mimeType = asText(media["mimeType"]) ?? asText(media["mime_type"]);
    const data = asText(media["data"]);
    // Pictures of the thinking are not shown.
    if (mimeType === undefined || data === undefined || part["thought"] === true) return false;
    this.#answer.emit({ type: "media", block: this.#answer.newBlock(), mimeType, data });
    return true;
  }

  /** A file by its address. Returns whether there is one. */
  #readFile(part: JsonRecord): boolean {
    const found = part["thought"] === true ? undefined : findMedia(part["fileData"] ?? part["file_data"]);
    if (found !== undefined) addMedia(this.#answer, found);
    return found !== undefined;
  }

  /** A signature has the block number of the part that it signs. */
  #emitOpaque(data: GenerateContentOpaque, block = this.#answer.newBlock(), read?: string): void {
    this.#answer.emit({ type: "opaque", block, family: "generate-content", data, ...definedFields({ read }) });
  }
}
