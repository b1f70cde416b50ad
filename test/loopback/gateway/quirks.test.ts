/** R2: every stream fault of the local gateway through the whole client: what is tolerable changes nothing, what is broken says so. */
import assert from "node:assert/strict";
import { systemClock } from "../../../src/base/async/systemClock";
import { definedFields } from "../../../src/base/definedFields";
import type { ChatEvent, Family, Finish } from "../../../src/domain/chat/chatEvent";
import { type AppError, AppFailure } from "../../../src/domain/errors/appError";
import type { Gateway } from "../../../src/domain/ports";
import { createHttpGateway } from "../../../src/gateway/httpGateway";
import { faultTable, streamFaultKinds } from "../../faults/faultTable";
import { callCases } from "../localGateway/faultCases/calls";
import { chunkCases } from "../localGateway/faultCases/chunks";
import { endingCases } from "../localGateway/faultCases/endings";
import { framingCases } from "../localGateway/faultCases/framing";
import { type GatewayUnderTest, startForTest } from "../localGateway/support";
import { quirkRows } from "./quirkRows";
import { isFullRun, someOf } from "../../support/runs";
import { plainEndpoint } from "../../support/plainOptions";

/** What a person would have of an answer. */
interface Result {
  readonly text: string;
  /** Name and arguments, or that they could not be read. */
  readonly calls: readonly string[];
  readonly finish: Finish | undefined;
  readonly cut: boolean | undefined;
  readonly error: AppError | undefined;
}

type Expectation = (faulty: Result, plain: Result, value: unknown) => void;

const same: Expectation = (faulty, plain) => assert.deepEqual(faulty, plain);
/** The same answer, whatever the service called its end. */
const sameContent: Expectation = (faulty, plain) => {
  assert.deepEqual([faulty.text, faulty.calls, faulty.error], [plain.text, plain.calls, undefined]);
  assert.equal(faulty.cut, false);
};
/** A part of it: some text where the answer was text, and no call that could run but one that was sent whole. */
const isPart: Expectation = (faulty, plain) => {
  assert.ok(plain.text.startsWith(faulty.text), faulty.text);
  if (plain.calls.length === 0) assert.notEqual(faulty.text, "");
  assert.notDeepEqual([faulty.text, faulty.calls], [plain.text, plain.calls]);
  for (const call of faulty.calls) assert.ok(call.endsWith(" invalid") || plain.calls.includes(call), call);
};
/** A part of it, marked, and no call that could run. */
const cutShort: Expectation = (faulty, plain, value) => {
  isPart(faulty, plain, value);
  assert.equal(faulty.cut, true);
  assert.deepEqual(
    faulty.calls.filter((call) => !call.endsWith(" invalid")),
    [],
  );
};
/** A `[DONE]` that proves nothing: what came stays, nothing is claimed of its end, and no half call runs. */
const unknownEnd: Expectation = (faulty, plain, value) => {
  isPart(faulty, plain, value);
  assert.notEqual(faulty.finish, "stop");
};
/** The service's error is yielded after the text so far. */
const saysError: Expectation = (faulty, plain, value) => {
  isPart(faulty, plain, value);
  assert.match(faulty.error?.message ?? "", /The upstream of this model failed/);
};
/** Arguments that are none are never made up: a call has what was sent, nothing, or can't run. */
const honestArguments: Expectation = (faulty) => {
  assert.equal(faulty.error, undefined);
  for (const call of faulty.calls) assert.match(call, /^read_file (invalid|\{\}|\{"path":"src\/(app|b)\.ts"\})$/);
};

