/** A request with its response. Reads bodies up to a limit, sends JSON, and has a signal that aborts when the client disconnects. */
import type { IncomingMessage, ServerResponse } from "node:http";
import * as z from "zod/mini";
import { en } from "zod/locales";
import { isLargerThan } from "../../base/jsonValue";
import { HttpError, invalidRequest } from "./httpError";
import type { RequestFaults } from "./requestFaults";

export interface RequestContext {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly url: URL;
  /** The name of the route, such as `POST /v1/tasks`. */
  readonly route: string;
  /** The values of `{…}` in the path. */
  readonly params: Readonly<Record<string, string>>;
  readonly requestId: string;
  /** The account whose key the request carries; the main account for a request by link. */
  readonly account: number;
  /** The faults that act on this request. */
  readonly faults: RequestFaults;
  /** Receives the body and the status for the client report. */
  readonly watch: ClientWatch;
  readonly bodyTurns: BodyTurns;
  /** Aborts when the client disconnects or the gateway closes. */
  readonly signal: AbortSignal;
}

/** Bytes. A larger body waits until no other large one is being read. */
const largeBody = 4_000_000;

/** The most levels of a body. Its readers recurse, so a deeper body would overflow the stack. */
const maxLevels = 200;

/** Reads the body. 413 over the limit, 415 for another content type, 400 for invalid JSON and for too many levels. */
export async function readJson(context: RequestContext, limit: number): Promise<unknown> {
  const { request } = context;
  const contentType = (request.headers["content-type"] ?? "").split(";", 1)[0]?.trim().toLowerCase();
  const bytes = await readBytes(context, limit);
  if (contentType !== "application/json") {
    throw new HttpError(415, "unsupported_media_type", "The body must be application/json.");
  }
  const body = parse(bytes);
  if (isLargerThan(body, { levels: maxLevels })) throw invalidRequest(`The body has more than ${maxLevels} levels.`);
  context.watch.onBody(body, bytes);
  const isStream = typeof body === "object" && body !== null && "stream" in body && body.stream === true;
  return isStream && context.faults.isStreamRefused() ? { ...body, stream: false } : body;
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw invalidRequest("The body is not valid JSON.");
  }
}

/** Reads the bytes. Past the limit the rest is read and dropped, because a client that is still sending would not read the response. */
async function readBytes({ request, bodyTurns }: RequestContext, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  let endTurn: (() => void) | undefined;
  try {
    for await (const chunk of request) {
      if (!Buffer.isBuffer(chunk)) continue;
      size += chunk.length;
      if (size > largeBody) endTurn ??= await bodyTurns.take();
      if (size <= limit) chunks.push(chunk);
      else if (size > limit * 4) break;
    }
  } finally {
    endTurn?.();
  }
  if (size > limit) throw new HttpError(413, "request_too_large", `The body is larger than ${limit} bytes.`);
  return Buffer.concat(chunks);
}

export function sendJson(
  { response }: Pick<RequestContext, "response">,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  const bytes = Buffer.from(JSON.stringify(body));
  response.writeHead(status, {
    "content-type": "application/json; charset=utf-8",
    "content-length": bytes.length,
    "cache-control": "no-store",
    ...headers,
  });
  response.end(bytes);
}

/** Destroys the socket, as a crash or a lost network would. */
export function cutConnection({ response }: RequestContext): void {
  response.socket?.destroy();
}

/** Lets large bodies be read one after the other, because a body of 100 MB takes several times its size while it is parsed. */
export class BodyTurns {
  #last: Promise<unknown> = Promise.resolve();

  /** Resolves when it is the caller's turn; the returned function ends the turn. */
  async take(): Promise<() => void> {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const before = this.#last;
    this.#last = promise;
    await before;
    return () => resolve(undefined);
  }
}

// The client report receives these facts of a request.

export interface WatchedRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly url: URL;
  readonly requestId: string;
  readonly route: string;
  readonly params: Readonly<Record<string, string>>;
  /** The account's key. */
  readonly key: string;
  /** Whether the request was refused because its key was replaced. Requests with a key that was never valid are not watched. */
  readonly refused: boolean;
}

/** The facts that handlers report of a request. */
export interface ClientWatch {
  onBody(body: unknown, bytes: Buffer): void;
  /** The status of the task that the response carries. */
  onStatusSent(status: unknown): void;
}

export const unwatched: ClientWatch = { onBody: () => undefined, onStatusSent: () => undefined };

/** Validates client input with a schema; an error becomes a 400 that names the field. */
// zod/mini has no messages without a locale.
z.config(en());

export function readWire<T>(schema: z.ZodMiniType<T>, value: unknown): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const field = issue?.path.join(".") ?? "";
  if (field === "") throw invalidRequest(`The body is not what it must be: ${issue?.message ?? "not valid"}.`);
  throw invalidRequest(`${field}: ${issue?.message ?? "not valid"}.`, field);
}

/** Removes fields that are null, which count as missing. */
export function withoutNulls(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== null));
}
