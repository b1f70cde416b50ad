/** One request of a caller in VS Code: what it gets of a stream, and the error when there is none. */
import assert from "node:assert/strict";
import type { ChatEvent } from "../../../../src/domain/chat/chatEvent";
import { AppFailure } from "../../../../src/domain/errors/appError";
import type { AppErrorKind } from "../../../../src/domain/errors/errorKinds";
import type { Gateway, Model } from "../../../../src/domain/ports";
import { type AnswerOptions, provideAnswer, ProvidedFailure } from "../../../../src/agents/models/provideAnswer";
import { type ProvidedRequest, type ReportedPart, usageType } from "../../../../src/agents/models/providedMessage";
import { answersOf, callingAnswer, connectTo, home, keptLog, makeGateway, textAnswer } from "../../../support/builders";
import { markerOf, textOf } from "../../../support/modelCaller";
import { createMovedClock } from "../../../support/movedClock";

const model: Model = { id: "m", family: "messages" };
const hello: ProvidedRequest = {
  model: "m",
  messages: [{ role: "user", parts: [{ type: "text", text: "Hello" }] }],
  tools: [],
  mustCallTool: false,
  options: undefined,
};
const tool = { name: "read", description: "Reads", parameters: { type: "object" } };

interface Asked {
  readonly parts: ReportedPart[];
  readonly done: Promise<unknown>;
  readonly clock: ReturnType<typeof createMovedClock>;
  readonly connections: ReturnType<typeof connectTo>;
  /** Models that refused tools, each with the origin of its gateway. */
  readonly learnt: string[];
}

function ask(
  streamChat: Gateway["streamChat"],
  request: Partial<ProvidedRequest> = {},
  { signal = new AbortController().signal, of = model }: { signal?: AbortSignal; of?: Model } = {},
): Asked {
  const clock = createMovedClock();
  const parts: ReportedPart[] = [];
  const learnt: string[] = [];
  const connections = connectTo(makeGateway({ streamChat }));
  const options: AnswerOptions = {
    connections,
    clock,
    log: keptLog(),
    cache: {
      find: () => Promise.resolve(undefined),
      save: () => Promise.resolve(),
      markerKey: () => Promise.resolve(new Uint8Array(32)),
    },
    findModel: () => Promise.resolve(of),
    learnWithoutTools: (id, origin) => void learnt.push(id, origin),
  };
  const done = provideAnswer(options, { ...hello, ...request }, (part) => void parts.push(part), signal).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return { parts, done, clock, connections, learnt };
}

async function failureOf({ done, clock }: Asked): Promise<ProvidedFailure> {
  await clock.advance(1000);
  const failure = await done;
  assert.ok(failure instanceof ProvidedFailure, String(failure));
  return failure;
}

const failing = (kind: AppErrorKind, message = "no"): Gateway["streamChat"] =>
  // oxlint-disable-next-line typescript/require-await
  async function* () {
    throw new AppFailure({ kind, message });
  };
const start: ChatEvent = { type: "message-start" };
const text = (block: number, words: string): ChatEvent => ({ type: "text-delta", block, text: words });
const end = (finish: "stop" | "tool-calls" | "content-filter" | "refusal" | "pause", cut = false): ChatEvent => ({
  type: "message-end",
  finish,
  cut,
});
const callStart: ChatEvent = { type: "tool-call-start", block: 1, call: "call-0", wireId: "w", name: "read" };

