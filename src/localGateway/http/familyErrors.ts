/** Sends an error in the shape of the request's family, which the path or the headers of the client determine. */
import type { IncomingMessage } from "node:http";
import type { Family } from "../../domain/chat/chatEvent";
import { definedFields } from "../../base/definedFields";
import { errorBody, type HttpError } from "./httpError";
import { type RequestContext, sendJson } from "./requestContext";

/** `more`: headers in addition to those of the error. */
export function sendFailure(
  context: Pick<RequestContext, "request" | "response" | "url" | "requestId">,
  error: HttpError,
  more: Readonly<Record<string, string>> = {},
): void {
  const family = familyOf(context);
  const headers = { ...(family === "messages" ? messagesHeaders(error) : {}), ...error.headers, ...more };
  sendJson(context, error.status, failureBody(family, error, context.requestId), headers);
}

function failureBody(family: Family, error: HttpError, requestId: string): unknown {
  if (family === "chat-completions") return errorBody(error);
  if (family === "generate-content") return googleBody(error);
  return {
    type: "error",
    error: { type: messagesType(error.status), message: error.message },
    request_id: requestId,
  };
}

/** Anthropic clients retry unless this header forbids it. */
function messagesHeaders({ status }: HttpError): Readonly<Record<string, string>> {
  const isFinal = status >= 400 && status < 500 && ![408, 409, 429].includes(status);
  return isFinal ? { "x-should-retry": "false" } : {};
}

function messagesType(status: number): string {
  const types: Readonly<Record<number, string>> = {
    401: "authentication_error",
    402: "billing_error",
    403: "permission_error",
    404: "not_found_error",
    409: "conflict_error",
    413: "request_too_large",
    429: "rate_limit_error",
    504: "timeout_error",
    529: "overloaded_error",
  };
  return types[status] ?? (status >= 500 ? "api_error" : "invalid_request_error");
}

function googleBody({ status, code, message, headers }: HttpError): unknown {
  const retryAfter = Object.entries(headers).find(([name]) => name.toLowerCase() === "retry-after")?.[1];
  const details = [
    ...(code === "API_KEY_INVALID" ? [{ "@type": `${rpc}.ErrorInfo`, reason: code, domain: "googleapis.com" }] : []),
    ...(retryAfter !== undefined && /^\d+$/.test(retryAfter)
      ? [{ "@type": `${rpc}.RetryInfo`, retryDelay: `${retryAfter}s` }]
      : []),
  ];
  return {
    error: {
      code: status,
      message,
      status: googleStatus(status),
      ...definedFields({ details: details.length === 0 ? undefined : details }),
    },
  };
}

const rpc = "type.googleapis.com/google.rpc";

function googleStatus(status: number): string {
  const names: Readonly<Record<number, string>> = {
    401: "UNAUTHENTICATED",
    402: "FAILED_PRECONDITION",
    403: "PERMISSION_DENIED",
    404: "NOT_FOUND",
    405: "UNIMPLEMENTED",
    409: "ABORTED",
    429: "RESOURCE_EXHAUSTED",
    499: "CANCELLED",
    501: "UNIMPLEMENTED",
    503: "UNAVAILABLE",
    504: "DEADLINE_EXCEEDED",
  };
  return names[status] ?? (status >= 500 ? "INTERNAL" : "INVALID_ARGUMENT");
}

// Determines the family of a request by its path, and for shared paths by the headers of its client.

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
