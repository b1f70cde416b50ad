/** One client and its servers for a test file: closed after each test, and the log searched for what must not be in it. */
import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import type { ChatEvent } from "../../../src/domain/chat/chatEvent";
import { type AppError, AppFailure } from "../../../src/domain/errors/appError";
import type { ChatRequest } from "../../../src/domain/chat/message";
import type { Facts, Gateway, Log } from "../../../src/domain/ports";
import { createHttpGateway, type GatewayEndpoint } from "../../../src/gateway/httpGateway";
import type { Limits } from "../../../src/gateway/http/network/wire";
import { serve, serveSockets, type TestServer } from "./rawServer";
import { plainEndpoint } from "../../support/plainOptions";

export const key = "sk-canary-0123456789";
export const secretPrompt = "secret prompt";
/** A request of no consequence. */
export const chat: ChatRequest = {
  family: "chat-completions",
  model: "m",
  messages: [{ role: "user", parts: [{ type: "text", text: "Hi" }] }],
  tools: [],
};

/** Limits may be changed afterwards. */
export type EndpointOptions = Omit<Partial<GatewayEndpoint>, "limits"> & { readonly limits?: Partial<Limits> };

export interface Harness {
  readonly lines: { message: string; facts: Facts | undefined }[];
  readonly connect: (baseUrl: string, more?: EndpointOptions) => Gateway;
  readonly start: (...args: Parameters<typeof serve>) => Promise<TestServer>;
  readonly startSockets: (...args: Parameters<typeof serveSockets>) => Promise<{ url: string }>;
}

/** To be called inside `describe`. */
export function createHarness(): Harness {
  const closing: { close(): Promise<void> }[] = [];
  const lines: Harness["lines"] = [];
  const note = (message: string, facts?: Facts): void => void lines.push({ message, facts });
  const log: Log = { debug: note, info: note, warn: note, error: note };

  afterEach(async () => {
    for (const one of closing.splice(0)) await one.close();
    // R5: whatever a test did, the key is in no line of the log, and neither is what was said.
    assert.doesNotMatch(JSON.stringify(lines.splice(0)), /canary|secret prompt/);
  });

  return {
    lines,
    connect(baseUrl, { limits = {}, ...more } = {}) {
      const gateway = createHttpGateway({
        ...plainEndpoint,
        baseUrl,
        key,
        log,
        random: () => 1,
        limits: () => limits,
        ...more,
      });
      closing.push(gateway);
      return gateway;
    },
    async start(...args) {
      const server = await serve(...args);
      closing.push(server);
      return server;
    },
    async startSockets(...args) {
      const server = await serveSockets(...args);
      closing.push(server);
      return server;
    },
  };
}

export function json(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
}

export async function collect(events: AsyncIterable<ChatEvent>): Promise<ChatEvent[]> {
  const all: ChatEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

export async function failure(promise: Promise<unknown>): Promise<AppError> {
  const error: unknown = await promise.then(
    () => assert.fail("it did not fail"),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof AppFailure, String(error));
  return error.error;
}
