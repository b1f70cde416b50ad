/** The bill is checked: no line over anything that was recorded, and each of five faults found within 20 answers. */
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { families } from "../../../../src/domain/chat/family";
import { AnswerMeter } from "../../../../src/gateway/amounts/answerMeter";
import { BillChecker, type CountedAnswer } from "../../../../src/gateway/amounts/billChecks";
import { isOtherModel } from "../../../../src/gateway/amounts/modelNames";
import { type BillFinding, Bills, type BillVerdict, findingLifetime } from "../../../../src/gateway/bills";
import { startBusyTime } from "../../../support/busyTime";
import { createDiskWorkspace } from "../../../support/diskWorkspace";
import { assertWithin } from "../../../support/pace";
import { toolsOver } from "../../../support/toolFolder";
import { decodeStream } from "../../../../src/gateway/stream/decodeStream";
import { someOf } from "../../../support/runs";

const origin = "https://gateway.example";

interface KeptBills {
  readonly bills: Bills;
  readonly clock: { time: number };
  stored: unknown;
}

function createBills(stored: unknown = []): KeptBills {
  const clock = { time: Date.UTC(2026, 10, 12) };
  const memory = {
    read: () => kept.stored,
    write: (findings: readonly BillFinding[]) => (kept.stored = JSON.parse(JSON.stringify(findings))),
  };
  const kept: KeptBills = { stored, clock, bills: new Bills({ clock: { now: () => clock.time }, memory }) };
  return kept;
}

// Chats as this product sends them, counted by a tokenizer of the test.

type Tokenizer = (text: string) => number;

/** Words of up to six letters and up to three signs are tokens, as in the tokenizers of most services. */
const wordsOf: Tokenizer = (text) =>
  (text.match(/[A-Za-z]{1,6}| ?[A-Za-z]{1,6}|\d{1,3}|[^A-Za-z0-9\s]{1,3}|\s+|[^]/g) ?? []).length;
/** Another one, of smaller pieces. */
const piecesOf: Tokenizer = (text) =>
  (text.match(/[A-Za-z]{1,4}|\d{1,2}|[^A-Za-z0-9\s]{1,2}|\s{1,8}|[^]/g) ?? []).length;

/** A message is counted once: the tokens of a request are those of its parts. */
function createCounter(tokenizer: Tokenizer): (parts: readonly unknown[]) => number {
  const counted = new WeakMap<object, number>();
  const countOf = (part: object): number => {
    const tokens = counted.get(part) ?? tokenizer(JSON.stringify(part));
    counted.set(part, tokens);
    return tokens;
  };
  return (parts) => parts.reduce((sum: number, part) => sum + countOf(part as object), 0);
}

const byWords = createCounter(wordsOf);
const byPieces = createCounter(piecesOf);

const firstRequest = JSON.parse(readFileSync("test/fixtures/first-request/messages.json", "utf8")) as {
  readonly messages: readonly unknown[];
};
const tools = toolsOver(createDiskWorkspace()).map(({ declaration: { name, description, parameters } }) => {
  return { name, description, input_schema: parameters };
});

const shared = { ...firstRequest, messages: [], tools };

/** Code, prose and documents: what tools read in chats. */
const sources = [
  ...globSync("src/domain/**/*.ts"),
  ...globSync("docs/*.md"),
  ...globSync("l10n/*.json"),
  ...globSync("test/fixtures/messages/*.sse"),
]
  .sort()
  .map((path) => readFileSync(path, "utf8"));

interface Fault {
  readonly tokenizer?: typeof byWords;
  readonly times?: number;
  readonly cacheRead?: number;
  readonly named?: string;
}

