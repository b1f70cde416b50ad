/** A prompt that is longer than the model's context, through the whole client: in the words of each service it leads to a smaller request and an answer, or to a pause that says what to do. */
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ChatSession } from "../../../src/chat/session/session";
import { toolCalls, type ToolProgress } from "../../../src/domain/chat/chat";
import { type AppOverGateway, openAppOverGateway } from "../../support/appOverGateway";
import { answers, errorOf } from "../../support/chatSessions";
import { someOf } from "../../support/runs";
import { summaries } from "../../support/summarizedChats";
import { overflowBodies } from "../../fixtures/overflowBodies";

/** Tokens, of which the tools take some thousand. */
const context = 18_000;
const prompt = (name: string): string => `write 1 paragraph about ${name} ${"and so on ".repeat(1800)}`;
const read = 'Look.\n```calls\nread_file {"path": "long.ts"}\n```';

/** The one whose family the service speaks. */
function modelFor(service: string): string {
  if (service.startsWith("Anthropic")) return "demo-messages";
  return service.startsWith("Gemini") ? "demo-generate" : "demo-chat";
}

describe("a chat longer than the context of the model", () => {
  let over: AppOverGateway;
  before(async () => {
    over = await openAppOverGateway({
      deposit: 10_000_000,
      configured: [{ id: "demo-generate", contextSize: 32_000 }],
    });
    const lines = Array.from({ length: 6000 }, (_, at) => `export const value${at} = "${"x".repeat(10)}";`);
    await writeFile(join(over.folder, "long.ts"), lines.join("\n"));
  });
  after(() => over.close());
  afterEach(() => over.gateway.faults.clear());

  const open = (model: string): ChatSession => {
    for (const { id } of over.app.models.models.current.list) over.app.models.forgetLearnt(id);
    over.app.models.choose(model);
    over.app.chats.create();
    return over.app.session.current;
  };
  const refusedSince = (first: number): number =>
    over.gateway.requests.slice(first).filter(({ status }) => status !== undefined && status >= 400).length;
  const resultOf = (session: ChatSession): Extract<ToolProgress, { state: "done" }> => {
    const [progress] = answers(session).flatMap((answer) => toolCalls(answer).map((call) => call.progress));
    assert.ok(progress?.state === "done");
    return progress;
  };

  // A unit test reads the words of each service; through the whole client goes each one in full runs.
  const byModel = Object.groupBy(Object.entries(overflowBodies), ([service]) => modelFor(service));
  const services = Object.values(byModel).flatMap((all = [], at) => someOf(all, at, 4));
  for (const [service, [status, body]] of services)
    it(`A6, Q-R9: ${service}: the older messages are summarised, and the model answers`, async () => {
      over.gateway.faults.arm({ name: "http.context", value: { tokens: context, status, body } });
      const session = open(modelFor(service));
      const first = over.gateway.requests.length;
      for (const name of ["hills", "lakes", "towns"]) await session.submit(prompt(name));
      assert.equal(answers(session).at(-1)?.state, "complete", errorOf(answers(session).at(-1))?.title);
      assert.equal(refusedSince(first), 1);
      assert.equal(summaries(session).at(-1)?.state, "complete");
      const refused = answers(session).find(({ state }) => state === "failed");
      assert.match(errorOf(refused)?.meaning ?? "", /shorter request/);
    });

  it("A6 (agent finding 3): where the size is known a long file is read in parts, each with the line that the next begins with, and nothing is refused", async () => {
    over.gateway.faults.arm({ name: "http.context", value: { tokens: 32_000 } });
    const session = open("demo-generate");
    const first = over.gateway.requests.length;
    await session.submit(read);
    assert.equal(answers(session).at(-1)?.state, "complete", errorOf(answers(session).at(-1))?.title);
    const { result, cutFrom } = resultOf(session);
    assert.ok(result.length < 8000 * 4, `${result.length}`);
    assert.ok(cutFrom !== undefined && cutFrom > result.length);
    const [, last] = /\(lines 1 to (\d+) of 6000; go on with start_line \d+\)$/.exec(result)!;
    assert.equal(result.split("\n").length - 1, Number(last));
    assert.equal(refusedSince(first), 0);
  });

  it("A6 (agent finding 3): where it is not, the refused result is cut once more in its row, its rest can be read, and the size is learnt", async () => {
    over.gateway.faults.arm({ name: "http.context", value: { tokens: context } });
    const session = open("demo-chat");
    const first = over.gateway.requests.length;
    await session.submit(read);
    assert.equal(answers(session).at(-1)?.state, "complete", errorOf(answers(session).at(-1))?.title);
    assert.equal(refusedSince(first), 1);
    assert.deepEqual(summaries(session), [], "there is nothing older");
    const { result, cutFrom = 0 } = resultOf(session);
    assert.ok(result.length < context * 4 && cutFrom > result.length);
    const [, id, skip] = /read_result with id "(\w+)" and skip (\d+)/.exec(result)!;
    const { chat } = over.app.models.models.current;
    assert.deepEqual([chat?.contextSize, chat?.contextLearnt], [context, true]);
    await session.submit(`\`\`\`calls\nread_result {"id": "${id}", "skip": ${skip}}\n\`\`\``);
    assert.equal(answers(session).at(-1)?.state, "complete");
    assert.equal(refusedSince(first), 1, "the size is known now");
  });

  it("A6: a message that is too long alone is sent once, and the pause says what can be done", async () => {
    over.gateway.faults.arm({ name: "http.context", value: { tokens: context } });
    const session = open("demo-chat");
    const first = over.gateway.requests.length;
    await session.submit(`write 1 paragraph ${"and so on ".repeat(10_000)}`);
    const card = errorOf(answers(session).at(-1));
    assert.deepEqual([card?.action.id, card?.isPause], ["choose-model", true]);
    assert.match(card?.meaning ?? "", /Shorten the message/);
    assert.equal(refusedSince(first), 1);
  });
});
