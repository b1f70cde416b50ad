/** A service refuses a request for its length: the newest results are cut once more, older messages are summarised or left out, and nothing is sent twice (A6). */
import assert from "node:assert/strict";
import { AppFailure } from "../../../../src/domain/errors/appError";
import type { ChatEvent } from "../../../../src/domain/chat/chatEvent";
import type { ChatRequest } from "../../../../src/domain/chat/message";
import { type Chat, emptyChat, toolCalls, type ToolProgress } from "../../../../src/domain/chat/chat";
import { callingAnswer } from "../../../support/builders";
import { answers, errorOf, makeTool } from "../../../support/chatSessions";
import {
  countedAnswer,
  smallModel,
  summaries,
  summarizedChat,
  type SummarizedChat,
} from "../../../support/summarizedChats";
import { withSettings } from "../../../support/plainOptions";

const { contextSize: _unknown, ...model } = smallModel;
const tokensIn = ({ messages }: ChatRequest): number => Math.round(JSON.stringify(messages).length / 4);

/** Answers what is not longer than so many tokens. */
function within(limit: number, named: boolean, answer: (index: number) => readonly ChatEvent[]) {
  return (request: ChatRequest, index: number): readonly ChatEvent[] => {
    const promptSize = tokensIn(request);
    if (promptSize <= limit) return answer(index);
    const sizes = named ? { contextSize: limit, promptSize } : {};
    throw new AppFailure({ kind: "too-large", message: "too long", status: 400, ...sizes });
  };
}

const asked = ({ requests }: SummarizedChat): string[] => requests.map(({ asks }) => asks);
const resultsOf = ({ session }: SummarizedChat): ToolProgress[] =>
  answers(session).flatMap((answer) => toolCalls(answer).map(({ progress }) => progress));

/** As it was stored: its last answer has a result that no request can hold. */
const stored: Chat = {
  ...emptyChat("c"),
  entries: [
    { type: "user", id: "u0", text: `first ${"x".repeat(4000)}`, at: 0 },
    {
      ...{ type: "answer", id: "a0", model: "m", family: "chat-completions", startedAt: 0, state: "complete" },
      ...{ finish: "stop", blocks: [{ type: "text", block: 0, text: "yes" }] },
    },
    { type: "user", id: "u1", text: "read it", at: 0 },
    {
      ...{ type: "answer", id: "a1", model: "m", family: "chat-completions", startedAt: 0, state: "complete" },
      finish: "tool-calls",
      blocks: [
        {
          ...{ type: "tool-call", block: 0, call: "call-0", name: "read", argumentText: "{}" },
          progress: {
            ...{ state: "done", input: {}, action: { type: "call", name: "read" } },
            result: "line of a file\n".repeat(15_000),
          },
        },
      ],
    },
    {
      ...{ type: "answer", id: "a2", model: "m", family: "chat-completions", startedAt: 0, state: "failed" },
      failure: { type: "context-full", error: { kind: "too-large", message: "too long", status: 400 } },
      blocks: [],
    },
  ],
};

describe("a request that is refused for its length", () => {
  for (const choice of ["summarize", "leave-out"] as const)
    it(`A6 (agent finding 3): ${choice} goes on also where the last answer's result is what is too long`, async () => {
      const chat = summarizedChat(
        { answer: within(8000, true, () => countedAnswer("done")), summarize: () => countedAnswer("short", 100) },
        { model: () => Promise.resolve(model), ...withSettings(() => ({ summarizeChats: false })) },
        stored,
      );
      await chat.session.retry(choice);
      assert.equal(answers(chat.session).at(-1)?.state, "complete");
      assert.equal(summaries(chat.session).at(-1)?.leftOut, choice === "leave-out" ? true : undefined);
      assert.equal(JSON.stringify(chat.requests.at(-1)).includes("first xxx"), false);
      const [result] = resultsOf(chat);
      assert.ok(result?.state === "done" && result.cutFrom === 225_000 && result.result.length < 32_000);
    });

  it("A6: with summaries switched off the newest results are cut, the longest first, and the size that was named is learnt", async () => {
    const learnt: number[] = [];
    const texts = ["short", "b".repeat(60_000), "c".repeat(90_000)];
    const chat = summarizedChat(
      {
        answer: within(8000, true, (index) =>
          index === 1
            ? callingAnswer(...texts.map((_, at) => ({ name: "read", input: { at } })))
            : countedAnswer("done"),
        ),
      },
      {
        model: () => Promise.resolve(model),
        ...withSettings(() => ({ summarizeChats: false })),
        learnContextSize: (_id, tokens) => learnt.push(tokens),
        tools: () => [makeTool("read", (input) => Promise.resolve(texts[(input as { at: number }).at]!))],
      },
    );
    await chat.session.submit("read all");
    assert.deepEqual(asked(chat), ["answer", "answer", "answer"]);
    assert.deepEqual(learnt, [8000]);
    const results = resultsOf(chat).map((progress) => (progress.state === "done" ? progress : assert.fail()));
    assert.deepEqual(
      results.map(({ cutFrom }) => cutFrom),
      [undefined, 60_000, 90_000],
    );
    assert.equal(results[1]!.result.length, results[2]!.result.length, "the longest to equal length");
    assert.match(errorOf(answers(chat.session)[1])?.meaning ?? "", /shorter request/);
    assert.equal(answers(chat.session).at(-1)?.state, "complete");
  });

  it("A6: a request for a summary that is too long itself is made again with less in it", async () => {
    const chat = summarizedChat(
      {
        answer: within(3000, false, () => countedAnswer("ok")),
        summarize: (request) => within(3000, false, () => countedAnswer("the summary"))(request, 0),
      },
      { model: () => Promise.resolve(model) },
    );
    for (let turn = 0; turn < 3; turn += 1) await chat.session.submit(`turn ${turn} ${"x".repeat(4600)}`);
    assert.equal(answers(chat.session).at(-1)?.state, "complete");
    const [summary] = summaries(chat.session);
    assert.equal(summary?.state, "complete");
    const sizes = chat.requests.filter(({ asks }) => asks === "summary").map(tokensIn);
    assert.ok(sizes.every((size, at) => at === 0 || size < sizes[at - 1]!) && sizes.at(-1)! <= 3000, String(sizes));
  });

  it("A6: a service that refuses whatever it is sent is asked for a few smaller requests, then the turn is paused", async () => {
    const chat = summarizedChat(
      { answer: within(0, false, () => []), summarize: () => countedAnswer("short", 50) },
      { model: () => Promise.resolve(model) },
      { ...stored, entries: stored.entries.slice(0, 2) },
    );
    await chat.session.submit("and?");
    const sizes = chat.requests.filter(({ asks }) => asks === "answer").map(tokensIn);
    assert.ok(sizes.length <= 4, String(sizes));
    assert.ok(
      sizes.every((size, at) => at === 0 || size < sizes[at - 1]!),
      String(sizes),
    );
    assert.equal(errorOf(answers(chat.session).at(-1))?.isPause, true);
    assert.equal(errorOf(answers(chat.session).at(-1))?.action.id, "choose-model");
  });

  it("A6: for such a service a long result is cut three times only, then the turn is paused", async () => {
    const chat = summarizedChat(
      { answer: within(0, false, () => []) },
      { model: () => Promise.resolve(model), ...withSettings(() => ({ summarizeChats: false })) },
      stored,
    );
    await chat.session.retry();
    assert.equal(chat.requests.length, 4);
    assert.equal(errorOf(answers(chat.session).at(-1))?.isPause, true);
  });
});
