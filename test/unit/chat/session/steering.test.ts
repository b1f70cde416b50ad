/** What a person sends while a turn runs, to be read now: after the calls that run, in the same turn (A11). */
import assert from "node:assert/strict";
import type { ChatSession } from "../../../../src/chat/session/session";
import type { ChatRequest } from "../../../../src/domain/chat/message";
import { answersOf, callingAnswer, textAnswer, until } from "../../../support/builders";
import { answers, makeTool, progressOf, sessionOver, waiting } from "../../../support/chatSessions";
import { replayChat, writeEvent } from "../../../support/replayedChat";
import { assertPrefixes, sentHistory } from "../../../support/sentBodies";

const rolesOf = ({ messages }: ChatRequest): string[] => messages.map(({ role }) => role);
const prompts = ({ chat }: ChatSession): (readonly [string, boolean])[] =>
  chat.entries.flatMap((entry) => (entry.type === "user" ? [[entry.text, entry.steers === true] as const] : []));
const queued = ({ chat }: ChatSession): string[] => (chat.queue ?? []).map(({ text }) => text);
const sayNow = (session: ChatSession, text: string): Promise<boolean> =>
  session.submit(text, undefined, { isNow: true });

/** A tool that ends when the test calls `end`. */
function heldTool(name = "slow", asks = false) {
  const held: (() => void)[] = [];
  const tool = makeTool(name, () => new Promise((resolve) => held.push(() => resolve(`${name} is done`))), asks);
  return { tool, end: () => held.shift()?.(), isRunning: () => held.length > 0 };
}

