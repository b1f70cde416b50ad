/** Determines the family of a request: by its path, for shared paths by the headers of its clients. */
import type { IncomingMessage } from "node:http";
import type { Family } from "../../domain/chat/chatEvent";

export interface RequestHead {
  readonly request: IncomingMessage;
  readonly url: URL;
}

export function familyOf({ request: { headers }, url: { pathname, searchParams } }: RequestHead): Family {
  if (pathname === "/v1/messages" || pathname.startsWith("/v1/messages/")) return "messages";
  if (pathname.startsWith("/v1beta/")) return "generate-content";
  if (pathname !== "/v1/models" && !pathname.startsWith("/v1/models/")) return "chat-completions";
  if (/:(?:stream)?[Gg]enerate[A-Za-z]*$|:countTokens$/.test(pathname)) return "generate-content";
  if (headers["anthropic-version"] !== undefined) return "messages";
  const isGoogle = headers["x-goog-api-key"] !== undefined || searchParams.has("key");
  return isGoogle ? "generate-content" : "chat-completions";
}
