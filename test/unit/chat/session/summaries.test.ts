/** Near the limit of the model's context older messages are summarised: visibly, undoably, and without a message lost (A6). */
import assert from "node:assert/strict";
import { untrustedSent } from "../../../../src/chat/session/untrusted";
import { AppFailure } from "../../../../src/domain/errors/appError";
import type { ChatRequest } from "../../../../src/domain/chat/message";
import { emptyChat, type SummaryEntry } from "../../../../src/domain/chat/chat";
import { callingAnswer, until } from "../../../support/builders";
import { answers, errorOf, makeTool } from "../../../support/chatSessions";
import { replayChat, writeEvent } from "../../../support/replayedChat";
import {
  countedAnswer,
  smallModel,
  systemTokens,
  summaries,
  summarizedChat,
  type SummarizedChat,
  textOfMessage,
} from "../../../support/summarizedChats";
import { withSettings } from "../../../support/plainOptions";

const long = (name: string): string => `${name} ${"x".repeat(800)}`;
/** Of a service that counts 170 tokens for the system prompt: with it four such messages fill more than 80 % of a context of 1,000 tokens. */
const countOf = ({ messages }: ChatRequest): number =>
  170 + Math.round(messages.slice(1).map(textOfMessage).join("").length / 4);
const fills = {
  answer: (request: ChatRequest, index: number) => countedAnswer(`answer ${index}`, countOf(request)),
};
const sentTexts = ({ requests }: SummarizedChat): string[] => requests.at(-1)!.messages.map(textOfMessage);
const asked = ({ requests }: SummarizedChat): string[] => requests.map(({ asks }) => asks);
async function fill(chat: SummarizedChat, more = 4): Promise<void> {
  for (let turn = 1; turn <= more; turn += 1) await chat.session.submit(long(`message ${turn}`));
}

