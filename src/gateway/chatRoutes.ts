/** Where each family's chat requests go, with which headers and which body. */
import type { Family } from "../domain/chat";
import { GatewayFailure } from "../domain/errors";
import type { ChatRequest } from "../domain/message";
import type { ApiVersion } from "./addresses";
import { buildChatCompletionsRequest } from "./families/chatCompletionsRequest";
import { buildGenerateContentRequest } from "./families/generateContentRequest";
import { buildMessagesRequest } from "./families/messagesRequest";
import type { KeyPlace } from "./http";

/** How a family's key is sent where `Authorization: Bearer` is not taken. One place only: relays let a second one win. */
export interface ChatAuthentication {
  readonly messages?: "bearer" | "x-api-key";
  readonly "generate-content"?: "bearer" | "x-goog-api-key" | "query";
}

/** What was learnt of a gateway: it may take a request in one form only. */
export interface ChatForm {
  readonly streamOptions: boolean;
  readonly version?: ApiVersion | undefined;
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

export function writeRoute(request: ChatRequest, form: ChatForm, authentication: ChatAuthentication): ChatRoute {
  const write = writers[request.family];
  return write(request, form, authentication);
}

const writers: Readonly<
  Record<Family, (request: ChatRequest, form: ChatForm, authentication: ChatAuthentication) => ChatRoute>
> = {
  "chat-completions": (request, form) => ({
    path: "/chat/completions",
    headers: {},
    keyPlace: "bearer",
    body: JSON.stringify(buildChatCompletionsRequest(request, form)),
  }),
  messages: (request, _form, authentication) => ({
    path: "/messages",
    headers: { "anthropic-version": messagesVersion },
    keyPlace: authentication.messages ?? "bearer",
    body: JSON.stringify(buildMessagesRequest(request)),
  }),
  "generate-content": (request, form, authentication) => ({
    path: `/models/${modelPath(request.model)}:streamGenerateContent?alt=sse`,
    version: form.version,
    headers: {},
    keyPlace: authentication["generate-content"] ?? "bearer",
    body: JSON.stringify(buildGenerateContentRequest(request)),
  }),
};

/** An id may hold slashes, and some write it with the `models/` that belongs to the path. */
function modelPath(model: string): string {
  const segments = model.replace(/^models\//, "").split("/");
  if (segments.some((segment) => segment === "" || segment === "." || segment === "..")) {
    throw new GatewayFailure({ kind: "not-found", message: `This is no id of a model: ${model}`, notSent: true });
  }
  return segments.map(encodeURIComponent).join("/");
}
