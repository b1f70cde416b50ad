/** What the loopback tests of the local gateway share: a gateway in a temporary folder and requests to it. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openWithoutSync } from "../../support/openWithoutSync";
import { definedFields } from "../../../src/base/definedFields";
import { type FaultyGateway, startFaultyGateway } from "../../faults/faultyGateway";
import type { LocalGateway, StartLocalGatewayOptions } from "../../../src/localGateway/server";

export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body as a JSON object; empty when it is none. */
  readonly json: Record<string, unknown>;
}

export interface GatewayUnderTest {
  readonly gateway: FaultyGateway;
  readonly stateDir: string;
  /** With the key, as JSON; a string body is sent unchanged. */
  ask(method: string, path: string, body?: unknown, init?: RequestInit): Promise<Answered>;
  createTask(fields?: Record<string, unknown>): Promise<string>;
  /** Closes and removes the state. */
  end(): Promise<void>;
}

export async function startForTest(options: Partial<StartLocalGatewayOptions> = {}): Promise<GatewayUnderTest> {
  const stateDir = options.stateDir ?? (await mkdtemp(join(tmpdir(), "gateway-")));
  const pace = { tokensPerSecond: Infinity, firstTokenMs: 0 };
  const gateway = await startFaultyGateway({
    ...pace,
    openNative: openWithoutSync,
    ...options,
    stateDir,
  });
  const ask: GatewayUnderTest["ask"] = (method, path, body, init) => request(gateway, method, path, body, init);
  return {
    gateway,
    stateDir,
    ask,
    async createTask(fields = {}) {
      const { json } = await ask("POST", "/v1/tasks", { task_type: "async_image", prompt: "a hill", ...fields });
      return String(json["task_id"]);
    },
    async end() {
      await gateway.close();
      await rm(stateDir, { recursive: true, force: true });
    },
  };
}

export async function request(
  { url, key }: Pick<LocalGateway, "url" | "key">,
  method: string,
  path: string,
  body?: unknown,
  init: RequestInit = {},
): Promise<Answered> {
  const response = await fetch(path.startsWith("http") ? path : url + path, {
    method,
    ...definedFields({ body: body === undefined ? undefined : typeof body === "string" ? body : JSON.stringify(body) }),
    ...init,
    headers: {
      authorization: `Bearer ${key}`,
      "content-type": "application/json",
      ...Object.fromEntries(new Headers(init.headers)),
    },
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: readJson(text) };
}

function readJson(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? Object.fromEntries<unknown>(Object.entries(value)) : {};
  } catch {
    return {};
  }
}

/** The `code` of an error body in the service's shape. */
export function errorCode({ json }: Answered): unknown {
  const error = json["error"];
  return typeof error === "object" && error !== null && "code" in error ? error.code : undefined;
}

/** The payloads of the `data:` lines, in order. */
export function dataLines(text: string): readonly string[] {
  return text.split("\n").flatMap((line) => (line.startsWith("data: ") ? [line.slice(6)] : []));
}
