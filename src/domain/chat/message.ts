/** The messages of a request: one neutral form that each family converts to its own. */
import type { Family } from "./chatEvent";
import type { ModelOptions } from "./modelOptions";

/** `data` is base64. */
export interface ImagePart {
  readonly type: "image";
  readonly mimeType: string;
  readonly data: string;
}

export type UserPart = { readonly type: "text"; readonly text: string } | ImagePart;

export type AssistantPart =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "reasoning"; readonly text: string }
  | {
      readonly type: "tool-call";
      readonly call: string;
      readonly wireId?: string;
      readonly name: string;
      readonly input: Readonly<Record<string, unknown>>;
      /** The text that the model wrote the call as. Families write a call of their own form all the same. */
      readonly written?: string;
    }
  /** A picture that the model made; `data` is base64. */
  | { readonly type: "media"; readonly mimeType: string; readonly data: string }
  | { readonly type: "opaque"; readonly family: Family; readonly data: unknown };

/** The caller wants the prompt up to the end of this message in the service's cache; without any, the requests choose the places. */
interface CacheMark {
  readonly cacheMark?: true;
}

export type Message = CacheMark &
  (
    | { readonly role: "system"; readonly text: string }
    | { readonly role: "user"; readonly parts: readonly UserPart[] }
    /** Opaque parts may be sent back to the same `family` and `model` only. */
    | {
        readonly role: "assistant";
        readonly family: Family;
        readonly model: string;
        readonly parts: readonly AssistantPart[];
        /** The service paused its answer and continues when the message is sent back unchanged. */
        readonly paused?: true;
      }
    /** The result of one call of the assistant message before it. */
    | {
        readonly role: "tool";
        readonly call: string;
        readonly wireId?: string;
        readonly name: string;
        readonly text: string;
        /** What the call shows beside the text. */
        readonly images?: readonly ImagePart[];
        readonly isError: boolean;
      }
  );

/** A tool as it is declared to the model. `parameters` is a JSON Schema whose root is an object. */
export interface ToolDeclaration {
  readonly name: string;
  readonly description: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

export interface ChatRequest {
  readonly family: Family;
  readonly model: string;
  readonly messages: readonly Message[];
  /** Omitted from the request when empty. */
  readonly tools: readonly ToolDeclaration[];
  /** The model has to call one of `tools`, which are not empty. */
  readonly mustCallTool?: true;
  /** What is marked for the service's cache is to be kept for an hour, where it offers that: the next request may come after more than five minutes. */
  readonly keepsLong?: true;
  /** Another model is asked where this one produces nothing: an overloaded gateway is not waited for longer than after any other error. */
  readonly hasFallback?: true;
  readonly options?: ModelOptions;
}

/**
 * Puts a text before the parts of a person's message. Pure. In one text with the first part where that is a text: some gateways accept
 * no list of parts. An empty text adds nothing.
 */
export function startWithText(text: string, parts: readonly UserPart[]): readonly UserPart[] {
  if (text === "") return parts;
  const [first, ...others] = parts;
  if (first?.type !== "text") return [{ type: "text", text }, ...parts];
  return [{ type: "text", text: `${text}\n\n${first.text}` }, ...others];
}
