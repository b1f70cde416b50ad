/** What the cases of stream faults share: one streamed answer as it came over the line, packet by packet. */
import { once } from "node:events";
import { request as httpRequest, type IncomingMessage } from "node:http";
import type { Family } from "../../../../src/domain/chat/chatEvent";
import type { LocalGateway } from "../../../../src/localGateway/server";
import { dataLines } from "../support";

export interface Streamed {
  readonly status: number;
  readonly contentType: string;
  /** As the gateway wrote them. */
  readonly packets: readonly Buffer[];
  readonly bytes: Buffer;
  readonly text: string;
  /** False when the line was cut. */
  readonly whole: boolean;
}

export interface StreamCase {
  readonly value?: unknown;
  /** Missing: chat completions. */
  readonly family?: Family;
  /** Missing: `text`. */
  readonly prompt?: Prompt;
  /** `plain` is the same answer without the fault. Throws when the quirk is not there. */
  readonly shows: (faulty: Streamed, plain: Streamed) => void;
}

/** `text` streams text alone; `calls` thinks, says a word and calls two tools at once; `odd` has characters of several bytes. */
export type Prompt = "text" | "calls" | "odd";

const prompts: Readonly<Record<Prompt, string>> = {
  text: "write 1 paragraph",
  calls: "read src/app.ts and src/b.ts",
  odd: "read src/café🌊.ts",
};

const description = "Reads a file";
const parameters = { type: "object", properties: { path: { type: "string" } }, required: ["path"] };

const asks: Readonly<Record<Family, (text: string) => readonly [string, unknown]>> = {
  "chat-completions": (text) => [
    "/v1/chat/completions",
    {
      model: "demo-chat",
      stream: true,
      messages: [{ role: "user", content: text }],
      tools: [{ type: "function", function: { name: "read_file", description, parameters } }],
    },
  ],
  messages: (text) => [
    "/v1/messages",
    { model: "demo-messages", stream: true, max_tokens: 4000, messages: [{ role: "user", content: text }] },
  ],
  "generate-content": (text) => [
    "/v1/models/demo-generate:streamGenerateContent?alt=sse",
    { contents: [{ role: "user", parts: [{ text }] }] },
  ],
};

export async function streamAnswer(
  { url, key }: Pick<LocalGateway, "url" | "key">,
  { family = "chat-completions", prompt = "text" }: Pick<StreamCase, "family" | "prompt">,
  headers: Readonly<Record<string, string>> = {},
): Promise<Streamed> {
  const [path, body] = asks[family](prompts[prompt]);
  const sent = httpRequest(url + path, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json", ...headers },
  });
  sent.end(JSON.stringify(body));
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  const packets: Buffer[] = [];
  let whole = false;
  // Not `for await`: that would put together what arrives in one turn.
  response.on("data", (packet: Buffer) => packets.push(packet));
  response.on("end", () => (whole = true));
  await new Promise((resolve) => response.on("close", resolve).on("error", () => undefined));
  const bytes = Buffer.concat(packets);
  const contentType = response.headers["content-type"] ?? "";
  return { status: response.statusCode ?? 0, contentType, packets, bytes, text: bytes.toString(), whole };
}

export interface Fragment {
  readonly index?: number;
  readonly id?: string | null;
  readonly type?: string;
  readonly function: { readonly name?: string; readonly arguments?: unknown };
}

export interface Delta {
  readonly role?: string;
  readonly content?: unknown;
  readonly reasoning_content?: string;
  readonly reasoning?: string;
  readonly tool_calls?: readonly Fragment[] | null;
  readonly function_call?: { readonly name?: string; readonly arguments?: string };
}

export interface Choice {
  readonly index: number;
  readonly delta?: Delta;
  readonly message?: Delta;
  readonly finish_reason: string | null;
}

export interface Chunk extends Readonly<Record<string, unknown>> {
  readonly choices?: readonly Choice[] | null;
  readonly usage?: Readonly<Record<string, number>> | null;
  readonly error?: Readonly<Record<string, unknown>>;
}

/** The payloads that are JSON, without `[DONE]`. */
export function chunksOf({ text }: Streamed): readonly Chunk[] {
  return dataLines(text).flatMap((line) => {
    try {
      return [JSON.parse(line) as Chunk];
    } catch {
      return [];
    }
  });
}

export function deltasOf(streamed: Streamed): readonly Delta[] {
  return chunksOf(streamed).flatMap(({ choices }) => (choices ?? []).flatMap(({ delta }) => delta ?? []));
}

export function contentOf(streamed: Streamed): string {
  return deltasOf(streamed)
    .map(({ content }) => (typeof content === "string" ? content : ""))
    .join("");
}

export function fragmentsOf(streamed: Streamed): readonly Fragment[] {
  return deltasOf(streamed).flatMap((delta) => delta.tool_calls ?? []);
}

export function finishesOf(streamed: Streamed): readonly (string | null)[] {
  return chunksOf(streamed).flatMap(({ choices }) => (choices ?? []).map(({ finish_reason: finish }) => finish));
}

export function lastPayload({ text }: Streamed): string | undefined {
  return dataLines(text).at(-1);
}

export type StreamCases = Readonly<Record<string, readonly StreamCase[]>>;

export function streamCases(cases: StreamCases): StreamCases {
  return cases;
}

/** A text as it is, nothing as an empty one, anything else as JSON. */
export function textOf(value: unknown): string {
  return typeof value === "string" ? value : value === undefined || value === null ? "" : JSON.stringify(value);
}
