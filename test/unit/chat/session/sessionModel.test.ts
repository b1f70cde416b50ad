/** Which model a prompt goes to, and what is learnt of it on the way. */
import assert from "node:assert/strict";
import { abortable } from "../../../../src/base/async/abort";
import { ChatSession } from "../../../../src/chat/session/session";
import type { ChatEvent } from "../../../../src/domain/chat/chatEvent";
import { type AppError, AppFailure } from "../../../../src/domain/errors/appError";
import type { Gateway, Model } from "../../../../src/domain/ports";
import { homeMark } from "../../../../src/domain/task/sameHome";
import type { SessionOptions } from "../../../../src/chat/session/sessionOptions";
import { answersOf, callingAnswer, connectTo, home, keptLog, makeGateway, textAnswer } from "../../../support/builders";
import { answers, errorOf, makeTool, model, sessionOver } from "../../../support/chatSessions";
import { createMovedClock } from "../../../support/movedClock";
import { plainSessionOptions, withSettings } from "../../../support/plainOptions";

describe("ChatSession and its model", () => {
  it("C1: a prompt that comes while the gateway starts waits for it, and can be stopped while it waits", async () => {
    const { promise, resolve } = Promise.withResolvers<typeof model>();
    const answering = answersOf(textAnswer("here"), textAnswer("again"));
    const connections = connectTo(makeGateway({ streamChat: answering.streamChat }));
    const session = new ChatSession({
      ...plainSessionOptions,
      connections,
      clock: createMovedClock(),
      log: keptLog(),
      model: (_choice, signal) => abortable(promise, signal),
    });
    const stopped = session.submit("early");
    session.stop();
    await stopped;
    assert.deepEqual(
      session.chat.entries.map(({ type }) => type),
      ["user", "answer"],
    );
    assert.equal(answers(session).at(-1)?.state, "stopped");
    const turn = session.submit("wait for it");
    assert.equal(session.chat.running, true);
    resolve(model);
    await turn;
    assert.equal(answers(session).at(-1)?.state, "complete");
  });

  for (const [message, refuses] of [
    ["demo does not support tools", true],
    ["Tools are not supported by this model.", true],
    ["No endpoints found that support tool use", true],
    ["function calling is not enabled for this model", true],
    ['"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set', true],
    ["tools param requires --jinja flag", true],
    ["Unsupported param: tools", true],
    ["Invalid schema for function 'edit_file'", false],
    ["messages with role 'tool' must be a response to a preceding message with 'tool_calls'", false],
  ] as const) {
    it(`C5: a model that says ${JSON.stringify(message)} is ${refuses ? "" : "not "}remembered to take no tools`, async () => {
      const refused = { kind: "rejected", message, status: 400 } as const;
      const { session, learnt } = sessionOver(() => {
        throw new AppFailure(refused);
      }, [makeTool("read", () => Promise.resolve(""))]);
      await session.submit("go");
      assert.deepEqual(learnt, refuses ? ["model-x"] : []);
      assert.equal(errorOf(answers(session)[0])?.action.id, "retry");
    });
  }

  it("C5, A6: what a refusal shows is learnt of the gateway that refused, also if the person chooses another meanwhile", async () => {
    for (const refused of [
      { kind: "rejected", message: "Tools are not supported by this model.", status: 400 },
      { kind: "too-large", message: "too long", status: 400, contextSize: 8000 },
    ] as const) {
      const learnt: string[] = [];
      const other = makeGateway({ streamChat: answersOf().streamChat });
      const { session, connections } = sessionOver(
        () => {
          const chosen = { ...home, origin: "https://other.example" };
          connections.current.set({ state: "ready", home: chosen, keyId: "k2", gateway: other, local: false });
          throw new AppFailure(refused);
        },
        [makeTool("read", () => Promise.resolve("text"))],
        { model },
        ...([undefined, undefined, undefined, undefined] as const),
        {
          learnWithoutTools: (_id, origin) => void learnt.push(origin),
          learnContextSize: (_id, _tokens, origin) => void learnt.push(origin),
        },
      );
      await session.submit("go");
      assert.deepEqual(learnt, [home.origin], refused.kind);
    }
  });

  it("C5: a failure names the gateway and account that were asked, also if the person chooses another meanwhile", async () => {
    const overloaded = { kind: "unavailable", message: "Overloaded", status: 529 } as const;
    const { session, connections } = sessionOver(() => {
      const chosen = { ...home, origin: "https://other.example" };
      const gateway = makeGateway({ streamChat: answersOf().streamChat });
      connections.current.set({ state: "ready", home: chosen, keyId: "k2", gateway, local: false });
      throw new AppFailure(overloaded);
    });
    await session.submit("go");
    assert.deepEqual(answers(session)[0]?.failure, { type: "gateway", error: overloaded, home: homeMark(home) });
  });

  it("T18: each request of an answer goes to the gateway by which the answer is marked as free or paid, also if the person chooses another meanwhile", async () => {
    const asked: string[] = [];
    const other = answersOf(textAnswer("from the other"));
    const { session, connections } = sessionOver(
      async function* ({ tools }) {
        asked.push(tools.length > 0 ? "with tools" : "as text");
        await Promise.resolve();
        if (tools.length === 0) yield* textAnswer("here");
        else {
          const local = { ...(await connections.ready()), gateway: makeGateway(other), local: true };
          connections.current.set(local);
          throw new AppFailure({ kind: "rejected", message: "tools are not supported by this model", status: 400 });
        }
      },
      [makeTool("read", () => Promise.resolve(""))],
    );
    await session.submit("go");
    assert.deepEqual([asked, other.requests.length], [["with tools", "as text"], 0]);
    assert.deepEqual([answers(session)[0]?.isFree, session.chat.spent?.length], [undefined, 1]);
  });

  describe("with a fallback", () => {
    const spare: Model = { id: "model-y", family: "messages" };
    const overloaded = { kind: "unavailable", message: "Overloaded", status: 529 } as const;
    let roundsPerTurn: number;
    beforeEach(() => {
      roundsPerTurn = 0;
    });
    /** A session over a gateway that answers request by request; and who was asked, with whether that request has a fallback. */
    const withFallback = (
      ...given: readonly (AppError | readonly ChatEvent[])[]
    ): { session: ChatSession; asked: readonly string[] } => {
      const asked: string[] = [];
      const tools = [makeTool("read", () => Promise.resolve("text"))];
      const streamChat: Gateway["streamChat"] = async function* (request) {
        const answer = given[asked.length];
        asked.push(`${request.model}${request.hasFallback ? " or another" : ""}`);
        await Promise.resolve();
        if (answer !== undefined && "kind" in answer) throw new AppFailure(answer);
        yield* answer ?? textAnswer("more");
      };
      const chosen = { model: { ...model, fallback: spare.id } };
      const fallbackOf: SessionOptions["fallbackOf"] = ({ fallback }) => (fallback === spare.id ? spare : undefined);
      const others = [undefined, undefined, undefined, undefined] as const;
      const settings = withSettings(() => ({ "caps.roundsPerTurn": roundsPerTurn }));
      const { session } = sessionOver(streamChat, tools, chosen, ...others, { fallbackOf, ...settings });
      return { session, asked };
    };

    it("T18: is asked where nothing was produced, goes on to the end of the turn, and the next turn asks the first one again", async () => {
      const { session, asked } = withFallback(
        overloaded,
        callingAnswer({ name: "read", input: {} }),
        textAnswer("read it"),
        textAnswer("well"),
      );
      await session.submit("go");
      await session.submit("and now");
      assert.deepEqual(asked, ["model-x or another", "model-y", "model-y", "model-x or another"]);
      assert.deepEqual(
        answers(session).map((answer) => [answer.model, answer.state, answer.failure]),
        [
          ["model-x", "failed", { type: "gateway", error: overloaded, home: homeMark(home), fallback: "model-y" }],
          ["model-y", "complete", undefined],
          ["model-y", "complete", undefined],
          ["model-x", "complete", undefined],
        ],
      );
      assert.equal(session.chat.model, undefined);
    });

    it("T18: is asked once: where it fails too, the turn ends with its error", async () => {
      const { session, asked } = withFallback(overloaded, overloaded);
      await session.submit("go");
      assert.deepEqual(asked, ["model-x or another", "model-y"]);
      assert.equal(answers(session).at(-1)?.model, "model-y");
      assert.equal(errorOf(answers(session).at(-1))?.action.id, "retry");
    });

    it("T18: is no round of its own: a turn of one round has its answer", async () => {
      roundsPerTurn = 1;
      const { session, asked } = withFallback(overloaded, textAnswer("here"));
      await session.submit("go");
      assert.deepEqual(asked, ["model-x or another", "model-y"]);
      assert.deepEqual(
        answers(session).map(({ state }) => state),
        ["failed", "complete"],
      );
    });

    it("T18: what is learnt of it counts from its next request on", async () => {
      const given = [
        overloaded,
        { kind: "rejected", message: "Tools are not supported by this model.", status: 400 },
        callingAnswer({ name: "read", input: {} }),
        textAnswer("read it"),
      ] as const;
      const asked: string[] = [];
      const streamChat: Gateway["streamChat"] = async function* ({ model: name, tools }) {
        const answer = given[asked.length];
        asked.push(`${name} with ${tools.length} tools`);
        await Promise.resolve();
        if (answer !== undefined && "kind" in answer) throw new AppFailure(answer);
        yield* answer ?? [];
      };
      const learnt = new Set<string>();
      const { session } = sessionOver(
        streamChat,
        [makeTool("read", () => Promise.resolve("text"))],
        { model: { ...model, fallback: spare.id } },
        ...([undefined, undefined, undefined, undefined] as const),
        {
          fallbackOf: () => (learnt.has(spare.id) ? { ...spare, tools: "text" } : spare),
          learnWithoutTools: (id) => void learnt.add(id),
        },
      );
      await session.submit("go");
      assert.deepEqual(asked, [
        "model-x with 1 tools",
        "model-y with 1 tools",
        "model-y with 0 tools",
        "model-y with 0 tools",
      ]);
    });

    for (const [reason, answer] of [
      ["a key that is refused", { kind: "unauthorized", message: "" }],
      ["a balance that is used up", { kind: "insufficient-balance", message: "" }],
      ["a request that is not taken", { kind: "rejected", message: "", status: 400 }],
      ["a gateway that is not reached", { kind: "unreachable", message: "", code: "ECONNREFUSED" }],
      [
        "an answer of which something has arrived",
        [...textAnswer("half").slice(0, 2), { type: "stream-error", error: overloaded }],
      ],
    ] as const satisfies readonly (readonly [string, AppError | readonly ChatEvent[]])[]) {
      it(`T18: is not asked for ${reason}`, async () => {
        const { session, asked } = withFallback(answer);
        await session.submit("go");
        assert.deepEqual(asked, ["model-x or another"]);
        assert.equal(answers(session).at(-1)?.state, "failed");
      });
    }
  });
});
