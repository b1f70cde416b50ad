/** The messages of VS Code's language model interface as plain data. `mountModels.ts` converts them. */
import type { ToolDeclaration } from "../../domain/chat/message";

export interface TextPart {
  readonly type: "text";
  readonly text: string;
}

/** Bytes of a MIME type: pictures, JSON, and data that only its sender reads. */
export interface DataPart {
  readonly type: "data";
  readonly mimeType: string;
  readonly data: Uint8Array;
}

export interface CallPart {
  readonly type: "tool-call";
  /** Unique in a conversation. */
  readonly id: string;
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

export interface ResultPart {
  readonly type: "tool-result";
  /** The id of the call. */
  readonly id: string;
  readonly content: readonly (TextPart | DataPart)[];
  readonly isError: boolean;
}

export type ProvidedPart = TextPart | DataPart | CallPart | ResultPart;

export interface ProvidedMessage {
  readonly role: "system" | "user" | "assistant";
  readonly parts: readonly ProvidedPart[];
}

/** A request of a caller in VS Code to a model. */
export interface ProvidedRequest {
  readonly model: string;
  readonly messages: readonly ProvidedMessage[];
  readonly tools: readonly ToolDeclaration[];
  /** Whether the model has to call one of the tools. */
  readonly mustCallTool: boolean;
  /** The options of the caller, which may have any shape. */
  readonly options: unknown;
}

/** A piece of the answer. `thinking` is shown by newer versions of VS Code only. */
export type ReportedPart = TextPart | DataPart | CallPart | { readonly type: "thinking"; readonly text: string };

/** MIME types of parts that VS Code's own chat keeps of an answer. It sends the first one back with the answer. */
export const markerType = "stateful_marker";

export const usageType = "usage";

/** The MIME type by which VS Code's own chat marks how far a prompt is to be kept in the service's cache. */
export const cacheMarkType = "cache_control";

const decoder = new TextDecoder();

export function isImage({ mimeType }: DataPart): boolean {
  return mimeType.startsWith("image/");
}

/** The text of data that is text; `undefined` for other data. */
export function textOfData({ mimeType, data }: DataPart): string | undefined {
  return /^text\/|[/+]json\b/.test(mimeType) ? decoder.decode(data) : undefined;
}
