/** One HTTP request: its headers, its answer or its error, and what is known of whether it was sent. The key goes to the gateway's origin only. */
import { abortReason } from "../../base/abort";
import { definedFields } from "../../base/definedFields";
import { type GatewayError, GatewayFailure } from "../../domain/errors";
import type { Log } from "../../domain/ports";
import { readErrorBody, readRequestId } from "./errorBody";
import type { Limits } from "./limits";
import type { WireAnswer } from "./network/exchange";
import { createTransport, type Network } from "./network/transport";
import { readTransportError } from "./network/transportError";
import type { AnswerHeaders } from "./retryAfter";
import type { Scrub } from "../key/scrub";

/** Where the key stands in a request. */
export type KeyPlace = "bearer" | "x-api-key" | "x-goog-api-key" | "query";

export interface HttpRequest {
  readonly method: "GET" | "POST";
  readonly url: URL;
  readonly body?: string;
  readonly accept?: string;
  /** Milliseconds to the answer's first byte; `Limits.firstByte` when left out. */
  readonly firstByte?: number;
  /** On a connection of its own: one that was kept open may be dead, and the request lost with it. */
  readonly alone?: boolean;
  /** Left out for another origin than the gateway's. */
  readonly withKey: boolean;
  /** `bearer` when left out. */
  readonly keyPlace?: KeyPlace;
  readonly headers?: Readonly<Record<string, string>>;
  /** An error status whose answer is wanted as it is. */
  readonly tolerates?: number;
  readonly signal?: AbortSignal | undefined;
}

/** An error answer, with what the service said about trying again. */
export class AnswerFailure extends GatewayFailure {
  readonly shouldRetry: boolean | undefined;

  constructor(error: GatewayError, shouldRetry: boolean | undefined) {
    super(error);
    this.shouldRetry = shouldRetry;
  }
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: AnswerHeaders;
  readonly requestId?: string;
  readonly contentType?: string;
  /** Ends the connection when it is left before its end. */
  readonly body: AsyncIterable<Uint8Array>;
  /** The whole body; rejects with a `GatewayFailure` beyond 16 MiB. */
  text(): Promise<string>;
  /** What this answer means as an error; `text` is its body. */
  toFailure(text: string): GatewayFailure;
  /** The answer can't be used, because of what `message` says. */
  toMalformed(message: string, text?: string): GatewayFailure;
}

export interface Http {
  /** Resolves for a 2xx, a 3xx (redirects are never followed here) and what `tolerates` names. */
  send(request: HttpRequest): Promise<HttpAnswer>;
  close(): Promise<void>;
}

const longestJson = 16 * 1024 * 1024;
const longestError = 64 * 1024;

export function createHttp(options: {
  key: string;
  scrub: Scrub;
  limits: () => Limits;
  network: Network;
  log?: Log | undefined;
  now: () => number;
}): Http {
  const { key, scrub, limits, log, now } = options;
  const transport = createTransport(options);

  const exchange = async (request: HttpRequest): Promise<WireAnswer & { started: number }> => {
    const started = now();
    const { method, body, signal } = request;
    try {
      const answer = await transport.send({
        method,
        url: withKeyInQuery(request, key),
        headers: {
          accept: request.accept ?? "application/json",
          // A compressed stream is held back by whoever compresses it.
          "accept-encoding": "identity",
          // Some gateways stand behind a proxy that turns away who does not say a name.
          "user-agent": "Sluice",
          ...request.headers,
          ...keyHeader(request, key),
          ...definedFields({ "content-type": body === undefined ? undefined : "application/json" }),
        },
        ...definedFields({ body }),
        firstByte: request.firstByte ?? limits().firstByte,
        alone: request.alone === true,
        signal,
      });
      return { ...answer, started };
    } catch (error) {
      if (signal?.aborted) throw abortReason(signal);
      const failure = fail(error, {});
      const { kind, code, notSent } = failure.error;
      log?.warn("request failed", { ...describe(request), ms: now() - started, kind, code, sent: notSent !== true });
      throw failure;
    }
  };

  const fail = (cause: unknown, more: Partial<GatewayError>): GatewayFailure =>
    new GatewayFailure(scrub.error({ ...readTransportError(cause), ...more }));

  return {
    async send(request) {
      const { status, headers, body, started } = await exchange(request);
      const [requestId, contentType] = [readRequestId(headers), headers.get("content-type")].map((value) =>
        value === undefined ? undefined : scrub.text(value),
      );
      log?.debug("request", { ...describe(request), status, ms: now() - started, requestId });
      const facts = {
        ...definedFields({ requestId, contentType }),
      };
      const guarded = guardBody(body, request.signal, (error) => fail(error, { status, ...facts }));
      const toFailure = (text: string): GatewayFailure =>
        new AnswerFailure(scrub.error(readErrorBody({ status, headers, text, now: now() })), readShouldRetry(headers));
      const toMalformed = (message: string, text = ""): GatewayFailure => {
        const error: GatewayError = { kind: "malformed", message, status, ...facts };
        return new GatewayFailure(scrub.error(text === "" ? error : { ...error, firstBytes: text }));
      };
      const begun = now();
      /** At each piece: a body without pieces meets the limit of silence. */
      const checkTime = (): void => {
        if (now() - begun <= limits().whole) return;
        const message = "The answer had not ended in time.";
        throw new GatewayFailure(scrub.error({ kind: "timed-out", message, status, ...facts }));
      };
      if (status >= 400 && status !== request.tolerates) {
        throw toFailure(await readText(guarded, longestError, () => undefined, checkTime));
      }
      return {
        status,
        headers,
        ...facts,
        body: guarded,
        text: () =>
          readText(
            guarded,
            longestJson,
            () => {
              throw toMalformed(`The answer is longer than ${longestJson} bytes.`);
            },
            checkTime,
          ),
        toFailure,
        toMalformed,
      };
    },
    async close() {
      transport.close();
      await Promise.resolve();
    },
  };
}

/** The body with its errors in our words; an abort stays an abort. */
async function* guardBody(
  body: AsyncIterable<Uint8Array>,
  signal: AbortSignal | undefined,
  fail: (error: unknown) => GatewayFailure,
): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (error) {
    if (signal?.aborted) throw abortReason(signal);
    throw fail(error);
  }
}

async function readText(
  body: AsyncIterable<Uint8Array>,
  longest: number,
  onTooLong: () => void,
  checkTime: () => void,
): Promise<string> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of body) {
    checkTime();
    pieces.push(piece);
    length += piece.byteLength;
    if (length <= longest) continue;
    onTooLong();
    break;
  }
  return new TextDecoder().decode(Buffer.concat(pieces, Math.min(length, longest)));
}

function keyHeader({ withKey, keyPlace = "bearer" }: HttpRequest, key: string): Readonly<Record<string, string>> {
  if (!withKey || keyPlace === "query") return {};
  return keyPlace === "bearer" ? { authorization: `Bearer ${key}` } : { [keyPlace]: key };
}

function withKeyInQuery({ url, withKey, keyPlace }: HttpRequest, key: string): URL {
  if (!withKey || keyPlace !== "query") return url;
  const keyed = new URL(url);
  keyed.searchParams.set("key", key);
  return keyed;
}

/** `x-should-retry` is obeyed: the service knows best. */
function readShouldRetry(headers: AnswerHeaders): boolean | undefined {
  const said = headers.get("x-should-retry")?.trim().toLowerCase();
  return said === "true" ? true : said === "false" ? false : undefined;
}

/** For the log: never the query, the key or the body. */
function describe({ method, url }: HttpRequest): { method: string; path: string } {
  return { method, path: url.pathname };
}