const expectations: Readonly<Record<string, Expectation>> = {
  "tool.bad-args": honestArguments,
  "tool.prefix-json": honestArguments,
  // Without an event that ends the stream the text stays, and the silence after it may end with an error.
  "sse.linger": (faulty, plain) => {
    assert.deepEqual([faulty.text, faulty.calls, faulty.cut], [plain.text, plain.calls, false]);
    assert.ok(faulty.error === undefined || faulty.error.kind === "timed-out");
  },
  // The old form has room for one call.
  "tool.legacy": (faulty, plain, value) =>
    same(faulty, value === undefined ? { ...plain, calls: plain.calls.slice(0, 1) } : plain, value),
  // Nothing had been produced, so the request was made again; before its calls, the model has thought.
  "err.first": same,
  "err.in-stream": (faulty, plain, value) => {
    if (plain.calls.length === 0) same(faulty, plain, value);
    else saysError(faulty, plain, value);
  },
  // Everything had come, but the service takes it back: no call may run.
  "err.finish-reason": (faulty, plain) => {
    assert.equal(faulty.text, plain.text);
    assert.deepEqual(
      faulty.calls,
      plain.calls.map(() => "read_file invalid"),
    );
    assert.equal(faulty.finish, plain.calls.length > 0 ? "tool-calls" : "error");
    assert.equal(faulty.error?.message, "The service broke off the answer.");
  },
  "end.cut": cutShort,
  "end.eof": cutShort,
  "end.fake-done": unknownEnd,
  // What was whole before the limit stays; a call that was cut by it can't run.
  "end.length": (faulty, plain) => {
    assert.ok(plain.text.startsWith(faulty.text) && faulty.calls.length <= plain.calls.length);
    for (const call of faulty.calls) assert.ok(call.endsWith(" invalid") || plain.calls.includes(call), call);
    assert.deepEqual([faulty.cut, faulty.error], [false, undefined]);
    assert.equal(faulty.finish, faulty.calls.length > 0 ? "tool-calls" : "length");
  },
  // Nothing had been produced, so the request was made again.
  "end.empty": same,
  "err.malformed-call": same,
  "end.no-finish": (faulty, plain) => {
    sameContent(faulty, plain, undefined);
    assert.equal(faulty.finish, plain.calls.length > 0 ? "tool-calls" : "unknown");
  },
  "end.variant": (faulty, plain, value) => {
    assert.deepEqual([faulty.text, faulty.calls.length], [plain.text, plain.calls.length], String(value));
    assert.equal(faulty.cut, false);
  },
  "end.late-content": (faulty, plain) => {
    assert.ok(faulty.text.startsWith(plain.text));
    assert.deepEqual([faulty.calls, faulty.cut, faulty.error], [plain.calls, false, undefined]);
  },
};

function expectationOf(name: string): Expectation {
  return (
    expectations[name] ?? (name.startsWith("err.") ? saysError : name.startsWith("chunk.usage") ? sameContent : same)
  );
}

const cases: Readonly<Record<string, readonly { readonly value?: unknown }[]>> = {
  "sse.linger": [{}],
  ...framingCases,
  ...chunkCases,
  ...callCases,
  ...endingCases,
};
const models: Readonly<Record<Family, string>> = {
  "chat-completions": "demo-chat",
  messages: "demo-messages",
  "generate-content": "demo-generate",
};
const prompts = { text: "write 1 paragraph", calls: "read src/app.ts and src/b.ts" } as const;
const readFile = {
  name: "read_file",
  description: "Reads a file",
  parameters: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
};

