/** The parts of a generate-content answer, each a whole increment except arguments that are streamed. */
import type { Answer } from "../shared/answer";
import { asArray, asRecord, asText, type JsonRecord } from "../../http/jsonValue";
import type { CallList, OpenCall } from "../shared/callList";
import { type ArgumentPieces, createArgumentPieces } from "../shared/partialArguments";

/**
 * The `data` of this family's opaque parts. A signature belongs to the part before it: to the last `length` characters
 * of the text or thinking there (0: an empty part of its own), or to the call of that name. A `part` goes back as it is,
 * a picture in the place of the one that was shown; and the token of an answer that was only paused with the request that asks for the rest.
 */
export type GenerateContentOpaque =
  | { readonly of: "text" | "thought"; readonly length: number; readonly thoughtSignature: string }
  | { readonly of: "call"; readonly call: string; readonly thoughtSignature: string }
  | { readonly continuationToken: string }
  | { readonly part: JsonRecord };

/** What may stand beside the content of a part. */
const plain = new Set(["text", "thought", "thoughtSignature"]);

export interface PartReader {
  /** Gives the text in it, if it is no more than text or thinking that goes on. */
  push(part: JsonRecord): string | undefined;
  /** Another part that differs in its text only from the one before it. */
  goOn(text: string): void;
  /** Of an answer that is not at its end. */
  token(continuationToken: string): void;
  /** Whether a call's arguments were still being streamed. */
  end(): boolean;
}

interface StreamedCall {
  readonly call: OpenCall;
  readonly id: string | undefined;
  readonly pieces: ArgumentPieces;
}

export function createPartReader(answer: Answer, calls: CallList): PartReader {
  let isThought = false;
  let streamed: StreamedCall | undefined;

  /** A signature has the number of the part that it signs. */
  const toOpaque = (data: GenerateContentOpaque, block = answer.newBlock()): void =>
    answer.emit({ type: "opaque", block, family: "generate-content", data });

  const sendText = (text: string): void => {
    if (isThought) answer.reasoning(text);
    else answer.text(text);
  };

  const readText = (part: JsonRecord, text: string): string | undefined => {
    isThought = part["thought"] === true;
    sendText(text);
    const thoughtSignature = asText(part["thoughtSignature"]);
    if (thoughtSignature === undefined) return text;
    toOpaque({ of: isThought ? "thought" : "text", length: text.length, thoughtSignature }, answer.lastBlock);
    // What follows is not signed by it.
    answer.endBlock();
    return undefined;
  };

  const readCall = (part: JsonRecord, called: JsonRecord): void => {
    const name = asText(called["name"]);
    const id = asText(called["id"]);
    // Translators say name and id again with each piece; with a name alone another call begins.
    const open = name === undefined || (id !== undefined && id === streamed?.id) ? streamed : undefined;
    if (open === undefined) closeStreamed();
    const call = open?.call ?? (name === undefined ? undefined : calls.open({ name, wireId: id }));
    if (call === undefined) {
      if (Object.keys(called).length > 0) answer.malformed("A tool call has no name.", JSON.stringify(called));
      return;
    }
    const thoughtSignature = asText(part["thoughtSignature"]);
    if (thoughtSignature !== undefined) toOpaque({ of: "call", call: call.call, thoughtSignature }, call.block);
    const args = called["args"];
    if (called["willContinue"] === true || called["partialArgs"] !== undefined) {
      streamed ??= { call, id, pieces: createArgumentPieces() };
    } else if (streamed === undefined) {
      call.append(typeof args === "string" ? args : JSON.stringify(args ?? {}));
      return;
    }
    streamed.pieces.push(asArray(called["partialArgs"]));
    streamed.pieces.add(asRecord(args) ?? {});
    if (called["willContinue"] !== true) closeStreamed();
  };

  const closeStreamed = (): void => {
    if (streamed === undefined) return;
    const { call, pieces } = streamed;
    streamed = undefined;
    call.append(pieces.text());
  };

  const readMedia = (part: JsonRecord, media: JsonRecord): boolean => {
    const mimeType = asText(media["mimeType"]) ?? asText(media["mime_type"]);
    const data = asText(media["data"]);
    // What it drew while it thought is not the answer.
    if (mimeType === undefined || data === undefined || part["thought"] === true) return false;
    answer.emit({ type: "media", block: answer.newBlock(), mimeType, data });
    return true;
  };

  return {
    push(part) {
      const { text } = part;
      // Relays write an empty text beside what the part really holds.
      if (typeof text === "string" && text !== "") return readText(part, text);
      const called = asRecord(part["functionCall"]) ?? asRecord(part["function_call"]);
      if (called !== undefined) {
        readCall(part, called);
        return undefined;
      }
      const media = asRecord(part["inlineData"]) ?? asRecord(part["inline_data"]);
      const thoughtSignature = asText(part["thoughtSignature"]);
      // A signed picture is shown, and goes back with its signature on it.
      const isShown = media !== undefined && readMedia(part, media);
      if (isShown && thoughtSignature === undefined) return undefined;
      if (Object.keys(part).some((name) => !plain.has(name) && part[name] !== null))
        toOpaque({ part }, isShown ? answer.lastBlock : undefined);
      else if (thoughtSignature !== undefined) {
        toOpaque({ of: part["thought"] === true ? "thought" : "text", length: 0, thoughtSignature });
      }
      return undefined;
    },
    goOn: sendText,
    token: (continuationToken) => toOpaque({ continuationToken }),
    end() {
      const wasOpen = streamed !== undefined;
      closeStreamed();
      return wasOpen;
    },
  };
}
