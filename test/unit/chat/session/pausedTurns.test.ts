/** What pauses a turn instead of ending it: the person's caps, the limit on rounds, and what was never run. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import * as z from "zod/mini";
import type { ChatEvent } from "../../../../src/domain/chat/chatEvent";
import { AppFailure } from "../../../../src/domain/errors/appError";
import { defineTool } from "../../../../src/tools/base/defineTool";
import { callingAnswer, until } from "../../../support/builders";
import { answers, errorOf, makeTool, progressOf, waiting } from "../../../support/chatSessions";
import { replayChat, writeEvent } from "../../../support/replayedChat";
import { countedAnswer, smallModel, summarizedChat, systemTokens } from "../../../support/summarizedChats";
import { withSettings } from "../../../support/plainOptions";

describe("a turn that is paused", () => {
  it("T10: a request that would exceed the cap of tokens for the chat is not sent; after a reload too, until the person goes on once or raises the cap", async () => {
    let cap = 1000;
    const options = { ...withSettings(() => ({ "caps.tokensPerChat": cap, summarizeChats: false })) };
    const script = { answer: (_: unknown, index: number) => countedAnswer(`answer ${index}`, 450) };
    const chat = summarizedChat(script, options);
    const lines: string[] = [];
    chat.session.onDidEmit((event) => lines.push(writeEvent(event)));
    await chat.session.submit("one");
    assert.equal(chat.session.chat.tokens, 460);
    await chat.session.submit("two");
    await chat.session.submit("three");
    assert.equal(chat.requests.length, 2, "the third was not sent");
    const card = errorOf(answers(chat.session).at(-1));
    assert.match(card?.title ?? "", /920 tokens, and the next request takes about 461: your cap is 1,000/);
    assert.deepEqual([card?.action.id, card?.secondAction?.id], ["over-cap", "change-token-cap"]);
    assert.equal(chat.session.chat.running, false);

    const after = summarizedChat(script, options, replayChat(chat.session.chat.id, lines));
    after.session.interrupt();
    assert.equal(after.requests.length, 0, "nothing is sent unasked");
    await after.session.retry();
    assert.equal(after.requests.length, 0, "asking again is not going on");
    await after.session.retry("over-cap");
    assert.equal(after.requests.length, 1);
    await after.session.submit("four");
    assert.equal(after.requests.length, 1, "once");
    cap = 3000;
    await after.session.retry();
    assert.equal(after.requests.length, 2);
  });

  it("T18: a request that would exceed the cap of money for the chat, by the person's price list, is not sent until they go on once or raise the cap", async () => {
    let cap = 0.5;
    const prices = { currency: "EUR", entries: [{ model: smallModel.id, input: 1000, cacheRead: 0, output: 100 }] };
    const options = {
      ...withSettings(() => ({
        "caps.moneyPerChat": cap,
        prices: [{ currency: prices.currency }, ...prices.entries],
        summarizeChats: false,
      })),
    };
    const script = { answer: (_: unknown, index: number) => countedAnswer(`answer ${index}`, 200) };
    const chat = summarizedChat(script, options);
    await chat.session.submit("one");
    assert.deepEqual(chat.session.chat.spent, [
      { model: smallModel.id, input: 200, output: 10, cacheRead: 0, cacheWrite: 0 },
    ]);
    await chat.session.submit("two");
    await chat.session.submit("three");
    assert.equal(chat.requests.length, 2, "the third was not sent");
    const card = errorOf(answers(chat.session).at(-1));
    assert.match(
      card?.title ?? "",
      /this chat has cost €0\.40, and the next request costs about €0\.2\d: your cap is €0\.50/,
    );
    assert.deepEqual([card?.action.id, card?.secondAction?.id], ["over-cap", "change-money-cap"]);
    await chat.session.retry("over-cap");
    assert.equal(chat.requests.length, 3);
    await chat.session.submit("four");
    assert.equal(chat.requests.length, 3, "once");
    cap = 5;
    await chat.session.retry();
    assert.equal(chat.requests.length, 4);
  });

  it("T18: the cap of money for the chat counts what the gateway states, needs no price list then, and says by whom", async () => {
    const cost = { amount: 0.2, currency: "CNY", source: "gateway" } as const;
    const script = {
      answer: () => countedAnswer("answer", 200).map((event) => (event.type === "usage" ? { ...event, cost } : event)),
    };
    const chat = summarizedChat(
      script,
      withSettings(() => ({ "caps.moneyPerChat": 0.3, summarizeChats: false })),
    );
    for (const prompt of ["one", "two", "three"]) await chat.session.submit(prompt);
    assert.deepEqual([chat.session.chat.costs, chat.session.chat.spent], [[{ ...cost, amount: 0.4 }], undefined]);
    assert.equal(chat.requests.length, 2, "the third was not sent");
    const title = errorOf(answers(chat.session).at(-1))?.title ?? "";
    assert.equal(title, "By the gateway's amounts this chat has cost ¥0.40: your cap is ¥0.30.");
  });

  it("T18: a chat whose models have no price has no cap of money, and what the cache holds is expected to be read from there", async () => {
    const script = {
      answer: () => [
        { type: "message-start" as const },
        { type: "text-delta" as const, block: 0, text: "x" },
        { type: "usage" as const, input: 1200, output: 0, cacheRead: 1000, cacheWrite: 150, raw: null },
        { type: "message-end" as const, finish: "stop" as const, cut: false },
      ],
    };
    const priced = { model: smallModel.id, input: 1000, cacheRead: 100, cacheWrite: 1250, output: 0 };
    const chatWith = (entries: readonly (typeof priced)[], cap: number): ReturnType<typeof summarizedChat> =>
      summarizedChat(script, {
        ...withSettings(() => ({
          "caps.moneyPerChat": cap,
          prices: [{ currency: "EUR" }, ...entries],
          summarizeChats: false,
        })),
      });
    const free = chatWith([{ ...priced, model: "other" }], 0.000_001);
    await free.session.submit("one");
    await free.session.submit("two");
    assert.equal(free.requests.length, 2);
    // 0.34 for the first; the second has about 1,200 tokens, of which 1,150 are in the cache: 0.17, not 1.2.
    const cached = chatWith([priced], 0.9);
    await cached.session.submit("one");
    await cached.session.submit("two");
    assert.equal(cached.requests.length, 2);
  });

  it("T10: going on once covers all rounds of the turn", async () => {
    const read = makeTool("read", () => Promise.resolve("text"));
    const chat = summarizedChat(
      {
        answer: (_, index) =>
          index === 1 || index > 3 ? countedAnswer("x", 500) : callingAnswer({ name: "read", input: { index } }),
      },
      { tools: () => [read], ...withSettings(() => ({ "caps.tokensPerChat": 600, summarizeChats: false })) },
    );
    await chat.session.submit("one");
    await chat.session.submit("two");
    assert.equal(chat.requests.length, 1);
    await chat.session.retry("over-cap");
    assert.equal(chat.requests.length, 4);
  });

  it("T10: what a replaced answer took stays counted; where the gateway counts nothing, the length does", async () => {
    const silent = summarizedChat(
      { answer: () => countedAnswer("x".repeat(4000)) },
      { ...withSettings(() => ({ "caps.tokensPerChat": 2000, summarizeChats: false })) },
    );
    await silent.session.submit("one");
    const { tokens = 0 } = silent.session.chat;
    assert.ok(tokens >= 1000 && tokens < 1010, String(tokens));
    await silent.session.regenerate();
    assert.ok((silent.session.chat.tokens ?? 0) >= 2000, "the replaced one too");
    await silent.session.submit("two");
    assert.equal(silent.requests.length, 2);
  });

  it("T10: a summary counts too, and is not asked for beyond the cap", async () => {
    const chat = summarizedChat(
      { answer: () => countedAnswer("x", 100 + systemTokens) },
      { ...withSettings(() => ({ "caps.tokensPerChat": 220 + systemTokens })) },
    );
    await chat.session.submit("one");
    await chat.session.summarize();
    assert.deepEqual(
      chat.requests.map(({ asks }) => asks),
      ["answer"],
    );
    const last = chat.session.chat.entries.at(-1);
    assert.ok(last?.type === "summary" && last.state === "failed" && last.failure?.type === "token-cap");
  });

  it("T10, A1: a tool that was to submit a task beyond the cap of the day pauses the turn before the model is asked again", async () => {
    const submit = makeTool(
      "submit_task",
      () => Promise.reject(new AppFailure({ kind: "capped", code: "3", message: "3 tasks today", notSent: true })),
      true,
    );
    const chat = summarizedChat(
      {
        answer: (_, index) =>
          index === 1 ? callingAnswer({ name: "submit_task", input: {} }) : countedAnswer("ok", 9),
      },
      { tools: () => [submit] },
    );
    const turn = chat.session.submit("order a picture");
    await until(() => waiting(chat.session).length === 1);
    chat.session.approvals.decide(waiting(chat.session)[0]!.id, { allow: true });
    await turn;
    assert.equal(chat.requests.length, 1);
    const card = errorOf(answers(chat.session).at(-1));
    assert.match(card?.title ?? "", /cap of 3 tasks a day/);
    assert.deepEqual([card?.action.id, card?.secondAction?.id], ["change-tasks-per-day", "retry"]);
    await chat.session.retry();
    assert.equal(chat.requests.length, 2);
    assert.equal(chat.requests[1]!.messages.at(-1)?.role, "tool");
  });

  it("A1, A11: after so many rounds as the person set, the turn waits; Go On continues with all that was done", async () => {
    const read = makeTool("read", () => Promise.resolve("text"));
    const chat = summarizedChat(
      {
        answer: (_, index) =>
          index <= 25 ? callingAnswer({ name: "read", input: { index } }) : countedAnswer("done", 9),
      },
      { tools: () => [read], ...withSettings(() => ({ summarizeChats: false, "caps.roundsPerTurn": 25 })) },
    );
    await chat.session.submit("go");
    assert.equal(chat.requests.length, 25);
    const card = errorOf(answers(chat.session).at(-1));
    assert.deepEqual([card?.action.label, card?.secondAction?.id], ["Go On", "change-rounds"]);
    await chat.session.retry();
    assert.equal(chat.requests.length, 26);
    assert.equal(chat.requests[25]!.messages.filter(({ role }) => role === "tool").length, 25);
  });

  it("A1, R4: a model that goes on with a call that is refused as repeated is not asked on and on: each request is paid", async () => {
    let runs = 0;
    const read = makeTool("read", () => Promise.resolve((runs += 1) > 0 ? "the same" : ""));
    const answer = (): readonly ChatEvent[] => callingAnswer({ name: "read", input: {} }, { name: "read", input: {} });
    const chat = summarizedChat(
      { answer },
      { tools: () => [read], ...withSettings(() => ({ summarizeChats: false })) },
    );
    await chat.session.submit("go");
    assert.deepEqual([runs, chat.requests.length], [4, 5]);
    const card = errorOf(answers(chat.session).at(-1));
    assert.equal(card?.title, "The model has answered 5 times in a row without coming to an end.");
    assert.equal(card.action.label, "Go On");
    await chat.session.retry();
    assert.deepEqual([runs, chat.requests.length], [8, 10], "a person may have it go on");
  });

  it("A1: an identical call, an unknown one and one with unreadable arguments go back to the model as results, and the turn goes on", async () => {
    let runs = 0;
    const read = makeTool("read", () => Promise.resolve((runs += 1) > 0 ? "the same" : ""));
    const invalid: readonly ChatEvent[] = [
      { type: "message-start" },
      { type: "tool-call-start", block: 0, call: "c", name: "read" },
      { type: "tool-call-invalid", call: "c", text: "{", reason: "cut" },
      { type: "message-end", finish: "tool-calls", cut: false },
    ];
    const chat = summarizedChat(
      {
        answer: (_, index) => {
          if (index <= 4) return callingAnswer({ name: "read", input: {} });
          if (index === 5) return callingAnswer({ name: "unknown", input: {} });
          return index === 6 ? invalid : countedAnswer("done", 9);
        },
      },
      { tools: () => [read] },
    );
    await chat.session.submit("go");
    assert.equal(runs, 3);
    assert.deepEqual(progressOf(chat.session), ["done", "done", "done", "failed", "failed", "invalid"]);
    const results = chat.requests[6]!.messages.flatMap((one) => (one.role === "tool" && one.isError ? [one.text] : []));
    assert.equal(results.length, 3);
    assert.match(results.join("\n"), /made 3 times with the same result[^]*no tool unknown[^]*could not be read/);
    assert.equal(answers(chat.session).at(-1)?.state, "complete");
  });

  const unread = (text: string): readonly ChatEvent[] => [
    { type: "message-start" },
    { type: "tool-call-start", block: 0, call: "c", name: "read" },
    { type: "tool-call-invalid", call: "c", text, reason: "The arguments are not valid JSON." },
    { type: "message-end", finish: "tool-calls", cut: false },
  ];
  const invalidForms: Readonly<Record<string, () => readonly ChatEvent[]>> = {
    "arguments that are no JSON": () => unread("{'path'}"),
    "a tool that does not exist": () => callingAnswer({ name: "unknown", input: { a: 1 } }),
    "arguments that its tool does not take": () => callingAnswer({ name: "picky", input: {} }),
    "an invalid call beside one that runs": () =>
      callingAnswer({ name: "read", input: {} }, { name: "unknown", input: {} }),
  };
  const picky = defineTool({
    name: "picky",
    description: "",
    effect: "reads",
    parameters: z.object({ path: z.string() }),
    prepare: () => Promise.reject(new Error("never")),
  });
  for (const [form, answer] of Object.entries(invalidForms)) {
    it(`A1 (field 18): three times the same call in a row, with ${form}, ends the turn and says so: each request is paid`, async () => {
      const tools = [makeTool("read", () => Promise.resolve(randomUUID())), picky];
      const chat = summarizedChat(
        { answer },
        { tools: () => tools, ...withSettings(() => ({ summarizeChats: false })) },
      );
      await chat.session.submit("go");
      assert.equal(chat.requests.length, 3);
      const card = errorOf(answers(chat.session).at(-1));
      assert.match(card?.title ?? "", /^The model has made the same call of “\w+” 3 times in a row/);
      assert.equal(card?.action.label, "Go On");
      await chat.session.retry();
      assert.equal(chat.requests.length, 6, "a person may have it go on");
    });
  }

  it("A1 (field 18): invalid calls that differ, or that another answer comes between, do not end the turn", async () => {
    const read = makeTool("read", () => Promise.resolve(randomUUID()));
    const planned = ["{1", "{2", "{1", "{1", "read", "{1", "{1"];
    const chat = summarizedChat(
      {
        answer: (_, index) => {
          const text = planned[index - 1];
          if (text === undefined) return countedAnswer("done", 9);
          return text === "read" ? callingAnswer({ name: "read", input: {} }) : unread(text);
        },
      },
      { tools: () => [read], ...withSettings(() => ({ summarizeChats: false })) },
    );
    await chat.session.submit("go");
    assert.equal(chat.requests.length, planned.length + 1);
  });
});