describe("R2: stream faults through the whole client", () => {
  let test: GatewayUnderTest;
  let gateway: Gateway;
  /** Milliseconds of silence that end a response: only where the line is kept open is it short, so that a busy machine ends no other. */
  let silence = 60_000;
  before(async () => {
    test = await startForTest({ deposit: 100_000_000 });
    const { url, key } = test.gateway;
    // A wait before another try is no part of what is tested here.
    const clock = { now: () => systemClock.now(), delay: () => Promise.resolve() };
    gateway = createHttpGateway({ ...plainEndpoint, baseUrl: url, key, clock, limits: () => ({ silence }) });
  });
  after(async () => {
    await gateway.close();
    await test.end();
  });

  const ask = async (family: Family, prompt: string): Promise<Result> => {
    const events: ChatEvent[] = [];
    let thrown: AppError | undefined;
    const messages = [{ role: "user", parts: [{ type: "text", text: prompt }] }] as const;
    try {
      for await (const event of gateway.streamChat({ family, model: models[family], messages, tools: [readFile] })) {
        events.push(event);
      }
    } catch (failure) {
      assert.ok(failure instanceof AppFailure, String(failure));
      thrown = failure.error;
    }
    return readResult(events, thrown);
  };

  const plainResults = new Map<string, Promise<Result>>();
  /** Without a fault, asked once: the model answers the same each time. */
  const askPlain = (family: Family, prompt: string): Promise<Result> => {
    const key = `${family} ${prompt}`;
    const result = plainResults.get(key) ?? ask(family, prompt);
    plainResults.set(key, result);
    return result;
  };
  afterEach(() => {
    test.gateway.faults.clear();
    silence = 60_000;
  });

  it("R2: every switch of a stream has its case and its quirk, and every quirk its switch", () => {
    for (const { name } of streamFaultKinds) assert.ok(cases[name]?.length && quirkRows[name], name);
    const switches = new Set(faultTable.map(({ name }) => name));
    assert.deepEqual(
      Object.keys(quirkRows).filter((name) => !switches.has(name)),
      [],
    );
  });

  // The faults of whole answers are no streams: the body is in the error, or is read by its own type.
  for (const [name, errorKind] of [
    ["http.html", "malformed"],
    ["http.empty-200", "malformed"],
    ["http.json-for-stream", undefined],
  ] as const) {
    for (const family of Object.keys(models) as Family[]) {
      it(`${quirkRows[name] ?? "?"}: ${name}, ${family}`, async () => {
        const plain = await askPlain(family, prompts.text);
        test.gateway.faults.arm({ name });
        const faulty = await ask(family, prompts.text);
        assert.equal(faulty.error?.kind, errorKind, faulty.error?.message);
        if (faulty.error === undefined) same(faulty, plain, undefined);
      });
    }
  }

  let drawn = 0;
  /** Both in full runs. A fault of calls is not in a text, and an answer with calls has some text too. */
  const promptsFor = (name: string): readonly (keyof typeof prompts)[] => {
    if (isFullRun) return ["text", "calls"];
    return name.startsWith("tool.") ? ["calls"] : someOf(["text", "calls"], (drawn += 1), 1);
  };
  for (const { name, family: only } of streamFaultKinds) {
    for (const family of only === undefined ? (Object.keys(models) as Family[]) : [only]) {
      // The local gateway's own tests have a case for each family too.
      for (const value of new Set((cases[name] ?? []).map((one) => one.value))) {
        const shown = value === undefined ? "" : `=${JSON.stringify(value)}`;
        for (const kind of promptsFor(name)) {
          it(`${quirkRows[name] ?? "?"}: ${name}${shown}, ${family}, ${kind}`, async () => {
            const prompt = prompts[kind];
            const plain = await askPlain(family, prompt);
            assert.deepEqual([plain.cut, plain.error], [false, undefined]);
            if (name === "sse.linger") silence = 1000;
            test.gateway.faults.arm({ name, times: 1, ...definedFields({ value }) });
            expectationOf(name)(await ask(family, prompt), plain, value);
          });
        }
      }
    }
  }
});

function readResult(events: readonly ChatEvent[], thrown: AppError | undefined): Result {
  if (thrown === undefined) {
    assert.equal(events[0]?.type, "message-start");
    assert.equal(events.at(-1)?.type, "message-end");
  }
  const names = new Map<string, string>();
  const calls: string[] = [];
  let text = "";
  let error = thrown;
  for (const event of events) {
    if (event.type === "text-delta") text += event.text;
    if (event.type === "tool-call-start") names.set(event.call, event.name);
    if (event.type === "tool-call-end") calls.push(`${names.get(event.call) ?? "?"} ${JSON.stringify(event.input)}`);
    if (event.type === "tool-call-invalid") calls.push(`${names.get(event.call) ?? "?"} invalid`);
    if (event.type === "stream-error") error = event.error;
  }
  const end = events.at(-1);
  const { finish, cut } = end?.type === "message-end" ? end : { finish: undefined, cut: undefined };
  return { text, calls, finish, cut, error };
}