/** `faultAt`: from which answer on. */
function* answersOf(chats: number, seed: number, fault: Fault = {}, faultAt = Infinity): Generator<CountedAnswer> {
  let time = Date.UTC(2026, 10, 12);
  let state = seed;
  const next = (below: number): number => (state = (state * 1103515245 + 12345) % 2147483648) % below;
  let number = 0;
  for (let chat = 0; chat < chats; chat += 1) {
    const messages: unknown[] = [
      { role: "user", content: [{ type: "text", text: `Task ${chat}: ${piece(next, 200)}` }] },
    ];
    let cached = 0;
    for (let step = 0; step < 20; step += 1) {
      const marked = messages.map((message, index) =>
        index === messages.length - 1 ? markOf(message as { content: readonly object[] }) : message,
      );
      const body = JSON.stringify({ ...firstRequest, model: "claude-sonnet-4-5", tools, messages: marked });
      const parts = [shared, ...messages];
      const honest = byWords(parts);
      const isFaulty = number >= faultAt;
      const { tokenizer = byWords, times = 1, named = "claude-sonnet-4-5-20250929" } = isFaulty ? fault : {};
      const cacheRead = isFaulty ? (fault.cacheRead ?? cached) : cached;
      const answer = piece(next, 400);
      yield {
        startedAt: time,
        at: time + 8000,
        family: "messages",
        model: "claude-sonnet-4-5",
        named,
        requestId: `req-${number}`,
        body,
        usage: { input: Math.round(tokenizer(parts) * times), output: wordsOf(answer), reasoning: 0, cacheRead },
        produced: Buffer.byteLength(answer),
        hasOther: false,
        hasFound: false,
      };
      time += 20_000;
      number += 1;
      cached = honest;
      // What a tool has read: mostly some lines, sometimes a file.
      const read = piece(next, next(6) === 0 ? 6000 : 900);
      messages.push(
        { role: "assistant", content: [{ type: "text", text: answer }] },
        { role: "user", content: [{ type: "text", text: read }] },
      );
    }
  }
}

function markOf({ content, ...message }: { content: readonly object[] }): unknown {
  return { ...message, content: content.map((block) => ({ ...block, cache_control: { type: "ephemeral" } })) };
}

function piece(next: (below: number) => number, most: number): string {
  const source = sources[next(sources.length)] ?? "";
  const from = next(Math.max(1, source.length - most));
  return source.slice(from, from + 40 + next(most)).toWellFormed();
}

/** After how many answers with the fault there is a line, by check. */
function foundAfter(fault: Fault, faultAt: number, seed: number): Readonly<Record<string, number>> {
  const kept = createBills();
  const checker = new BillChecker();
  const found: Record<string, number> = {};
  let number = 0;
  for (const answer of answersOf(4, seed, fault, faultAt)) {
    for (const verdict of checker.check(answer)) kept.bills.add(origin, verdict);
    number += 1;
    if (number > faultAt + 40) break;
    for (const { check } of kept.bills.current) found[check] ??= number - faultAt;
  }
  return found;
}

const seeds = someOf(
  Array.from({ length: 5 }, (_, index) => index * 7919 + 1),
  0,
  1,
);