describe("summaries of older messages", () => {
  it("A6: before the request that would fill the context the model summarises the older turns; later requests hold the summary in their place, and the chat holds all", async () => {
    const chat = summarizedChat(fills);
    await fill(chat);
    assert.deepEqual(asked(chat), ["answer", "answer", "answer", "summary", "answer"]);
    const summaryRequest = textOfMessage(chat.requests[3]!.messages[0]);
    assert.match(summaryRequest, /message 1[^]*answer 1[^]*message 3[^]*answer 3/);
    assert.doesNotMatch(summaryRequest, /message 4/);
    assert.equal(chat.requests[3]!.options?.maxOutputTokens, 250, "bounded");
    const texts = sentTexts(chat);
    assert.equal(texts.length, 3, "instructions, summary, message");
    assert.match(texts[1]!, /no permission[^]*the summary/);
    assert.match(texts[2]!, /^message 4/);
    const types = chat.session.chat.entries.map(({ type }) => type);
    assert.deepEqual(types, ["user", "answer", "user", "answer", "user", "answer", "user", "summary", "answer"]);
    assert.equal(summaries(chat.session)[0]?.state, "complete");
  });

  it("A6: undone, the older turns are sent again and nothing is summarised unasked; redone, the summary", async () => {
    const chat = summarizedChat(fills);
    await fill(chat);
    const { id } = summaries(chat.session)[0]!;
    assert.equal(await chat.session.switchSummary(id, true), true);
    await chat.session.submit("next");
    assert.equal(asked(chat).at(-1), "answer");
    assert.equal(asked(chat).length, 6);
    assert.match(sentTexts(chat)[1]!, /^message 1/);
    assert.equal(sentTexts(chat).length, 10);
    await chat.session.switchSummary(id, false);
    await chat.session.submit("last");
    assert.match(sentTexts(chat)[1]!, /the summary/);
    assert.equal(await chat.session.switchSummary("unknown", true), false);
  });

  it("A6: a pinned message is sent as it is, whatever is summarised; unpinned it is not", async () => {
    const chat = summarizedChat(fills);
    await chat.session.submit(long("message 0"));
    const [first] = chat.session.chat.entries;
    assert.equal(await chat.session.pin(first!.id, true), true);
    await fill(chat, 3);
    assert.ok(asked(chat).includes("summary"));
    assert.ok(sentTexts(chat).includes(long("message 0")));
    assert.ok(!sentTexts(chat).includes(long("message 1")));
    await chat.session.pin(first!.id, false);
    await chat.session.submit("next");
    assert.ok(!sentTexts(chat).includes(long("message 0")));
    assert.equal(await chat.session.pin(chat.session.chat.entries[1]!.id, true), false, "an answer");
  });

  it("A6, S5: stopped while the summary streams, nothing else is sent and nothing is replaced", async () => {
    const chat = summarizedChat({
      ...fills,
      summarize: (_, signal) =>
        new Promise((_resolve, reject) => signal?.addEventListener("abort", () => reject(signal.reason as Error))),
    });
    await fill(chat, 3);
    const turn = chat.session.submit(long("message 4"));
    await until(() => asked(chat).at(-1) === "summary");
    chat.session.stop();
    await turn;
    assert.equal(summaries(chat.session)[0]?.state, "stopped");
    assert.equal(asked(chat).at(-1), "summary");
    assert.equal(chat.session.chat.running, false);
  });

  it("A6, A13: the model and the mode that are chosen while the summary streams count for the request after it", async () => {
    let go = (): void => undefined;
    const chosen = new Promise<void>((resolve) => (go = resolve));
    const chat = summarizedChat(
      { ...fills, summarize: () => chosen.then(() => countedAnswer("the summary", 300)) },
      {
        model: ({ model }) => Promise.resolve({ ...smallModel, id: model ?? smallModel.id }),
        tools: () => [makeTool("change", () => Promise.resolve("changed"), true)],
      },
    );
    await fill(chat, 3);
    assert.equal(chat.requests.at(-1)?.tools.length, 1);
    const turn = chat.session.submit(long("message 4"));
    await until(() => asked(chat).at(-1) === "summary");
    await chat.session.choose({ type: "model-set", model: "other:1b" });
    await chat.session.setMode("ask");
    go();
    await turn;
    assert.deepEqual(asked(chat).slice(-2), ["summary", "answer"]);
    assert.equal(chat.requests.at(-1)?.model, "other:1b");
    assert.equal(chat.requests.at(-1)?.tools.length, 0);
  });

  for (const [name, summarize] of [
    [
      "refused",
      () => {
        throw new AppFailure({ kind: "unavailable", message: "busy", status: 503 });
      },
    ],
    [
      "cut",
      () => [
        { type: "message-start" as const },
        { type: "text-delta" as const, block: 0, text: "ha" },
        { type: "message-end" as const, finish: "unknown" as const, cut: true },
      ],
    ],
    ["empty", () => countedAnswer("", 5)],
  ] as const) {
    it(`A6: a summary that is ${name} pauses the turn: the person has it tried again, or agrees to leave the older turns out`, async () => {
      let fails = true;
      const chat = summarizedChat({
        ...fills,
        summarize: () => (fails ? summarize() : countedAnswer("the summary", 9)),
      });
      await fill(chat);
      assert.deepEqual(asked(chat), ["answer", "answer", "answer", "summary"]);
      assert.equal(summaries(chat.session)[0]?.state, "failed");
      const card = errorOf(answers(chat.session).at(-1));
      assert.deepEqual([card?.action.id, card?.secondAction?.id], ["summarize", "leave-out"]);
      const stored = chat.session.chat;
      await chat.session.retry("leave-out");
      assert.deepEqual(asked(chat).slice(4), ["answer"]);
      assert.match(sentTexts(chat)[1]!, /was left out/);
      assert.match(sentTexts(chat)[2]!, /^message 4/);
      fails = false;
      const other = summarizedChat({ ...fills, summarize: () => countedAnswer("better", 9) }, {}, stored);
      await other.session.retry("summarize");
      assert.deepEqual(asked(other), ["summary", "answer"]);
      assert.match(sentTexts(other)[1]!, /better/);
    });
  }

  it("A6: where the context's size is not known, the gateway's refusal for length leads to a summary and the request is made again", async () => {
    const { contextSize: _unknown, ...model } = smallModel;
    const chat = summarizedChat(
      {
        answer: (request, index) => {
          if (request.messages.length > 6)
            throw new AppFailure({ kind: "too-large", message: "too long", status: 400 });
          return fills.answer(request, index);
        },
      },
      { model: () => Promise.resolve(model) },
    );
    await fill(chat);
    assert.deepEqual(asked(chat), ["answer", "answer", "answer", "answer", "summary", "answer"]);
    assert.equal(answers(chat.session).at(-1)?.state, "complete");
  });

  it("A6: switched off, nothing is summarised, and the refusal for length says what can be done", async () => {
    const chat = summarizedChat(
      {
        answer: (_, index) => {
          if (index === 4) throw new AppFailure({ kind: "too-large", message: "too long", status: 400 });
          return countedAnswer("a", index * 300);
        },
      },
      { ...withSettings(() => ({ summarizeChats: false })) },
    );
    await fill(chat);
    assert.deepEqual(asked(chat), ["answer", "answer", "answer", "answer"]);
    assert.equal(errorOf(answers(chat.session).at(-1))?.action.id, "summarize");
    await chat.session.retry("summarize");
    assert.deepEqual(asked(chat).slice(4), ["summary", "answer"]);
  });

  it("A6, A7: in the middle of a long turn its prompt and its last results stay, and no call loses its result", async () => {
    const read = makeTool("read", () => Promise.resolve("r".repeat(1000)));
    const chat = summarizedChat(
      {
        answer: (_, index) =>
          index < 4 ? callingAnswer({ name: "read", input: { index } }) : countedAnswer("done", 100),
      },
      {
        tools: () => [read],
        // 633 tokens beside the system prompt fill 80 % of it.
        model: () => Promise.resolve({ ...smallModel, contextSize: Math.round((633 + systemTokens) / 0.8) }),
      },
    );
    await chat.session.submit("read all");
    assert.deepEqual(asked(chat), ["answer", "answer", "answer", "summary", "answer"]);
    const { messages } = chat.requests[4]!;
    assert.deepEqual(
      messages.map(({ role }) => role),
      ["system", "user", "user", "assistant", "tool"],
    );
    assert.equal(textOfMessage(messages[2]), "read all");
  });

  it("A6, A8: the prompt of the turn in which a summary was made stays beside it in later turns, until the next summary", async () => {
    const read = makeTool("read", () => Promise.resolve("r".repeat(1000)));
    const chat = summarizedChat(
      {
        answer: (_, index) =>
          index < 4 ? callingAnswer({ name: "read", input: { index } }) : countedAnswer("done", 100),
      },
      { tools: () => [read] },
    );
    await chat.session.submit("read all");
    const before = chat.requests.at(-1)!.messages;
    await chat.session.submit("and?");
    const after = chat.requests.at(-1)!.messages;
    assert.deepEqual(after.slice(0, before.length), before, "the service's cache has it");
    await chat.session.summarize();
    await chat.session.submit("next");
    assert.deepEqual(sentTexts(chat).slice(2), ["next"]);
  });

  it("A6: by hand everything is summarised, once; the next message goes with the summary alone", async () => {
    const chat = summarizedChat(fills);
    assert.equal(await chat.session.summarize(), false, "an empty chat");
    await chat.session.submit("short");
    assert.equal(await chat.session.summarize(), true);
    assert.equal(await chat.session.summarize(), false, "nothing new");
    await chat.session.submit("next");
    assert.deepEqual(asked(chat), ["answer", "summary", "answer"]);
    assert.deepEqual(sentTexts(chat).slice(2), ["next"]);
  });

  it("A4, H5: what somebody else wrote counts while it is sent, through prompts and summaries, until it is left out", async () => {
    const page = {
      declaration: { name: "web", description: "web", parameters: { type: "object" } },
      effect: "reads" as const,
      prepare: () =>
        Promise.resolve({
          action: { type: "call" as const, name: "web" },
          untrusted: "example.org",
          run: () => Promise.resolve("obey"),
        }),
    };
    const chat = summarizedChat(
      { answer: (_, index) => (index === 1 ? callingAnswer({ name: "web", input: {} }) : countedAnswer("ok", 50)) },
      { tools: () => [page] },
    );
    await chat.session.submit("look");
    await chat.session.submit("thanks");
    assert.equal(untrustedSent(chat.session.chat), "example.org", "a new message of the person's");
    await chat.session.summarize();
    await chat.session.submit("go on");
    assert.equal(untrustedSent(chat.session.chat), "example.org");
    await chat.session.summarize();
    await chat.session.submit("and on");
    assert.equal(untrustedSent(chat.session.chat), "example.org", "a summary of a summary");
    const kept = { ...chat.session.chat };
    for (const { id } of summaries(chat.session)) await chat.session.switchSummary(id, true);
    assert.equal(untrustedSent(chat.session.chat), "example.org", "undone");
    const leftOut = ({ untrusted: _gone, ...entry }: SummaryEntry): SummaryEntry => ({ ...entry, leftOut: true });
    const entries = kept.entries.map((entry) => (entry.type === "summary" ? leftOut(entry) : entry));
    assert.equal(untrustedSent({ entries }), undefined, "it is not sent any more");
  });

  it("P3, A6: a summary that was cut by the end of its window is no summary; the turn goes on from it", async () => {
    const lines: string[] = [];
    const chat = summarizedChat({
      ...fills,
      summarize: () => new Promise<never>(() => undefined),
    });
    chat.session.onDidEmit((event) => lines.push(writeEvent(event)));
    await fill(chat, 3);
    void chat.session.submit(long("message 4"));
    await until(() => asked(chat).at(-1) === "summary");
    const killed = replayChat(chat.session.chat.id, lines);
    assert.equal(summaries({ chat: killed })[0]?.state, "streaming");
    const after = summarizedChat(fills, {}, killed);
    after.session.interrupt();
    assert.equal(summaries(after.session)[0]?.state, "interrupted");
    assert.equal(after.session.chat.interrupted, true);
    assert.equal(await after.session.continueTurn(), true);
    assert.deepEqual(asked(after), ["summary", "answer"]);
    assert.match(sentTexts(after)[2]!, /^message 4/);
  });

  it("P3, A6: an interrupted turn that is summarised by hand can still be gone on with", async () => {
    const lines: string[] = [];
    const chat = summarizedChat({ ...fills, summarize: () => new Promise<never>(() => undefined) });
    chat.session.onDidEmit((event) => lines.push(writeEvent(event)));
    await fill(chat, 3);
    void chat.session.submit(long("message 4"));
    await until(() => asked(chat).at(-1) === "summary");
    const after = summarizedChat(fills, {}, replayChat(chat.session.chat.id, lines));
    after.session.interrupt();
    assert.equal(await after.session.summarize(), true);
    assert.equal(await after.session.continueTurn(), true);
    assert.deepEqual(asked(after), ["summary", "answer"]);
    assert.match(sentTexts(after)[2]!, /^message 4/);
    assert.equal(await after.session.continueTurn(), false);
  });

  it("A6: a chat of a file whose summary covers what is not there is sent whole", async () => {
    const chat = summarizedChat(
      fills,
      {},
      {
        ...emptyChat("c"),
        entries: [
          { type: "user", id: "u", text: "one", at: 0 },
          {
            type: "summary",
            id: "s",
            until: "gone",
            model: "m",
            family: "messages",
            startedAt: 0,
            state: "complete",
            blocks: [],
          },
        ],
      },
    );
    await chat.session.submit("two");
    assert.deepEqual(sentTexts(chat).slice(1), ["one", "two"]);
  });
});
