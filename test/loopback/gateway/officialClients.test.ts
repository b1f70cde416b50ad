/** S1: on the same well-formed streams the three official clients and ours have the same text, calls and usage. */
import assert from "node:assert/strict";
import Anthropic from "@anthropic-ai/sdk";
import { GoogleGenAI, Type } from "@google/genai";
import OpenAI from "openai";
import type { ChatEvent, Family } from "../../../src/domain/chat/chatEvent";
import type { Gateway } from "../../../src/domain/ports";
import { createHttpGateway } from "../../../src/gateway/httpGateway";
import { type GatewayUnderTest, startForTest } from "../localGateway/support";
import { plainEndpoint } from "../../support/plainOptions";

interface Answer {
  readonly text: string;
  readonly calls: readonly { readonly name: string; readonly input: unknown }[];
  readonly input: number | undefined;
  readonly output: number | undefined;
}

const tool = { name: "read_file", description: "Reads a file" };
const schema = { type: "object", properties: { path: { type: "string" } }, required: ["path"] } as const;
const prompts = {
  text: "write 3 paragraphs",
  markdown: "show markdown",
  "parallel calls": "read src/app.ts and src/b.ts",
  "characters of several bytes": "read src/café🌊.ts",
} as const;

describe("S1: the official clients and ours", () => {
  let test: GatewayUnderTest;
  let gateway: Gateway;
  before(async () => {
    test = await startForTest({ deposit: 100_000_000 });
    gateway = createHttpGateway({ ...plainEndpoint, baseUrl: test.gateway.url, key: test.gateway.key });
  });
  after(async () => {
    await gateway.close();
    await test.end();
  });

  const ours = async (family: Family, model: string, prompt: string): Promise<Answer> => {
    const names = new Map<string, string>();
    const calls: { name: string; input: unknown }[] = [];
    let text = "";
    let usage: Extract<ChatEvent, { type: "usage" }> | undefined;
    const messages = [{ role: "user", parts: [{ type: "text", text: prompt }] }] as const;
    const tools = [{ ...tool, parameters: schema }];
    for await (const event of gateway.streamChat({ family, model, messages, tools })) {
      assert.notEqual(event.type, "stream-error");
      if (event.type === "text-delta") text += event.text;
      if (event.type === "tool-call-start") names.set(event.call, event.name);
      if (event.type === "tool-call-end") calls.push({ name: names.get(event.call) ?? "", input: event.input });
      if (event.type === "usage") usage = event;
    }
    return { text, calls, input: usage?.input, output: usage?.output };
  };

  const openai = async (prompt: string): Promise<Answer> => {
    const client = new OpenAI({ baseURL: `${test.gateway.url}/v1`, apiKey: test.gateway.key });
    const stream = client.chat.completions.stream({
      model: "demo-chat",
      messages: [{ role: "user", content: prompt }],
      tools: [{ type: "function", function: { ...tool, parameters: schema } }],
      stream_options: { include_usage: true },
    });
    const { choices, usage } = await stream.finalChatCompletion();
    const message = choices[0]!.message;
    return {
      text: message.content ?? "",
      calls: (message.tool_calls ?? []).map((call) => ({
        name: call.function.name,
        input: JSON.parse(call.function.arguments) as unknown,
      })),
      input: usage?.prompt_tokens,
      output: usage?.completion_tokens,
    };
  };

  const anthropic = async (prompt: string): Promise<Answer> => {
    const client = new Anthropic({ baseURL: test.gateway.url, apiKey: test.gateway.key });
    const stream = client.messages.stream({
      model: "demo-messages",
      max_tokens: 8192,
      messages: [{ role: "user", content: prompt }],
      tools: [{ ...tool, input_schema: { ...schema, required: [...schema.required] } }],
    });
    const { content, usage } = await stream.finalMessage();
    return {
      text: content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join(""),
      calls: content.flatMap((block) => (block.type === "tool_use" ? [{ name: block.name, input: block.input }] : [])),
      input: usage.input_tokens,
      output: usage.output_tokens,
    };
  };

  const google = async (prompt: string): Promise<Answer> => {
    const client = new GoogleGenAI({ apiKey: test.gateway.key, httpOptions: { baseUrl: test.gateway.url } });
    const parameters = { type: Type.OBJECT, properties: { path: { type: Type.STRING } }, required: ["path"] };
    const stream = await client.models.generateContentStream({
      model: "demo-generate",
      contents: prompt,
      config: { tools: [{ functionDeclarations: [{ ...tool, parameters }] }] },
    });
    let text = "";
    const calls: { name: string; input: unknown }[] = [];
    let usage;
    for await (const chunk of stream) {
      for (const part of chunk.candidates?.[0]?.content?.parts ?? []) {
        if (part.text !== undefined && part.thought !== true) text += part.text;
        if (part.functionCall) calls.push({ name: part.functionCall.name ?? "", input: part.functionCall.args });
      }
      usage = chunk.usageMetadata ?? usage;
    }
    const output = usage && (usage.candidatesTokenCount ?? 0) + (usage.thoughtsTokenCount ?? 0);
    return { text, calls, input: usage?.promptTokenCount, output };
  };

  const clients = [
    ["chat-completions", "demo-chat", "openai", openai],
    ["messages", "demo-messages", "@anthropic-ai/sdk", anthropic],
    ["generate-content", "demo-generate", "@google/genai", google],
  ] as const;
  for (const [family, model, name, theirs] of clients) {
    for (const [kind, prompt] of Object.entries(prompts)) {
      it(`${name}: ${kind}`, async () => {
        const mine = await ours(family, model, prompt);
        const official = await theirs(prompt);
        assert.ok(mine.text !== "" && mine.output);
        // The requests differ by what each client adds to them, so the tokens that went in may.
        assert.deepEqual({ ...mine, input: undefined }, { ...official, input: undefined });
        assert.ok(mine.input !== undefined && official.input !== undefined);
        assert.equal(mine.calls.length, { "parallel calls": 2, "characters of several bytes": 1 }[kind] ?? 0);
      });
    }
  }
});
