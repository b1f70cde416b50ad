/** What a tool of the service itself gave the model: it may be written by others (A4). */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { untrustedSent } from "../../../../src/chat/session/untrusted";
import { emptyChat } from "../../../../src/domain/chat/chat";
import { reduceChat } from "../../../../src/domain/chat/reduceChat";
import { decode } from "../../gateway/eventList";

describe("text that a tool of the service gave the model", () => {
  for (const [name, family, read] of [
    ["messages/server-tool", "messages", "web_search_tool_result"],
    ["generate-content/code-execution", "generate-content", "codeExecutionResult"],
  ] as const) {
    it(`A4, H5: what a tool of the service gave the model counts without a citation: ${name}`, async () => {
      const started = { type: "answer-started", id: "a", model: "m", family, at: 1 } as const;
      let chat = reduceChat(emptyChat("c"), started);
      for (const event of await decode(await readFile(`test/fixtures/${name}.sse`), [], family))
        chat = reduceChat(chat, { type: "answer-event", id: "a", event });
      assert.equal(untrustedSent(chat), read);
    });
  }
});
