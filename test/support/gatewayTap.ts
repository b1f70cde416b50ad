/** A server between a client and the local gateway that keeps what each of them sent, and what of it has to come back to the gateway. */
import type { Family } from "../../src/domain/chat/family";
import { serve } from "../loopback/gateway/rawServer";

export interface GatewayTap {
  readonly url: string;
  /** The bodies of the requests for answers. */
  readonly asked: readonly string[];
  /** The responses to them. */
  readonly answered: readonly string[];
  close(): Promise<void>;
}

/** Each answer is passed on when it is whole. */
export async function openGatewayTap(gatewayUrl: string): Promise<GatewayTap> {
  const asked: string[] = [];
  const answered: string[] = [];
  const server = await serve((response, { method, url, headers, body }) => {
    const { authorization = "" } = headers;
    const version = url === "/v1/messages" ? { "anthropic-version": "2023-06-01" } : {};
    const sent = { "content-type": "application/json", authorization, ...version };
    if (method === "POST") asked.push(body);
    void fetch(`${gatewayUrl}${url}`, { method, headers: sent, ...(method === "POST" ? { body } : {}) }).then(
      async (from) => {
        const text = await from.text();
        if (method === "POST") answered.push(text);
        response.writeHead(from.status, { "content-type": from.headers.get("content-type") ?? "" }).end(text);
      },
    );
  });
  return { url: server.url, asked, answered, close: () => server.close() };
}

/** The demo models of the local gateway. */
export const demoModels: Readonly<Record<Family, string>> = {
  "chat-completions": "demo-chat",
  messages: "demo-messages",
  "generate-content": "demo-generate",
};

/** Matches what a family needs back, as it is in its answers and in the next request. */
const needed: Readonly<Record<Family, RegExp>> = {
  "chat-completions": /"reasoning_content":"(?:[^"\\]|\\.)+"/g,
  messages: /"signature":"[^"]+"/g,
  "generate-content": /"thoughtSignature":"[^"]+"/g,
};

/** The parts that the body of a request sends back: in order, with the ids of the calls. */
export function sentBack(family: Family, body: string): readonly string[] {
  return [...matches(body, needed[family]), ...callIds(body)];
}

/** The parts of these answers that the next request has to send back. */
export function toSendBack(family: Family, answers: readonly string[]): readonly string[] {
  return [...answers.flatMap((answer) => signatures(family, answer)), ...answers.flatMap(callIds)];
}

/** The signatures of an answer; for chat completions the thinking before a call, joined. */
function signatures(family: Family, streamed: string): readonly string[] {
  const found = matches(streamed, needed[family]);
  if (family !== "chat-completions") return found;
  if (!streamed.includes('"tool_calls"')) return [];
  const pieces = found.map((match) => JSON.parse(match.slice(match.indexOf(":") + 1)) as string);
  return [`"reasoning_content":${JSON.stringify(pieces.join(""))}`];
}

const callIds = (text: string): readonly string[] => matches(text, /"id":"(?:call|toolu)_\w+"/g);
const matches = (text: string, pattern: RegExp): readonly string[] =>
  [...text.matchAll(pattern)].map(([match]) => match);

export const weatherTool = {
  name: "weather",
  description: "Says the weather of a city.",
  parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
};

/** A prompt for which the demo model makes that many answers in a row, each with a call; its gateway refuses the next request when a signature is missing. */
export function promptForCalls(cities: readonly string[]): string {
  return `\`\`\`calls\n${cities.map((city) => `${weatherTool.name} {"city": "${city}"}\n`).join("\n")}\`\`\``;
}

/** A PNG of one picture element, as base64. */
export const dotPicture =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