describe("the bill is checked", () => {
  it("T18: no line over honest chats of code, prose, Chinese and logs", () => {
    let answers = 0;
    let judged = 0;
    for (const seed of seeds) {
      const kept = createBills();
      const checker = new BillChecker();
      for (const answer of answersOf(4, seed)) {
        const verdicts = checker.check(answer);
        answers += 1;
        judged += verdicts.filter(({ check }) => check === "input").length;
        assert.deepEqual(
          verdicts.filter(({ isOut }) => isOut),
          [],
        );
        for (const verdict of verdicts) kept.bills.add(origin, verdict);
      }
      assert.equal(kept.bills.current.length, 0);
    }
    assert.ok(judged > answers / 5, `${judged} of ${answers} could be measured`);
  });

  const faults: readonly (readonly [string, string, Fault])[] = [
    ["20 % more tokens", "input", { times: 1.2 }],
    ["another tokenizer", "input", { tokenizer: byPieces }],
    ["no cache reads", "cache", { cacheRead: 0 }],
    ["a foreign model name", "model", { named: "qwen3-max" }],
    ["the name of a smaller model", "model", { named: "claude-haiku-4-5" }],
  ];
  for (const [name, check, fault] of faults) {
    it(`T18: ${name}: found within 20 answers, and nothing else with it`, () => {
      for (const seed of seeds) {
        for (const faultAt of [7, 25]) {
          const found = foundAfter(fault, faultAt, seed);
          assert.deepEqual(Object.keys(found), [check], `seed ${seed}, from ${faultAt} on: ${JSON.stringify(found)}`);
          assert.ok(found[check]! <= 20, `found after ${found[check]}, seed ${seed}, from ${faultAt} on`);
        }
      }
    });
  }

  it("T18: no line over the recorded streams, each three times in a row", async () => {
    let streams = 0;
    for (const path of globSync("test/fixtures/{chat-completions,messages,generate-content}/*.sse").sort()) {
      const family = families.find((one) => one === basename(dirname(path)));
      assert.ok(family);
      const meter = new AnswerMeter();
      async function* bytes(): AsyncGenerator<Uint8Array> {
        yield await Promise.resolve(readFileSync(path));
      }
      for await (const event of decodeStream(family, bytes(), { contentType: "text/event-stream" })) meter.add(event);
      streams += 1;
      const { counted } = meter;
      if (counted === undefined) continue;
      const body = readFileSync(join("test/fixtures/first-request", `${family}.json`), "utf8");
      const model = counted.named ?? "";
      const kept = createBills();
      const checker = new BillChecker();
      for (const at of [0, 10_000, 20_000]) {
        const answer = { ...counted, family, model, body, startedAt: at, at: at + 1000 };
        for (const verdict of checker.check(answer)) kept.bills.add(origin, verdict);
      }
      assert.deepEqual(kept.bills.current, [], path);
    }
    assert.ok(streams > 200, `${streams} streams`);
  });

  it("T18: values that can be no counts say nothing, and a hostile name is cut", () => {
    const [honest] = answersOf(1, 1);
    assert.ok(honest);
    for (const value of [NaN, Infinity, -1, 1e309, Number.MAX_VALUE]) {
      const checker = new BillChecker();
      const usage = { input: value, output: value, reasoning: value, cacheRead: value };
      for (let turn = 0; turn < 5; turn += 1)
        assert.deepEqual(
          checker.check({ ...honest, usage }).filter(({ check }) => check !== "model"),
          [],
        );
    }
    const [named] = new BillChecker()
      .check({ ...honest, named: `qwen-${"x".repeat(100_000)}` })
      .filter(({ check }) => check === "model");
    assert.equal(named?.isOut, true);
    assert.ok(String(named?.row.stated).length <= 200);
  });

  it("T18: a long request costs no time that a person notices, and a very long one is not compared", () => {
    const [honest] = answersOf(1, 1);
    assert.ok(honest);
    const checker = new BillChecker();
    const text = "a".repeat(5_000_000);
    for (let turn = 0; turn < 3; turn += 1) assert.ok(checker.check({ ...honest, body: text }).length <= 2);
    const bodies = Array.from({ length: 9 }, (_, index) => `{"a":"${"word ".repeat(90_000)}${index}"}`);
    const spent = startBusyTime();
    for (const body of bodies) checker.check({ ...honest, body, usage: { input: 90_010 } });
    assertWithin(2000, spent(), "nine long requests");
  });

  it("T18: pictures and what a tool of the service found are not measured by their bytes", () => {
    const [honest] = answersOf(1, 1);
    assert.ok(honest);
    const checker = new BillChecker();
    checker.check(honest);
    const usage = { ...honest.usage, input: honest.usage.input! * 2 };
    const inputOf = (answer: CountedAnswer): readonly BillVerdict[] =>
      checker.check(answer).filter(({ check }) => check === "input");
    const picture = { type: "image", source: { type: "base64", media_type: "image/png", data: "iVBO" } };
    const body = honest.body.replace(
      '"messages":[',
      `"messages":[{"role":"user","content":[${JSON.stringify(picture)}]},`,
    );
    assert.deepEqual(inputOf({ ...honest, body, usage }), []);
    assert.deepEqual(inputOf({ ...honest, usage, hasFound: true }), []);
    assert.equal(inputOf({ ...honest, usage })[0]?.isOut, true);
  });

  it("T18: more output than bytes came counts where the thinking is stated, and only there", () => {
    const [honest] = answersOf(1, 1);
    assert.ok(honest);
    const check = (usage: CountedAnswer["usage"]): readonly boolean[] =>
      new BillChecker()
        .check({ ...honest, produced: 100, usage })
        .flatMap(({ check: name, isOut }) => (name === "output" ? [isOut] : []));
    assert.deepEqual(check({ output: 900, reasoning: 0 }), [true]);
    assert.deepEqual(check({ output: 900, reasoning: 850 }), [false]);
    assert.deepEqual(check({ output: 900 }), []);
    assert.deepEqual(check({ output: 50, reasoning: 80 }), [false]);
  });
});

