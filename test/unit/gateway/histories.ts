/** Any history at all, for the properties that requests must have: also such as no session would make. */
import * as fc from "fast-check";
import type { Family } from "../../../src/domain/chat";
import type { AssistantPart, Message, UserPart } from "../../../src/domain/message";

const text = fc.oneof(
  fc.constantFrom("", " ", "Hi", "\uD800 half", "nul\0", "\u{1F600}", "two\nlines "),
  fc.string({ maxLength: 12 }),
);
const family = fc.constantFrom<Family>("chat-completions", "messages", "generate-content");
const model = fc.constantFrom("m", "gemini-3-pro", "other");
const call = fc.constantFrom("call-0", "call-1", "call-2");
const name = fc.constantFrom("read_file", "mcp.tool/with odd:name", "1st", "", "\u8BFB");
const wireId = fc.constantFrom("toolu_1", "call_abc", "0", "functions.x:0", "");

const signed = (data: unknown): AssistantPart => ({ type: "opaque", family: "generate-content", data });
const block = (data: unknown): AssistantPart => ({ type: "opaque", family: "messages", data });
const opaque = fc.constantFrom<AssistantPart>(
  block({ type: "thinking", thinking: "Hm.", signature: "s" }),
  block({ type: "thinking", thinking: "unsigned" }),
  block({ type: "redacted_thinking", data: "r" }),
  block({ type: "server_tool_use", id: "srv", name: "web_search", input: {} }),
  block({ type: "web_search_tool_result", tool_use_id: "srv", content: [] }),
  block("nonsense"),
  signed({ of: "text", length: 2, thoughtSignature: "s" }),
  signed({ of: "text", length: 0, thoughtSignature: "s" }),
  signed({ of: "thought", length: 1, thoughtSignature: "s" }),
  signed({ of: "call", call: "call-0", thoughtSignature: "s" }),
  signed({ part: { executableCode: { code: "1" } } }),
  signed(null),
  { type: "opaque", family: "chat-completions", data: { reasoningField: "reasoning_content", reasoningDetails: [] } },
);

const userPart = fc.oneof(
  fc.record({ type: fc.constant("text" as const), text }),
  fc.constantFrom<UserPart>(
    { type: "image", mimeType: "image/png", data: "AAAA" },
    { type: "image", mimeType: "image/bmp", data: "AAAA" },
  ),
);
const assistantPart: fc.Arbitrary<AssistantPart> = fc.oneof(
  fc.record({ type: fc.constant("text" as const), text }),
  fc.record({ type: fc.constant("reasoning" as const), text }),
  fc.record(
    { type: fc.constant("tool-call" as const), call, name, wireId, input: fc.dictionary(text, text, { maxKeys: 2 }) },
    { requiredKeys: ["type", "call", "name", "input"] },
  ),
  opaque,
);

const message: fc.Arbitrary<Message> = fc.oneof(
  fc.record({ role: fc.constant("system" as const), text }),
  fc.record({ role: fc.constant("user" as const), parts: fc.array(userPart, { maxLength: 3 }) }),
  fc.record({
    role: fc.constant("assistant" as const),
    family,
    model,
    parts: fc.array(assistantPart, { maxLength: 6 }),
  }),
  fc.record({ role: fc.constant("tool" as const), call, name, text, isError: fc.boolean() }),
);

export const anyHistory = fc.array(message, { maxLength: 10 });
export const anyModel = model;
