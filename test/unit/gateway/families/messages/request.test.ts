/** The bodies of the messages family. */
import assert from "node:assert/strict";
import type { Message } from "../../../../../src/domain/chat/message";
import { buildMessagesRequest } from "../../../../../src/gateway/families/messages";
import { user, call, result, tools, ask } from "../requestParts";

describe("messagesRequest", () => {
  it("S1: system at the top, the budget that is required, no sampling parameters", () => {
    assert.deepEqual(buildMessagesRequest(ask("messages", user("Hi"))), {
      model: "m",
      max_tokens: 8192,
      system: "Be brief.",
      messages: [{ role: "user", content: [{ type: "text", text: "Hi" }] }],
      stream: true,
    });
  });

  it("S1: tools with a schema whose root is an object, and names that fit", () => {
    assert.deepEqual(buildMessagesRequest({ ...ask("messages", user("Hi")), tools })["tools"], [
      {
        name: "mcp_read",
        description: "Reads.",
        input_schema: { type: "object", properties: { path: { type: "string" } } },
      },
      { name: "now", input_schema: { type: "object", properties: {} } },
    ]);
  });

  it("A7: calls in their place, all results first in one message with the next prompt, errors marked", () => {
    const answer: Message = {
      role: "assistant",
      family: "messages",
      model: "m",
      parts: [{ type: "text", text: "Look." }, call("a", "toolu_1"), call("b", "bad:id")],
    };
    assert.deepEqual(
      buildMessagesRequest(
        ask("messages", user("Go"), answer, result("b", "no", true), result("a", "yes"), user("And?")),
      )["messages"],
      [
        { role: "user", content: [{ type: "text", text: "Go" }] },
        {
          role: "assistant",
          content: [
            { type: "text", text: "Look." },
            { type: "tool_use", id: "toolu_1", name: "a", input: { x: 1 } },
            { type: "tool_use", id: "toolu_2_1", name: "b", input: { x: 1 } },
          ],
        },
        {
          role: "user",
          content: [
            { type: "tool_result", tool_use_id: "toolu_1", content: "yes" },
            { type: "tool_result", tool_use_id: "toolu_2_1", content: "no", is_error: true },
            { type: "text", text: "And?" },
          ],
        },
      ],
    );
  });

  it("A7: foreign ids are replaced, and ids that repeat between turns are told apart", () => {
    const answer = (family: "messages" | "chat-completions", wireId: string): Message => ({
      role: "assistant",
      family,
      model: "m",
      parts: [call("a", wireId)],
    });
    const body = buildMessagesRequest(
      ask(
        "messages",
        user("Go"),
        answer("chat-completions", "call_1"),
        answer("messages", "0"),
        answer("messages", "0"),
      ),
    );
    const ids = [...JSON.stringify(body).matchAll(/"tool_use","id":"([^"]+)"/g)].map(([, id]) => id);
    assert.deepEqual(ids, ["toolu_2_0", "0", "0_2"]);
  });

  it("S1: images as base64, and a word for a type that is not taken", () => {
    const image = (mimeType: string): Message => ({ role: "user", parts: [{ type: "image", mimeType, data: "AA" }] });
    assert.deepEqual(buildMessagesRequest(ask("messages", image("image/png"), image("image/bmp")))["messages"], [
      {
        role: "user",
        content: [
          { type: "image", source: { type: "base64", media_type: "image/png", data: "AA" } },
          { type: "text", text: "(An image of the type image/bmp was left out.)" },
        ],
      },
    ]);
  });
});
