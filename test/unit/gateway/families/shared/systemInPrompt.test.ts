/** A14: a model without a system role gets the system text at the beginning of the first prompt, the same in each request. */
import assert from "node:assert/strict";
import type { ChatRequest, Message } from "../../../../../src/domain/chat/message";
import {
  buildChatCompletionsRequest,
  firstChatCompletionsVariant,
} from "../../../../../src/gateway/families/chatCompletions";
import {
  buildGenerateContentRequest,
  firstGenerateContentVariant,
} from "../../../../../src/gateway/families/generateContent";

const prompt = (text: string): Message => ({ role: "user", parts: [{ type: "text", text }] });
const messages: readonly Message[] = [
  { role: "system", text: "Be short." },
  prompt("one"),
  { role: "assistant", family: "chat-completions", model: "m", parts: [{ type: "text", text: "yes" }] },
  prompt("a result"),
  prompt("two"),
];
const request: ChatRequest = { family: "chat-completions", model: "m", messages, tools: [] };

describe("the system text in the first prompt", () => {
  it("A14: in chat completions prompts and answers alternate, each a plain text", () => {
    const body = buildChatCompletionsRequest(request, { ...firstChatCompletionsVariant, systemInPrompt: true });
    assert.deepEqual(body["messages"], [
      { role: "user", content: "Be short.\n\none" },
      { role: "assistant", content: "yes" },
      { role: "user", content: "a result\n\ntwo" },
    ]);
  });

  it("A14: an attachment stays a part of its prompt", () => {
    const image = { type: "image", mimeType: "image/png", data: "AA==" } as const;
    const shown: Message = { role: "user", parts: [image, { type: "text", text: "what is it?" }] };
    const body = buildChatCompletionsRequest(
      { ...request, messages: [messages[0]!, shown] },
      { ...firstChatCompletionsVariant, systemInPrompt: true },
    );
    assert.deepEqual(body["messages"], [
      {
        role: "user",
        content: [
          { type: "text", text: "Be short." },
          { type: "image_url", image_url: { url: "data:image/png;base64,AA==" } },
          { type: "text", text: "what is it?" },
        ],
      },
    ]);
  });

  it("A14: in generate content there is no system instruction", () => {
    const body = buildGenerateContentRequest(
      { ...request, family: "generate-content" },
      { ...firstGenerateContentVariant, systemInPrompt: true },
    );
    assert.equal("systemInstruction" in body, false);
    assert.deepEqual((body["contents"] as unknown[])[0], { role: "user", parts: [{ text: "Be short.\n\none" }] });
  });
});