describe("steering", () => {
  it("A11: it follows the result of the call that runs, in the same turn, valid in every family; what is only queued waits for the end", async () => {
    const slow = heldTool();
    const call = callingAnswer({ name: "slow", input: {} });
    const model = answersOf(call, call, textAnswer("done"), textAnswer("later"));
    const { session } = sessionOver(model.streamChat, [slow.tool]);
    const turn = session.submit("one");
    await until(() => slow.isRunning());
    await session.submit("at the end");
    await sayNow(session, "use tabs");
    assert.deepEqual([model.requests.length, queued(session)], [1, ["at the end", "use tabs"]]);
    slow.end();
    await until(() => slow.isRunning());
    assert.deepEqual(rolesOf(model.requests[1]!), ["system", "user", "assistant", "tool", "user"]);
    assert.deepEqual(
      [prompts(session), queued(session)],
      [
        [
          ["one", false],
          ["use tabs", true],
        ],
        ["at the end"],
      ],
    );
    slow.end();
    await turn;
    assert.deepEqual(prompts(session), [
      ["one", false],
      ["use tabs", true],
      ["at the end", false],
    ]);
    assertPrefixes(model.requests);
    const sent = model.requests[1]!;
    // One message of the person's with the results first; the other families have it as a message or content of its own.
    assert.deepEqual(
      (sentHistory(sent, "messages").at(-1)?.["content"] as { type: string }[]).map(({ type }) => type),
      ["tool_result", "text"],
    );
    assert.deepEqual(sentHistory(sent, "chat-completions").at(-1), { role: "user", content: "use tabs" });
    const parts = sentHistory(sent, "generate-content").at(-1)?.["parts"] as object[];
    assert.deepEqual(
      parts.map((part) => Object.keys(part)[0]),
      ["functionResponse", "text"],
    );
  });

  it("A11: said during the last answer, it is answered in the same turn", async () => {
    let answer = (): void => undefined;
    const requests: ChatRequest[] = [];
    const { session } = sessionOver(async function* (request) {
      requests.push(request);
      if (requests.length === 1) await new Promise<void>((resolve) => (answer = resolve));
      yield* textAnswer(`answer ${requests.length}`);
    });
    const turns: string[] = [];
    session.onDidEmit(({ type }) => turns.push(...(type === "turn-started" ? [type] : [])));
    const turn = session.submit("one");
    await until(() => requests.length === 1);
    await sayNow(session, "and tests");
    answer();
    await turn;
    assert.deepEqual(
      [turns.length, prompts(session)],
      [
        1,
        [
          ["one", false],
          ["and tests", true],
        ],
      ],
    );
    assert.deepEqual(rolesOf(requests[1]!), ["system", "user", "assistant", "user"]);
  });

  it("A11, A3: a call that asks and had not begun is not run, an open question is answered with no, and a free call is run", async () => {
    const slow = heldTool();
    const edit = makeTool("edit", () => assert.fail("ran"), true);
    const read = makeTool("read", () => Promise.resolve("text"));
    const names = ["slow", "edit", "read"];
    const model = answersOf(
      callingAnswer(...names.map((name) => ({ name, input: {} }))),
      callingAnswer({ name: "edit", input: {} }),
      textAnswer("done"),
    );
    const { session } = sessionOver(model.streamChat, [slow.tool, edit, read]);
    const turn = session.submit("one");
    await until(() => slow.isRunning());
    await sayNow(session, "not that file");
    slow.end();
    await until(() => waiting(session).length === 1);
    const results = model.requests[1]!.messages.flatMap((one) => (one.role === "tool" ? [one.text] : []));
    assert.match(results.join("\n"), /^slow is done\nThis call was not run: meanwhile the person.*\ntext$/);
    await sayNow(session, "nor that one");
    await turn;
    assert.deepEqual(progressOf(session), ["done", "failed", "done", "denied"]);
    assert.deepEqual(rolesOf(model.requests[2]!).slice(-2), ["tool", "user"]);
  });

  it("A11: a queued prompt is switched to now and back; nothing is switched that is not queued, or after the turn", async () => {
    const slow = heldTool();
    const model = answersOf(callingAnswer({ name: "slow", input: {} }), textAnswer("done"), textAnswer("two"));
    const { session } = sessionOver(model.streamChat, [slow.tool]);
    const turn = session.submit("one");
    await until(() => slow.isRunning());
    await session.submit("two");
    await session.submit("three");
    const [two, three] = session.chat.queue ?? [];
    assert.deepEqual(
      [session.reschedule(two!.id, true), session.reschedule(three!.id, true), session.reschedule("none", true)],
      [true, true, false],
    );
    session.reschedule(three!.id, false);
    slow.end();
    await turn;
    assert.deepEqual(prompts(session), [
      ["one", false],
      ["two", true],
      ["three", false],
    ]);
    assert.equal(session.reschedule(two!.id, true), false);
  });

  it("A11, P4: after a kill it waits in the stored chat, still marked, and going on with the turn sends it after the results", async () => {
    const lines: string[] = [];
    const slow = heldTool();
    const first = sessionOver(answersOf(callingAnswer({ name: "slow", input: {} })).streamChat, [slow.tool]);
    first.session.onDidEmit((event) => lines.push(writeEvent(event)));
    void first.session.submit("one");
    await until(() => slow.isRunning());
    await sayNow(first.session, "use tabs");
    const model = answersOf(textAnswer("done"));
    const { session } = sessionOver(model.streamChat, [], undefined, replayChat("chat", lines));
    assert.deepEqual(
      session.chat.queue?.map(({ text, now, held }) => [text, now, held]),
      [["use tabs", true, true]],
    );
    assert.equal(await session.continueTurn(), true);
    assert.deepEqual(rolesOf(model.requests[0]!), ["system", "user", "assistant", "tool", "user"]);
    assert.deepEqual(prompts(session), [
      ["one", false],
      ["use tabs", true],
    ]);
    first.session.stop();
  });

  it("A11, P4: another answer after it keeps it, and going back to before it takes it out", async () => {
    const slow = heldTool();
    const model = answersOf(callingAnswer({ name: "slow", input: {} }), textAnswer("done"), textAnswer("other"));
    const { session } = sessionOver(model.streamChat, [slow.tool]);
    const turn = session.submit("one");
    await until(() => slow.isRunning());
    await sayNow(session, "use tabs");
    slow.end();
    await turn;
    await session.regenerate();
    assert.deepEqual(rolesOf(model.requests[2]!), rolesOf(model.requests[1]!));
    assert.deepEqual(prompts(session), [
      ["one", false],
      ["use tabs", true],
    ]);
    const steering = session.chat.entries.find((entry) => entry.type === "user" && entry.steers === true);
    await session.rewind(steering!.id);
    assert.deepEqual([prompts(session), answers(session).length], [[["one", false]], 1]);
    await session.switchBranch();
    assert.deepEqual(prompts(session), [
      ["one", false],
      ["use tabs", true],
    ]);
  });

  it("A11: the count of rounds begins again with it", async () => {
    const slow = heldTool();
    const many = Array.from({ length: 100 }, () => callingAnswer({ name: "read", input: {} }));
    const counted = answersOf(...many, callingAnswer({ name: "slow", input: {} }), ...many, textAnswer("done"));
    let reads = 0;
    const read = makeTool("read", () => Promise.resolve(String((reads += 1))));
    const { session } = sessionOver(counted.streamChat, [slow.tool, read]);
    const turn = session.submit("one");
    await until(() => slow.isRunning());
    await sayNow(session, "go on");
    slow.end();
    await turn;
    assert.equal(counted.requests.length, 202);
    assert.equal(answers(session).at(-1)?.state, "complete");
  });
});
