/** Where each family's chat requests go, with which headers and which body. */
import type { Family } from "../domain/chat";
import { GatewayFailure } from "../domain/errors";
import type { ChatRequest } from "../domain/message";
import type { ApiVersion } from "./http/addresses";
import type { ChatForm } from "./chatForms";
import { buildChatCompletionsRequest } from "./families/chatCompletions/request";
import { buildGenerateContentRequest } from "./families/generateContent/request";
import { buildMessagesRequest } from "./families/messages/request";
import type { KeyPlace } from "./http/gatewayHttp";
import { isRecord, type JsonRecord } from "./http/jsonValue";

/** How the families that know other ways are spoken to. */
export interface ChatSettings {
  readonly messages?: {
    /** One place only: relays let a second one win. `bearer` when left out. */
    readonly authentication?: "bearer" | "x-api-key";
    /** The header `anthropic-version`. */
    readonly version?: string;
  };
  readonly "generate-content"?: {
    readonly authentication?: "bearer" | "x-goog-api-key" | "query";
    /** The only prefix of the path; when left out, the other one is tried where the first is not known. */
    readonly version?: ApiVersion;
  };
}

export interface ChatRoute {
  /** Behind the version's prefix. */
  readonly path: string;
  readonly version?: ApiVersion | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly keyPlace: KeyPlace;
  readonly body: string;
}

/** The newer one takes away what older models need. */
const messagesVersion = "2023-06-01";

export function writeRoute(request: ChatRequest, form: ChatForm, settings: ChatSettings): ChatRoute {
  const { body, ...route } = writers[request.family](request, form, settings);
  return { ...route, body: JSON.stringify(mergeBody(body, request.options?.extraBody ?? {})) };
}

type Written = Omit<ChatRoute, "body"> & { readonly body: JsonRecord };

const writers: Readonly<Record<Family, (request: ChatRequest, form: ChatForm, settings: ChatSettings) => Written>> = {
  "chat-completions": (request, form) => ({
    path: "/chat/completions",
    headers: {},
    keyPlace: "bearer",
    body: buildChatCompletionsRequest(request, form),
  }),
  messages: (request, form, { messages }) => ({
    path: "/messages",
    headers: { "anthropic-version": messages?.version ?? messagesVersion },
    keyPlace: messages?.authentication ?? "bearer",
    body: buildMessagesRequest(request, form),
  }),
  "generate-content": (request, form, settings) => ({
    path: `/models/${modelPath(request.model)}:streamGenerateContent?alt=sse`,
    version: form.version,
    headers: {},
    keyPlace: settings["generate-content"]?.authentication ?? "bearer",
    body: buildGenerateContentRequest(request, form),
  }),
};

/** What a person set counts over what stands there, field by field; a list takes the place of a list. */
function mergeBody(body: JsonRecord, extra: JsonRecord): JsonRecord {
  const merged = Object.entries(extra).map(([name, value]): [string, unknown] => {
    const before = Object.hasOwn(body, name) ? body[name] : undefined;
    return [name, isRecord(before) && isRecord(value) ? mergeBody(before, value) : value];
  });
  return { ...body, ...Object.fromEntries(merged) };
}

/** An id may hold slashes, and some write it with the `models/` that belongs to the path. */
function modelPath(model: string): string {
  const segments = model.replace(/^models\//, "").split("/");
  if (segments.some((segment) => segment === "" || segment === "." || segment === "..")) {
    throw new GatewayFailure({ kind: "not-found", message: `This is no id of a model: ${model}`, notSent: true });
  }
  return segments.map(encodeURIComponent).join("/");
}
