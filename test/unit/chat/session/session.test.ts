/** The agent loop with a scripted model: rounds, approvals, stopping, and a history that stays valid. */
import assert from "node:assert/strict";
import type { ChatEvent } from "../../../../src/domain/chat/chatEvent";
import { type Chat, emptyChat } from "../../../../src/domain/chat/chat";
import type { ChatRequest } from "../../../../src/domain/chat/message";
import { describeRetry } from "../../../../src/domain/words/describeAnswer";
import { describeAction } from "../../../../src/domain/words/describeTool";
import { AppFailure } from "../../../../src/domain/errors/appError";
import { type CallToApprove, type Tool, ToolRefusal } from "../../../../src/domain/tools/tool";
import { decodeStream } from "../../../../src/gateway/stream/decodeStream";
import { homeMark } from "../../../../src/domain/task/sameHome";
import { answersOf, callingAnswer, home, textAnswer, until } from "../../../support/builders";
import { answers, errorOf, makeTool, model, progressOf, sessionOver, waiting } from "../../../support/chatSessions";

describe("ChatSession", () => {
  it("A1: a turn is answer, calls, results, answer; the results go back under the service's own ids", async () => {
    const model = answersOf(
      callingAnswer({ name: "read", input: { path: "a" } }, { name: "read", input: { path: "b" } }),
      textAnswer("done"),
    );
    const { session } = sessionOver(model.streamChat, [
      makeTool("read", (input) => Promise.resolve(`text of ${JSON.stringify(input)}`)),
    ]);
    await session.submit("read both");
    assert.equal(model.requests.length, 2);
    const [system, user, assistant, ...results] = model.requests[1]!.messages;
    assert.deepEqual([system?.role, user?.role, assistant?.role], ["system", "user", "assistant"]);
    assert.deepEqual(
      results.map((result) => result.role === "tool" && [result.wireId, result.text, result.isError]),
      [
        ["wire-0", 'text of {"path":"a"}', false],
        ["wire-1", 'text of {"path":"b"}', false],
      ],
    );
    assert.equal(session.chat.running, false);
  });

  it("Q-E6, A1: an answer that says it makes calls and makes none ends the turn, because the same request would be paid again", async () => {
    const answer: readonly ChatEvent[] = [
      { type: "message-start" },
      { type: "text-delta", block: 0, text: "I look at it." },
      { type: "message-end", finish: "tool-calls", raw: "tool_calls", cut: false },
    ];
    const model = answersOf(answer, answer, answer);
    const { session } = sessionOver(model.streamChat, [makeTool("read", () => assert.fail("ran"))]);
    await session.submit("go");
    assert.equal(model.requests.length, 1);
    assert.equal(answers(session)[0]?.state, "complete");
  });

  it("Q-E1, A1: the calls of an answer run although the connection broke after its finish reason", async () => {
    const call = { index: 0, id: "a", function: { name: "read", arguments: '{"path":"a"}' } };
    const choice = { delta: { tool_calls: [call] }, finish_reason: "tool_calls" };
    const broken = async function* (): AsyncGenerator<Uint8Array> {
      yield Buffer.from(`data: ${JSON.stringify({ choices: [choice] })}\n\n`);
      await Promise.reject(new Error("gone"));
    };
    let requests = 0;
    const { session } = sessionOver(
      async function* () {
        requests += 1;
        yield* requests === 1 ? decodeStream("chat-completions", broken()) : textAnswer("done");
      },
      [makeTool("read", () => Promise.resolve("text"))],
    );
    await session.submit("go");
    assert.deepEqual([requests, progressOf(session)], [2, ["done"]]);
    assert.deepEqual(
      answers(session).map(({ state, failure }) => [state, failure]),
      [
        ["complete", undefined],
        ["complete", undefined],
      ],
    );
  });

  it("A14, A7: where calls of the history need tools in the request and there are none, they are sent as text, and nothing is learnt of the model", async () => {
    for (const message of [
      "The toolConfig field must be defined when using toolUse and toolResult content blocks.",
      "Anthropic expects the `tools=` param to be passed in.",
      "Bedrock doesn't support tool calling without `tools=` param specified.",
    ]) {
      const requests: ChatRequest[] = [];
      let tools = [makeTool("read", () => Promise.resolve("text of a"))];
      const model = answersOf(callingAnswer({ name: "read", input: { path: "a" } }), textAnswer("1"), textAnswer("2"));
      const { session, learnt } = sessionOver(
        (request, signal) => {
          requests.push(request);
          if (request.tools.length === 0 && request.messages.some(({ role }) => role === "tool"))
            throw new AppFailure({ kind: "rejected", message, status: 400 });
          return model.streamChat(request, signal);
        },
        [],
        undefined,
        undefined,
        undefined,
        undefined,
        undefined,
        { tools: () => tools },
      );
      await session.submit("go");
      tools = [];
      await session.submit("and now?");
      assert.equal(requests.length, 4);
      assert.ok(JSON.stringify(requests[3]?.messages).includes("Result of read:"));
      assert.deepEqual([answers(session).at(-1)?.state, learnt], ["complete", []]);
    }
  });

  it("A3: a call that asks waits in the host for a yes, and runs only then", async () => {
    const runs: unknown[] = [];
    const model = answersOf(callingAnswer({ name: "edit", input: { path: "a" } }), textAnswer("done"));
    const { session } = sessionOver(model.streamChat, [
      makeTool("edit", async (input) => (runs.push(input), Promise.resolve("edited")), true),
    ]);
    const turn = session.submit("edit a");
    await until(() => waiting(session).length === 1);
    assert.deepEqual(runs, []);
    const [approval] = waiting(session);
    assert.equal(session.approvals.decide("some-other-id", { allow: true }), false);
    assert.equal(session.approvals.decide(approval!.id, { allow: true }), true);
    assert.equal(session.approvals.decide(approval!.id, { allow: true }), false, "an answer counts once");
    await turn;
    assert.deepEqual(runs, [{ path: "a" }]);
    assert.deepEqual(progressOf(session), ["done"]);
  });

  it("A3: a no is told to the model with the person's word, and nothing runs", async () => {
    const model = answersOf(callingAnswer({ name: "edit", input: {} }), textAnswer("ok"));
    const { session } = sessionOver(model.streamChat, [makeTool("edit", () => assert.fail("ran"), true)]);
    const turn = session.submit("edit");
    await until(() => waiting(session).length === 1);
    session.approvals.decide(waiting(session)[0]!.id, { allow: false, note: "use tabs" });
    await turn;
    const last = model.requests[1]!.messages.at(-1);
    assert.ok(last?.role === "tool" && last.isError && last.text.includes("use tabs"));
  });

  it("A3 (finding S1): a call whose first yes leads to a second question asks twice, and stop and no work at both", async () => {
    for (const [first, second, end] of [
      ["yes", "yes", "done"],
      ["yes", "no", "denied"],
      ["no", "", "denied"],
      ["yes", "stop", "stopped"],
      ["stop", "", "stopped"],
    ] as const) {
      const runs: string[] = [];
      const change: CallToApprove = {
        action: { type: "call", name: "Edit .env" },
        reasons: ["writes-file"],
        run: () => Promise.resolve((runs.push("edit"), "edited")),
      };
      const tool: Tool = {
        declaration: { name: "edit", description: "edit", parameters: { type: "object" } },
        effect: "changes",
        prepare: () =>
          Promise.resolve({
            action: { type: "call", name: "Read .env" },
            reasons: ["secret"],
            run: () => Promise.resolve((runs.push("read"), change)),
          }),
      };
      const model = answersOf(callingAnswer({ name: "edit", input: {} }), textAnswer("done"));
      const { session } = sessionOver(model.streamChat, [tool]);
      const turn = session.submit("edit");
      for (const [title, answer] of [
        ["Read .env", first],
        ["Edit .env", second],
      ] as const) {
        if (answer === "") continue;
        await until(() => waiting(session).some(({ action }) => describeAction(action) === title));
        const [approval, ...others] = waiting(session);
        assert.deepEqual(others, []);
        if (answer === "stop") session.stop();
        else assert.equal(session.approvals.decide(approval!.id, { allow: answer === "yes" }), true);
        assert.equal(session.approvals.decide(approval!.id, { allow: true }), false, "an answer counts once");
      }
      await turn;
      assert.deepEqual(progressOf(session), [end]);
      assert.deepEqual(runs, [...(first === "yes" ? ["read"] : []), ...(second === "yes" ? ["edit"] : [])]);
      assert.equal(session.approvals.count, 0);
    }
  });

  it("A1, S5: stop ends an answer at once and keeps what arrived; what comes later is dropped", async () => {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const { session } = sessionOver(async function* () {
      yield { type: "message-start" } as const;
      yield { type: "text-delta", block: 0, text: "half" } as const;
      await promise;
      yield { type: "text-delta", block: 0, text: " late" } as const;
    });
    const turn = session.submit("go");
    await until(() => answers(session)[0]?.blocks.length === 1);
    session.stop();
    resolve(undefined);
    await turn;
    const [answer] = answers(session);
    assert.deepEqual([answer?.state, answer?.blocks], ["stopped", [{ type: "text", block: 0, text: "half" }]]);
    assert.equal(session.chat.running, false);
  });

  it("A1: stop works while an approval is open, and while a tool runs that does not listen", async () => {
    for (const asks of [true, false]) {
      const model = answersOf(
        callingAnswer({ name: "slow", input: {} }, { name: "slow", input: { n: 2 } }),
        textAnswer("never"),
      );
      const { session } = sessionOver(model.streamChat, [makeTool("slow", () => new Promise(() => undefined), asks)]);
      const turn = session.submit("go");
      await until(() => (asks ? waiting(session).length === 1 : progressOf(session).includes("running")));
      session.stop();
      await turn;
      assert.deepEqual(progressOf(session), ["stopped", "stopped"]);
      assert.equal(session.approvals.count, 0);
      assert.equal(model.requests.length, 1);
    }
  });

  it("A7: after a stop in the middle of tools, the next request closes the calls that never ran", async () => {
    const model = answersOf(callingAnswer({ name: "slow", input: {} }), textAnswer("hello"));
    const { session } = sessionOver(model.streamChat, [makeTool("slow", () => new Promise(() => undefined))]);
    const turn = session.submit("go");
    await until(() => progressOf(session).includes("running"));
    session.stop();
    await turn;
    await session.submit("again");
    const roles = model.requests[1]!.messages.map(({ role }) => role);
    assert.deepEqual(roles, ["system", "user", "assistant", "tool", "user"]);
  });

  it("S3: a call whose arguments did not parse is never run and goes back as an error", async () => {
    const broken: ChatEvent[] = [
      { type: "message-start" },
      { type: "tool-call-start", block: 0, call: "c", wireId: "w", name: "edit" },
      { type: "tool-call-delta", call: "c", text: '{"path":' },
      { type: "tool-call-invalid", call: "c", text: '{"path":', reason: "Unexpected end of JSON input" },
      { type: "message-end", finish: "tool-calls", cut: false },
    ];
    const model = answersOf(broken, textAnswer("sorry"));
    const { session } = sessionOver(model.streamChat, [makeTool("edit", () => assert.fail("ran"))]);
    await session.submit("go");
    const last = model.requests[1]!.messages.at(-1);
    assert.ok(last?.role === "tool" && last.isError && last.text.includes("Unexpected end"));
  });

  it("T10: an answer of an earlier turn that a file has left open is not counted when the last turn ends as interrupted", () => {
    const blocks = [{ type: "text", block: 0, text: "half" }] as const;
    const open = { type: "answer", id: "a", model: "m", family: "messages", startedAt: 1, state: "streaming" } as const;
    const chat: Chat = {
      ...emptyChat("c"),
      running: true,
      entries: [
        { type: "user", id: "p", text: "one", at: 1 },
        { ...open, blocks },
        { type: "user", id: "q", text: "two", at: 2 },
      ],
    };
    const { session } = sessionOver(answersOf().streamChat, [], { model }, chat);
    assert.deepEqual([session.chat.running, session.chat.tokens], [false, undefined]);
  });

  it("S3: tools are not run after a stream that was cut", async () => {
    const cut = [
      ...callingAnswer({ name: "edit", input: {} }).slice(0, -1),
      { type: "message-end", finish: "tool-calls", cut: true } as const,
    ];
    const { session } = sessionOver(answersOf(cut).streamChat, [makeTool("edit", () => assert.fail("ran"))]);
    await session.submit("go");
    assert.equal(answers(session)[0]?.cut, true);
    // A failure inside of a tool becomes its result and rejects nothing, so the state of the call is compared.
    assert.deepEqual(progressOf(session), ["ready"]);
  });

  it("S4: a stream error keeps the text, describes itself with one action, and Try Again asks anew without it", async () => {
    const failing: ChatEvent[] = [
      { type: "message-start" },
      { type: "text-delta", block: 0, text: "half" },
      { type: "stream-error", error: { kind: "unreachable", message: "socket closed" } },
      { type: "message-end", finish: "error", cut: true },
    ];
    const model = answersOf(failing, textAnswer("whole"));
    const { session } = sessionOver(model.streamChat);
    await session.submit("go");
    const [failed] = answers(session);
    assert.equal(failed?.state, "failed");
    assert.deepEqual(failed.blocks, [{ type: "text", block: 0, text: "half" }]);
    assert.equal(errorOf(failed)?.action.id, "retry");
    assert.ok(failed.failure?.type === "gateway" && failed.failure.home === homeMark(home), "who was asked");
    assert.equal(await session.retry(), true);
    assert.equal(await session.retry(), false, "an answer that did not fail is not asked again");
    assert.deepEqual(
      model.requests[1]!.messages.map(({ role }) => role),
      ["system", "user"],
    );
    assert.equal(answers(session)[1]?.state, "complete");
  });

  it("P1: an answer holds that the local gateway was asked, and its words follow that, whichever is in use later", async () => {
    const cut: ChatEvent[] = [
      { type: "message-start" },
      { type: "text-delta", block: 0, text: "half" },
      { type: "stream-error", error: { kind: "unreachable", message: "socket closed" } },
      { type: "message-end", finish: "error", cut: true },
    ];
    const { session, connections } = sessionOver(answersOf(cut, cut).streamChat);
    await session.submit("paid");
    const remote = connections.current.current;
    assert.ok(remote.state === "ready");
    connections.current.set({ ...remote, local: true });
    await session.submit("free");
    connections.current.set(remote);
    assert.deepEqual(
      answers(session).map((answer) => [answer.isFree, errorOf(answer)?.meaning.includes("charges")]),
      [
        [undefined, true],
        [true, false],
      ],
    );
  });

  it("C2: without a key the prompt is kept and the card offers to set one", async () => {
    const { session, connections } = sessionOver(() => assert.fail("sent"));
    connections.current.set({ state: "signed-out", origin: home.origin, baseUrl: home.baseUrl });
    await session.submit("hello");
    assert.equal(session.chat.entries[0]?.type === "user" && session.chat.entries[0].text, "hello");
    assert.equal(errorOf(answers(session)[0])?.action.id, "set-key");
  });

  it("P1: an empty prompt does nothing", async () => {
    const { session } = sessionOver(() => assert.fail("sent"));
    assert.equal(await session.submit(" \n "), false);
    assert.deepEqual(session.chat.entries, []);
  });

  it("A1, A11: a call that gives the same again and again is not run for ever, and the turn waits for the person", async () => {
    let runs = 0;
    const same = callingAnswer({ name: "read", input: {} });
    const model = answersOf(...Array.from({ length: 240 }, () => same));
    const { session } = sessionOver(model.streamChat, [
      makeTool("read", () => Promise.resolve(++runs > 0 ? "text" : "")),
    ]);
    await session.submit("go");
    assert.equal(runs, 3);
    assert.equal(model.requests.length, 6);
    assert.equal(errorOf(answers(session).at(-1))?.action.label, "Go On");
  });

  it("A11: a call that waits for something outside may give the same result any number of times", async () => {
    const same = callingAnswer({ name: "look", input: {} });
    const model = answersOf(...Array.from({ length: 20 }, () => same), textAnswer("it has come"));
    const action = { type: "get-task", prompt: "a lake" } as const;
    const look: Tool = {
      declaration: { name: "look", description: "look", parameters: { type: "object" } },
      effect: "reads",
      prepare: () => Promise.resolve({ action, waits: true, run: () => Promise.resolve("running") }),
    };
    const { session } = sessionOver(model.streamChat, [look]);
    await session.submit("go");
    assert.deepEqual(new Set(progressOf(session)), new Set(["done"]));
    assert.deepEqual([model.requests.length, answers(session).at(-1)?.state], [21, "complete"]);
  });

  it("A1: a tool that fails or refuses gives the model an error, and the turn goes on", async () => {
    const model = answersOf(
      callingAnswer({ name: "read", input: {} }, { name: "unknown", input: {} }),
      textAnswer("ok"),
    );
    const { session } = sessionOver(model.streamChat, [
      makeTool("read", () => Promise.reject(new ToolRefusal("no such file"))),
    ]);
    await session.submit("go");
    const texts = model.requests[1]!.messages.flatMap((message) => (message.role === "tool" ? [message.text] : []));
    assert.deepEqual(texts, ["no such file", "There is no tool unknown. The tools: read."]);
  });

  it("S6: an error before the stream is described and nothing is retried by itself", async () => {
    let calls = 0;
    const { session } = sessionOver(() => {
      calls += 1;
      throw new AppFailure({ kind: "rate-limited", message: "slow", status: 429, retryAfterMs: 3000 });
    });

    await session.submit("go");
    assert.equal(calls, 1);
    assert.match(errorOf(answers(session)[0])?.title ?? "", /3 s/);
  });

  it("S6: each retry is told in the chat, with why and how long, and whether it is in another form", async () => {
    const { session, clock } = sessionOver(async function* (_request, _signal, listener) {
      listener?.onRetry?.({ retry: 0, delayMs: 0, error: { kind: "rejected", message: "no usage", status: 400 } });
      listener?.onRetry?.({ retry: 1, delayMs: 2000, error: { kind: "unavailable", message: "busy", status: 503 } });
      listener?.onRetry?.({ retry: 2, delayMs: 0, error: { kind: "unavailable", message: "busy", status: 503 } });
      await Promise.resolve();
      yield* textAnswer("here");
    });
    await session.submit("go");
    const [answer] = answers(session);
    assert.equal(answer?.state, "complete");
    const [form, ...again] = answer.retries ?? [];
    const at = clock.now();
    assert.deepEqual(again, [
      { delayMs: 2000, at, error: { kind: "unavailable", message: "busy", status: 503 } },
      { delayMs: 0, at, error: { kind: "unavailable", message: "busy", status: 503 } },
    ]);
    assert.equal(describeRetry(again[0]!), "The gateway has a problem: “busy”.");
    assert.ok(form && !("delayMs" in form), "in another form, at once");
  });

  it("T18: an empty answer that is retried is paid: its tokens count for the cost of the chat, unless the local gateway gave it", async () => {
    const usage = { input: 90, output: 10, cacheRead: 20 };
    for (const local of [false, true]) {
      const { session, connections } = sessionOver(async function* (_request, _signal, listener) {
        const error = { kind: "malformed", message: "The answer is empty." } as const;
        listener?.onRetry?.({ retry: 1, delayMs: 0, error, usage });
        await Promise.resolve();
        yield* textAnswer("here");
      });
      const ready = await connections.ready();
      connections.current.set({ ...ready, local });
      await session.submit("go");
      const { tokens = 0, spent = [] } = session.chat;
      assert.ok(tokens > 100, String(tokens));
      const [sum] = spent;
      assert.deepEqual(spent, local ? [] : [{ ...sum, model: model.id, output: 10, cacheRead: 20, cacheWrite: 0 }]);
      assert.equal(local || (sum?.input ?? 0) >= 90, true);
    }
  });

  it("C5 (finding 22): without a model the chat asks to choose one: nothing was sent, and the gateway is not blamed", async () => {
    const { session } = sessionOver(() => assert.fail("asked the gateway"), [], {});
    await session.submit("hello");
    const [answer] = answers(session);
    assert.equal(answer?.state, "failed");
    assert.deepEqual(answer.failure, { type: "no-model" });
    const error = errorOf(answer);
    assert.equal(error?.title, "Choose a model first.");
    assert.equal(error.meaning, "Nothing was sent, so nothing is paid. Your message is kept.");
    assert.equal(error.action.id, "choose-model");
  });
});
