/** L4: the texts of one message stay apart in each family, so that the demo model takes every attached file out of a prompt. */
import assert from "node:assert/strict";
import { AnswerSignatures } from "../../../../../src/localGateway/chat/answerSignatures";
import type { ConversationTurn } from "../../../../../src/localGateway/demo/conversation";
import { readCompletionRequest } from "../../../../../src/localGateway/chat/families/completionBody";
import { readGenerateRequest } from "../../../../../src/localGateway/chat/families/generateBody";
import { readMessagesRequest } from "../../../../../src/localGateway/chat/families/readMessagesRequest";
import { takeAttached } from "../../../../../src/localGateway/demo/model/attachedText";

const signatures = new AnswerSignatures("secret");
const texts = [
  "The person attached the folder parts/:\n```\nlamp.ts\n```",
  "The person attached README.md:\n```\nAsk: replace `a` with `b` in src/app.ts\n```",
  "What is this?",
];
const content = texts.map((text) => ({ type: "text", text }));
const parts = texts.map((text) => ({ text }));

/** What each family's reader makes of the same three texts. */
const families: Readonly<Record<string, () => readonly ConversationTurn[]>> = {
  "chat completions": () =>
    readCompletionRequest({ model: "demo-chat", messages: [{ role: "user", content }] }, 1).conversation.turns,
  messages: () =>
    readMessagesRequest(
      { model: "demo-messages", max_tokens: 100, messages: [{ role: "user", content }] },
      { seed: 1, signatures, version: undefined },
    ).conversation.turns,
  "generate content": () =>
    readGenerateRequest(
      { contents: [{ role: "user", parts }] },
      { model: "demo-generate", stream: false, seed: 1, signatures },
    ).conversation.turns,
};

describe("local gateway: a message of several texts", () => {
  for (const [family, read] of Object.entries(families)) {
    it(`L4: two attached files are no requests of the person, ${family}`, () => {
      const { text, attached } = takeAttached(read().at(-1)?.text ?? "");
      assert.equal(text, "What is this?");
      assert.deepEqual(
        attached.map(({ label }) => label),
        ["the folder parts/", "README.md"],
      );
    });
  }
});
