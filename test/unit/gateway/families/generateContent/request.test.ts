/** The bodies of the generate-content family. */
import assert from "node:assert/strict";
import type { Message } from "../../../../../src/domain/chat/message";
import { buildGenerateContentRequest } from "../../../../../src/gateway/families/generateContent";
import { user, call, result, tools, ask } from "../requestParts";

describe("generateContentRequest", () => {
  it("S1: system apart, images inline, tools with converted schemas and none for no arguments", () => {
    const image: Message = { role: "user", parts: [{ type: "image", mimeType: "image/png", data: "AA" }] };
    assert.deepEqual(buildGenerateContentRequest({ ...ask("generate-content", user("Hi"), image), tools }), {
      systemInstruction: { parts: [{ text: "Be brief." }] },
      contents: [{ role: "user", parts: [{ text: "Hi" }, { inlineData: { mimeType: "image/png", data: "AA" } }] }],
      tools: [
        {
          functionDeclarations: [
            {
              name: "mcp_read",
              description: "Reads.",
              parameters: { type: "OBJECT", properties: { path: { type: "STRING" } } },
            },
            { name: "now" },
          ],
        },
      ],
    });
  });

  it("A7: an answer of white space alone is left out like an empty one", () => {
    const answer: Message = {
      role: "assistant",
      family: "messages",
      model: "m",
      parts: [{ type: "text", text: "\n" }],
    };
    assert.deepEqual(buildGenerateContentRequest(ask("generate-content", user("Go"), answer, user("On")))["contents"], [
      { role: "user", parts: [{ text: "Go" }, { text: "On" }] },
    ]);
  });

  it("A7: as many responses as calls, in their order, as output or error, without ids of other families", () => {
    const answer: Message = {
      role: "assistant",
      family: "messages",
      model: "m",
      parts: [call("a", "toolu_1"), call("b", "toolu_2"), { type: "reasoning", text: "secret" }],
    };
    assert.deepEqual(
      buildGenerateContentRequest(
        ask("generate-content", user("Go"), answer, result("b", "no", true), result("a", "yes")),
      )["contents"],
      [
        { role: "user", parts: [{ text: "Go" }] },
        {
          role: "model",
          parts: [{ functionCall: { name: "a", args: { x: 1 } } }, { functionCall: { name: "b", args: { x: 1 } } }],
        },
        {
          role: "user",
          parts: [
            { functionResponse: { name: "a", response: { output: "yes" } } },
            { functionResponse: { name: "b", response: { error: "no" } } },
          ],
        },
      ],
    );
  });
});
