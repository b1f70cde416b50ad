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
      /** The model wrote the call as this text, and not in the service's form. Families do not send the text, but a call in their own form. */
      readonly written?: string;
    }
  /** A picture that the model made; `data` is base64. */
  | { readonly type: "media"; readonly mimeType: string; readonly data: string }
  | { readonly type: "opaque"; readonly family: Family; readonly data: unknown };

/**
 * The caller asks the service to cache the prompt up to the end of this message. Where no message has a mark, the family chooses the places
 * (`placesOfMarks`).
 */
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
        /** The images of the result, in addition to its text. */
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
  /**
   * Asks the service to keep the marked part of the prompt in its cache for an hour, where it offers that. The next request may come after the usual
   * five minutes.
   */
  readonly keepsLong?: true;
  /** Another model is asked if this one produces nothing. An overloaded gateway is therefore retried no longer than after other errors. */
  readonly hasFallback?: true;
  readonly options?: ModelOptions;
}

/**
 * Puts a text before the parts of a person's message. It is joined with a first part that is a text, because some gateways accept no list of parts.
 * An empty text adds nothing. Pure.
 */
export function startWithText(text: string, parts: readonly UserPart[]): readonly UserPart[] {
  if (text === "") return parts;
  const [first, ...others] = parts;
  if (first?.type !== "text") return [{ type: "text", text }, ...parts];
  return [{ type: "text", text: `${text}\n\n${first.text}` }, ...others];
}