describe("provideAnswer", () => {
  it("V1: text comes as it arrives, calls with unique ids behind all of it, then the usage, and the marker last", async () => {
    const events: ChatEvent[] = [
      start,
      { type: "reasoning-delta", block: 0, text: "Hm." },
      text(1, "One "),
      ...callingAnswer({ name: "read", input: { path: "a" } }).slice(1, -1),
      text(3, "two"),
      { type: "usage", input: 7, output: 2, cacheRead: 3, raw: {} },
      end("tool-calls"),
    ];
    const asked = [ask(answersOf(events).streamChat), ask(answersOf(events).streamChat)];
    for (const { done } of asked) assert.equal(await done, undefined);
    const [{ parts }] = asked as [Asked];
    assert.deepEqual(
      parts.map(({ type }) => type),
      ["thinking", "text", "text", "tool-call", "data", "data"],
    );
    const [usage] = parts.filter((part) => part.type === "data");
    assert.equal(usage?.mimeType, usageType);
    assert.deepEqual(JSON.parse(Buffer.from(usage.data).toString()), {
      prompt_tokens: 7,
      completion_tokens: 2,
      total_tokens: 9,
      prompt_tokens_details: { cached_tokens: 3 },
    });
    const { parts: recorded } = JSON.parse(markerOf(parts)!) as { parts: { type: string }[] };
    assert.deepEqual(
      recorded.map(({ type }) => type),
      ["reasoning", "text", "tool-call", "text"],
    );
    const ids = asked.flatMap(({ parts: all }) => all.flatMap((part) => (part.type === "tool-call" ? [part.id] : [])));
    assert.equal(new Set(ids).size, 2);
  });

  it("V1: an answer of one text has no marker", async () => {
    const { parts, done } = ask(answersOf(textAnswer("Hi")).streamChat);
    assert.equal(await done, undefined);
    assert.deepEqual(parts, [{ type: "text", text: "Hi" }]);
  });

  it("V1, A4: data of the gateway's is passed on as pictures, sound and video only: VS Code takes other types for state of its own", async () => {
    const state = Buffer.from("gpt-5\\resp_of_another_chat").toString("base64");
    const media = (mimeType: string): ChatEvent => ({ type: "media", block: 1, mimeType, data: state });
    for (const mimeType of ["stateful_marker", "usage", "cache_control", "application/json"]) {
      const { parts, done } = ask(answersOf([start, text(0, "Hi"), media(mimeType), end("stop")]).streamChat);
      assert.equal(await done, undefined);
      assert.deepEqual(parts, [{ type: "text", text: "Hi" }], mimeType);
      await failureOf(ask(answersOf([start, media(mimeType), end("stop")]).streamChat));
    }
    const { parts, done } = ask(answersOf([start, media("image/png"), media("audio/wav"), end("stop")]).streamChat);
    assert.equal(await done, undefined);
    assert.deepEqual(
      parts.map((part) => part.type === "data" && part.mimeType),
      ["image/png", "audio/wav"],
    );
  });

  it("V1, S3: half a call is never passed on: not of a cut stream, not with arguments that don't parse", async () => {
    const invalid: ChatEvent = { type: "tool-call-invalid", call: "call-0", text: '{"pa', reason: "cut" };
    const whole: ChatEvent = { type: "tool-call-end", call: "call-0", input: {} };
    for (const events of [
      [start, text(0, "Hm"), callStart, invalid, end("tool-calls")],
      [start, text(0, "Hm"), callStart, invalid, end("tool-calls", true)],
      [start, text(0, "Hm"), callStart, whole, end("tool-calls", true)],
    ]) {
      const asked = ask(answersOf(events).streamChat);
      const failure = await failureOf(asked);
      assert.match(failure.message, /can't be read|may be cut|May be cut/);
      assert.deepEqual(
        asked.parts.map(({ type }) => type),
        ["text"],
      );
    }
  });

  it("V1: an error waits 100 ms behind the text before it, and not at all when there is none", async () => {
    const error: ChatEvent = { type: "stream-error", error: { kind: "unavailable", message: "down" } };
    const asked = ask(answersOf([start, text(0, "Hi"), error, end("stop", true)]).streamChat);
    let isDone = false;
    void asked.done.then(() => (isDone = true));
    await asked.clock.advance(99);
    assert.deepEqual([isDone, textOf(asked.parts)], [false, "Hi"]);
    await asked.clock.advance(1);
    assert.equal(isDone, true);
    assert.match((await failureOf(asked)).message, /down.*charges a cut answer/);
    const silent = ask(failing("unavailable"));
    await silent.clock.advance(0);
    assert.ok((await silent.done) instanceof ProvidedFailure);
  });

  it("V1: what went wrong has the code that callers in VS Code know, and words without another's", async () => {
    const codes: readonly (readonly [AppErrorKind, string | undefined])[] = [
      ["signed-out", "no-permissions"],
      ["unauthorized", "no-permissions"],
      ["forbidden", "no-permissions"],
      ["not-found", "not-found"],
      ["insufficient-balance", "blocked"],
      ["rate-limited", undefined],
      ["unreachable", undefined],
    ];
    for (const [kind, code] of codes) assert.equal((await failureOf(ask(failing(kind)))).code, code, kind);
    assert.match((await failureOf(ask(failing("unauthorized")))).message, /Set API Key/);
    const filtered = await failureOf(ask(answersOf([start, end("content-filter")]).streamChat));
    assert.equal(filtered.code, "blocked");
    assert.equal((await failureOf(ask(answersOf([start, end("refusal")]).streamChat))).code, "blocked");
    assert.equal((await failureOf(ask(answersOf([start, end("stop")]).streamChat))).message, "The answer is empty.");
  });

  it("V1, S5: after a cancel nothing is reported, and it rejects at once with an abort", async () => {
    const stop = new AbortController();
    const asked = ask(
      // The gateway goes on as if it had not heard.
      async function* () {
        yield start;
        yield text(0, "Hi");
        await Promise.resolve();
        stop.abort();
        yield text(0, "more");
      },
      {},
      { signal: stop.signal },
    );
    const failure = await asked.done;
    assert.equal((failure as Error).name, "AbortError");
    assert.equal(textOf(asked.parts), "Hi");
  });

  it("V1: options that we understand are used, all others are not; the person's limit is never exceeded", async () => {
    const optionsOf = async (options: unknown, of: Model = model): Promise<unknown> => {
      const gateway = answersOf(textAnswer("Hi"));
      await ask(gateway.streamChat, { options }, { of }).done;
      const { temperature, maxOutputTokens, ...others } = gateway.requests[0]!.options as Record<string, unknown>;
      assert.deepEqual(
        Object.keys(others).sort(),
        Object.keys(of)
          .filter((key) => key !== "maxOutputTokens")
          .sort(),
      );
      return [temperature, maxOutputTokens];
    };
    const limited = { ...model, maxOutputTokens: 50 };
    assert.deepEqual(await optionsOf({ temperature: 0.5, max_tokens: 100, extraBody: { a: 1 }, top_p: 1 }), [0.5, 100]);
    assert.deepEqual(await optionsOf({ temperature: 9, maxTokens: "x" }), [undefined, undefined]);
    assert.deepEqual(await optionsOf({ max_tokens: 100 }, limited), [undefined, 50]);
    assert.deepEqual(await optionsOf({ max_tokens: 10 }, limited), [undefined, 10]);
    assert.deepEqual(await optionsOf("nonsense"), [undefined, undefined]);
  });

  it("V1: a call that is demanded is demanded of the model; one that takes no tools is not asked", async () => {
    const gateway = answersOf(callingAnswer({ name: "read", input: {} }));
    await ask(gateway.streamChat, { tools: [tool], mustCallTool: true }).done;
    assert.equal(gateway.requests[0]?.mustCallTool, true);
    const plain = { ...model, tools: false };
    const asked = ask(answersOf().streamChat, { tools: [tool], mustCallTool: true }, { of: plain });
    assert.match((await failureOf(asked)).message, /takes no tools/);
    const without = answersOf(textAnswer("Hi"));
    await ask(without.streamChat, { tools: [tool] }, { of: plain }).done;
    assert.deepEqual(without.requests[0]?.tools, []);
  });

  it("V1, C5: that a model refuses tools is remembered for its gateway, also if the person chooses another meanwhile", async () => {
    const refusing = failing("rejected", "This model does not support tools");
    const asked = ask(
      (...request) => {
        asked.connections.current.set({ state: "starting" });
        return refusing(...request);
      },
      { tools: [tool] },
    );
    await failureOf(asked);
    assert.deepEqual(asked.learnt, ["m", home.origin]);
  });

  it("V1: a service that pauses its answer is asked to go on, and stops when it gives nothing new", async () => {
    const opaque: ChatEvent = { type: "opaque", block: 0, family: "messages", data: { type: "x", id: 1 } };
    const paused = [start, opaque, text(1, "Half "), end("pause")];
    const gateway = answersOf(paused, textAnswer("done"));
    const { parts, done } = ask(gateway.streamChat);
    assert.equal(await done, undefined);
    assert.equal(textOf(parts), "Half done");
    const last = gateway.requests[1]?.messages.at(-1);
    assert.ok(last?.role === "assistant" && last.paused === true);
    const stuck = answersOf(paused, paused, paused, paused);
    await ask(stuck.streamChat).done;
    assert.equal(stuck.requests.length, 2);
  });

  it("V1: pictures of a model come as data of their type", async () => {
    const media: ChatEvent = { type: "media", block: 0, mimeType: "image/png", data: "AQID" };
    const { parts, done } = ask(answersOf([start, media, end("stop")]).streamChat);
    assert.equal(await done, undefined);
    assert.deepEqual(parts, [{ type: "data", mimeType: "image/png", data: Buffer.from([1, 2, 3]) }]);
  });

  it("V1, A1: an answer without bounds is ended", async () => {
    const calls = Array.from({ length: 300 }, (_, at) => ({ name: "read", input: { at } }));
    const asked = ask(answersOf(callingAnswer(...calls)).streamChat);
    assert.match((await failureOf(asked)).message, /more than 256 tool calls/);
    assert.deepEqual(asked.parts, []);
  });
});