describe("names of models in answers", () => {
  const cases: readonly (readonly [string, string, boolean | undefined])[] = [
    ["gpt-4o", "gpt-4o-2024-08-06", false],
    ["openai/gpt-4o", "gpt-4o", false],
    ["gpt-4o", "gpt-4o-mini-2024-07-18", true],
    ["claude-sonnet-4", "claude-4-sonnet-20250522", false],
    ["claude-sonnet-4-5", "glm-4.6", true],
    ["anthropic/claude-sonnet-4.5:beta", "anthropic/claude-sonnet-4.5", false],
    ["gemini-2.5-pro", "gemini-2.5-flash", true],
    ["gemini-flash-latest", "gemini-2.5-flash-preview-09-2025", undefined],
    ["openrouter/auto", "gpt-4o", undefined],
    ["team-default", "claude-sonnet-4-5", undefined],
    ["claude", "claude-sonnet-4-5", undefined],
    ["gpt-5", "my-deployment", undefined],
    ["deepseek-r1-distill-llama-70b", "deepseek-r1", undefined],
    ["kimi-k2", "moonshot-v1-128k", false],
    ["gpt-oss:20b", "gpt-oss-20b", false],
  ];
  for (const [asked, named, isOther] of cases) {
    it(`T18: ${asked} is answered by ${named}: ${isOther === undefined ? "can't be told" : isOther ? "another" : "the same"}`, () =>
      assert.equal(isOtherModel(asked, named), isOther));
  }
});

describe("findings", () => {
  const out = (at: number): BillVerdict => ({
    check: "cache",
    model: "m",
    isOut: true,
    row: { at, id: `req-${at}`, stated: 0, bound: 9000 },
  });
  const fine: BillVerdict = { ...out(0), isOut: false };

  it("T18: three in a row make one line, and one in between begins anew", () => {
    const { bills, clock } = createBills();
    for (const verdict of [out(clock.time), out(clock.time), fine, out(clock.time), out(clock.time)])
      bills.add(origin, verdict);
    assert.equal(bills.current.length, 0);
    bills.add(origin, out(clock.time));
    assert.deepEqual(
      bills.current.map(({ judged, out: wrong, rows }) => [judged, wrong, rows.length]),
      [[6, 5, 3]],
    );
  });

  it("T18: a line goes on over a restart, keeps its newest 20 rows, and goes 30 days after the last", () => {
    const first = createBills();
    for (let turn = 0; turn < 30; turn += 1) first.bills.add(origin, out(first.clock.time));
    const second = createBills(first.stored);
    second.bills.add(origin, out(second.clock.time));
    const [finding] = second.bills.current;
    assert.deepEqual([finding?.judged, finding?.out, finding?.rows.length], [31, 31, 20]);
    second.clock.time += findingLifetime + 1;
    assert.deepEqual(second.bills.current, []);
  });

  it("T18: what is no finding in the memory of the editor is none", () => {
    for (const stored of [undefined, null, "x", [{ check: "cache" }], [{ check: "cache", rows: "x" }]] as unknown[]) {
      const { bills, clock } = createBills(stored);
      assert.equal(bills.current.length, 0);
      bills.add(origin, out(clock.time));
    }
  });
});
