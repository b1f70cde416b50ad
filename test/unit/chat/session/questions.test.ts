/** A question of the model to the person: asked, answered, passed over, stopped; its answer is text and allows nothing (A13). */
import assert from "node:assert/strict";
import type { ChatSession } from "../../../../src/chat/session/session";
import { type AskingProgress, toolCalls } from "../../../../src/domain/chat/chat";
import { describeAction } from "../../../../src/domain/words/describeTool";
import type { PersonAnswer } from "../../../../src/domain/tools/tool";
import { askPerson } from "../../../../src/tools/askPerson";
import { answersOf, callingAnswer, textAnswer, until } from "../../../support/builders";
import { answers, makeTool, progressOf, sessionOver, waiting } from "../../../support/chatSessions";
import { replayChat, writeEvent } from "../../../support/replayedChat";

const input = {
  question: "Which database?",
  choices: [{ label: "SQLite", description: "One file." }, { label: "Postgres" }],
};
const asked = (session: ChatSession): AskingProgress[] =>
  answers(session)
    .flatMap(toolCalls)
    .flatMap(({ progress }) => (progress.state === "asking" ? [progress] : []));

function begin() {
  const model = answersOf(callingAnswer({ name: "ask_person", input }), textAnswer("done"), textAnswer("more"));
  const over = sessionOver(model.streamChat, [askPerson()]);
  return { ...over, model, turn: over.session.submit("store it") };
}

const resultOf = ({ model }: Pick<ReturnType<typeof begin>, "model">): string => {
  const last = model.requests[1]?.messages.findLast(({ role }) => role === "tool");
  return last?.role === "tool" ? last.text : "";
};

describe("a question to the person", () => {
  for (const [answer, result, words] of [
    [{ type: "choice", at: 1 }, "The person chose: Postgres", "Question: Which database? You: Postgres"],
    [
      { type: "text", text: "A text file" },
      "The person answered: A text file",
      "Question: Which database? You: A text file",
    ],
    [{ type: "left-to-model" }, /^The person leaves it to you/, "Question: Which database?"],
  ] as readonly (readonly [PersonAnswer, string | RegExp, string])[])
    it(`A13: ${answer.type} goes to the model as text, once, and the row says it`, async () => {
      const over = begin();
      const { session, turn } = over;
      await until(() => asked(session).length === 1);
      assert.deepEqual([session.waitingCount, session.approvals.count], [1, 0]);
      const [{ id, question }] = asked(session) as [AskingProgress];
      assert.deepEqual(question, { text: input.question, choices: input.choices });
      assert.equal(session.approvals.decide(id, { allow: true }), false, "it is no approval");
      assert.equal(session.questions.answer(id, answer), true);
      assert.equal(session.questions.answer(id, answer), false);
      await turn;
      if (typeof result === "string") assert.equal(resultOf(over), result);
      else assert.match(resultOf(over), result);
      const [block] = answers(session).flatMap(toolCalls);
      assert.ok(block?.progress.state === "done");
      assert.equal(describeAction(block.progress.action), words);
      assert.equal(session.waitingCount, 0);
    });

  it("A13, A3: an answer that says yes to everything allows no call: the next change asks", async () => {
    const model = answersOf(
      callingAnswer({ name: "ask_person", input: { ...input, question: "Allow all edits?" } }),
      callingAnswer({ name: "edit", input: {} }),
      textAnswer("done"),
    );
    const runs: string[] = [];
    const edit = makeTool("edit", () => Promise.resolve(String(runs.push("edit"))), true);
    const { session } = sessionOver(model.streamChat, [askPerson(), edit]);
    const turn = session.submit("go");
    await until(() => asked(session).length === 1);
    session.questions.answer(asked(session)[0]!.id, {
      type: "text",
      text: "Yes, I approve all of it for this session.",
    });
    await until(() => waiting(session).length === 1);
    assert.deepEqual(runs, []);
    session.stop();
    await turn;
  });

  it("A13, S5: Stop ends it at once, and it can't be answered any more", async () => {
    const { session, turn, model } = begin();
    await until(() => asked(session).length === 1);
    const [{ id }] = asked(session) as [AskingProgress];
    session.stop();
    await turn;
    assert.deepEqual([progressOf(session), session.waitingCount, model.requests.length], [["stopped"], 0, 1]);
    assert.equal(session.questions.answer(id, { type: "left-to-model" }), false);
  });

  it("A13, A11: a message that is sent now takes the place of an answer", async () => {
    const over = begin();
    const { session, turn } = over;
    await until(() => asked(session).length === 1);
    await session.submit("use what is there", undefined, { isNow: true });
    await turn;
    assert.match(resultOf(over), /have sent the message that follows/);
    assert.equal(over.model.requests[1]?.messages.at(-1)?.role, "user");
  });

  it("A13, P3: a reload while it waits closes it as interrupted, like an approval; going on has the model ask again", async () => {
    const lines: string[] = [];
    const { session, turn } = begin();
    session.onDidEmit((event) => lines.push(writeEvent(event)));
    await until(() => asked(session).length === 1);
    const again = answersOf(callingAnswer({ name: "ask_person", input }), textAnswer("done"));
    const stored = sessionOver(
      again.streamChat,
      [askPerson()],
      undefined,
      replayChat("chat", [
        ...[{ type: "prompt-added", id: "p", text: "store it", at: 0 }, { type: "turn-started" }].map((one) =>
          JSON.stringify(one),
        ),
        ...lines.filter((line) => !/"(?:prompt-added|turn-started)"/.test(line)),
      ]),
    );
    assert.deepEqual([progressOf(stored.session), stored.session.chat.interrupted], [["interrupted"], true]);
    const going = stored.session.continueTurn();
    await until(() => asked(stored.session).length === 1);
    stored.session.questions.answer(asked(stored.session)[0]!.id, { type: "choice", at: 0 });
    await going;
    assert.deepEqual(progressOf(stored.session), ["interrupted", "done"]);
    session.stop();
    await turn;
  });

  it("A10, A13: one choice, seven choices and no question are refused with the schema", async () => {
    const { signal } = new AbortController();
    const choices = (count: number) => Array.from({ length: count }, (_, at) => ({ label: `choice ${at}` }));
    for (const given of [
      { question: "q", choices: choices(1) },
      { question: "q", choices: choices(7) },
      { choices: choices(2) },
    ])
      await assert.rejects(askPerson().prepare(given, signal), /ask_person takes/);
  });
});
