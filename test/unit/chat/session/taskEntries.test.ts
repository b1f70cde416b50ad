/** Tasks in a chat: their entries are no part of a turn, and stay when an answer or a message is replaced. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { createMessages } from "../../../../src/chat/request/history";
import { reduceChat } from "../../../../src/domain/chat/reduceChat";
import { type Chat, emptyChat, type Entry, type TaskEntry, type SessionEvent } from "../../../../src/domain/chat/chat";
import { isTurnEnd, isAwaitingModel, repetitionOf } from "../../../../src/chat/page/shared/turn";
import { answersOf, callingAnswer, textAnswer } from "../../../support/builders";
import { makeTool, sessionOver } from "../../../support/chatSessions";
import { replayChat, writeEvent } from "../../../support/replayedChat";

const added: SessionEvent = { type: "task-added", id: "j", text: "a lighthouse", at: 1, tasks: ["t1", "t2"] };
const kinds = ({ entries }: Chat): string[] => entries.map(({ type }) => type);
const line = "(Before this the person submitted a picture or video task from this chat. Its prompt: a lighthouse)";

describe("tasks in a chat", () => {
  it("P4: the entry holds the prompt and the ids of the intents, comes back from the file, and gives an empty chat its title", () => {
    const chat = replayChat("c", [writeEvent(added)]);
    assert.deepEqual(chat.entries, [{ type: "task", id: "j", text: "a lighthouse", at: 1, tasks: ["t1", "t2"] }]);
    assert.deepEqual(chat.entries, reduceChat(emptyChat("c"), added).entries);
  });

  it("A1, A7: added in the middle of a turn it comes between no call and its result; the model is told with the next prompt, and each time the same", async () => {
    const model = answersOf(callingAnswer({ name: "work", input: {} }), textAnswer("Done."), textAnswer("Darker."));
    const tool = makeTool("work", async () => {
      assert.equal(await session.addTasks("a lighthouse", ["t1"]), true);
      return "worked";
    });
    const { session } = sessionOver(model.streamChat, [tool]);
    await session.submit("work");
    assert.deepEqual(kinds(session.chat), ["user", "answer", "task", "answer"]);
    await session.submit("Make it darker");
    const [, during, after] = model.requests.map(({ messages }) => messages);
    assert.deepEqual(
      during!.map(({ role }) => role),
      ["system", "user", "assistant", "tool"],
    );
    const last = after!.at(-1);
    assert.deepEqual(last, { role: "user", parts: [{ type: "text", text: `${line}\n\nMake it darker` }] });
    assert.deepEqual(after!.slice(0, during!.length), during, "what was sent before stays");
  });

  it("A7: a long prompt is cut between two characters, not in the middle of one", () => {
    const long = reduceChat(emptyChat("c"), { ...added, text: `${"a".repeat(499)}🏠` });
    const chat = reduceChat(long, { type: "prompt-added", id: "p", text: "hi", at: 1 });
    const sent = createMessages(chat, "s").flatMap((message) => (message.role === "user" ? message.parts : []));
    assert.deepEqual(
      sent.map((part) => part.type === "text" && part.text.isWellFormed()),
      [true],
    );
  });

  it("P1: the turn before it ends at its own answer, and can be asked again; an answer that runs is still awaited", () => {
    const running: SessionEvent[] = [
      { type: "prompt-added", id: "p", text: "hi", at: 0 },
      { type: "turn-started" },
      { type: "answer-started", id: "a", model: "m", family: "messages", at: 0 },
    ];
    const ended: SessionEvent[] = [{ type: "answer-ended", id: "a", at: 1, state: "complete" }, { type: "turn-ended" }];
    const during = [...running, added].reduce(reduceChat, emptyChat("c"));
    assert.equal(isAwaitingModel(during), true);
    assert.equal(isTurnEnd(during, 1), false);
    const after = ended.reduce(reduceChat, during);
    assert.equal(isTurnEnd(after, 1), true);
    assert.equal(repetitionOf(after, 1), "regenerate");
    const cut = reduceChat(during, { type: "turn-interrupted" });
    assert.equal(cut.interrupted, true);
  });

  it("P1, T1: what is paid stays when a message is sent again, when the answer is, and when that is undone", async () => {
    const model = answersOf(...["one", "two", "three"].map((text) => textAnswer(text)));
    const { session } = sessionOver(model.streamChat);
    await session.submit("hi");
    await session.addTasks("a lighthouse", ["t1"]);
    await session.regenerate();
    assert.deepEqual(kinds(session.chat), ["user", "task", "answer"]);
    await session.switchBranch();
    assert.deepEqual(kinds(session.chat), ["user", "task", "answer"]);
    assert.deepEqual(kinds({ ...session.chat, entries: session.chat.otherBranch!.entries }), ["answer"]);
    await session.resend(session.chat.entries[0]!.id, "hello");
    assert.deepEqual(kinds(session.chat), ["task", "user", "answer"]);
  });

  it("P3: another window's chat takes none", async () => {
    const done = (): Promise<void> => Promise.resolve();
    const takeOver = (): Promise<boolean> => Promise.resolve(false);
    const storage = { isWritable: false, takeOver, flush: done, hasTitle: false, setTitle: done };
    const { session } = sessionOver(answersOf().streamChat, [], undefined, undefined, undefined, storage);
    assert.equal(await session.addTasks("a lighthouse", ["t1"]), false);
    assert.deepEqual(session.chat.entries, []);
  });

  it("A7: wherever tasks stand, what the model is sent is the chat without them, and lines before prompts", () => {
    const spoken = fc.array(fc.constantFrom("user" as const, "answer" as const), { maxLength: 6 });
    fc.assert(
      fc.property(spoken, fc.array(fc.nat(6), { maxLength: 4 }), (types, places) => {
        const entries = types.map((type, index): Entry =>
          type === "user"
            ? { type, id: `${index}`, text: `u${index}`, at: 0 }
            : {
                ...{ type, id: `${index}`, model: "m", family: "messages", startedAt: 0, state: "complete" },
                blocks: [{ type: "text", block: 0, text: `a${index}` }],
              },
        );
        const mixed = [...entries];
        const job: TaskEntry = { type: "task", id: "j", text: "a lighthouse", at: 0, tasks: ["t"] };
        for (const place of places) mixed.splice(Math.min(place, mixed.length), 0, job);
        const messages = (list: Entry[]): unknown =>
          JSON.parse(
            JSON.stringify(createMessages({ id: "c", entries: list, running: false }, "")).replaceAll(
              `${line}\\n\\n`,
              "",
            ),
          );
        assert.deepEqual(messages(mixed), messages(entries));
      }),
    );
  });
});
