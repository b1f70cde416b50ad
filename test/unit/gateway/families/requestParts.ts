/** Prompts, calls, results and tools for the tests of the request bodies. */
import type { AssistantPart, ChatRequest, Message, ToolDeclaration } from "../../../../src/domain/chat/message";

export const user = (text: string): Message => ({ role: "user", parts: [{ type: "text", text }] });
export const call = (name: string, wireId: string): AssistantPart => ({
  type: "tool-call",
  call: name,
  wireId,
  name,
  input: { x: 1 },
});
export const result = (name: string, text: string, isError = false): Message => ({
  role: "tool",
  call: name,
  name,
  text,
  isError,
});
export const tools: readonly ToolDeclaration[] = [
  { name: "mcp.read", description: "Reads.", parameters: { type: "object", properties: { path: { type: "string" } } } },
  { name: "now", description: "", parameters: { type: "object" } },
];
export const ask = (family: ChatRequest["family"], ...messages: Message[]): ChatRequest => ({
  family,
  model: "m",
  messages: [{ role: "system", text: "Be brief." }, ...messages],
  tools: [],
  // The marks have tests of their own.
  options: { promptCache: false },
});
