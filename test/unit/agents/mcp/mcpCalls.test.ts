/** What a call over MCP may do after its question, and how many questions programs may put to a person: at once, in a row, and after *Refuse This and Later Ones*. */
import assert from "node:assert/strict";
import { abortable } from "../../../../src/base/async/abort";
import { ToolRefusal } from "../../../../src/domain/tools/tool";
import type { AgentCall } from "../../../../src/agents/tasks/agentTasks";
import { type AskForClient, McpCalls } from "../../../../src/agents/mcp/mcpCalls";
import { createMovedClock, type MovedClock } from "../../../support/movedClock";

const question = { title: "Submit?", facts: [], notes: [], action: "Submit" };

describe("questions over MCP", () => {
  let clock: MovedClock;
  let calls: McpCalls;
  /** The answers to the questions that were asked and wait. */
  let waiting: ((allowed: boolean) => void)[];
  let asked: number;

  beforeEach(() => {
    clock = createMovedClock();
    waiting = [];
    asked = 0;
    const tasks = {
      prepare: (name: string): Promise<AgentCall> => {
        if (name === "unknown") return Promise.reject(new ToolRefusal("There is no tool unknown."));
        const run = (): Promise<string> => Promise.resolve("done");
        return Promise.resolve({ title: name, run, ...(name === "submit" && { question: () => question }) });
      },
    };
    const ask = (_question: unknown, _client: string, signal: AbortSignal): Promise<boolean> => {
      asked += 1;
      return abortable(new Promise<boolean>((resolve) => waiting.push(resolve)), signal);
    };
    calls = new McpCalls(tasks, ask, clock);
  });

  const call = async (name = "submit", { signal } = new AbortController()): Promise<string> =>
    (await calls.call({ name, input: {}, client: "x" }, signal)).text;
  /** The text of a call whose question, if it is asked, gets that answer. */
  const answered = async (allowed: boolean): Promise<string> => {
    const text = call();
    await clock.advance(0);
    waiting.shift()?.(allowed);
    return await text;
  };

  it("V6 (finding H16): eight questions wait at once; one more is refused and not shown", async () => {
    const first = Array.from({ length: 8 }, () => call());
    await clock.advance(0);
    const refused = call();
    await clock.advance(0);
    assert.equal(asked, 8);
    assert.match(await refused, /8 questions wait for the person already/);
    // What asks nothing is not held up.
    assert.equal(await call("list"), "done");
    waiting.shift()?.(true);
    assert.equal(await first[0], "done");
    const ninth = call();
    await clock.advance(0);
    assert.equal(asked, 9);
    for (const answer of waiting) answer(true);
    assert.equal(await ninth, "done");
  });

  it("V6 (finding H13): of 300 questions in a row without a yes three are shown; each further one waits twice as long", async () => {
    for (let times = 0; times < 300; times += 1) await answered(false);
    assert.equal(asked, 3);
    assert.match(await call(), /next one can be asked in 30 seconds/);
    for (const seconds of [30, 60, 120, 240, 480, 960, 1920, 3600, 3600]) {
      await clock.advance(seconds * 1000 - 1);
      assert.match(await call(), /in 1 seconds/);
      await clock.advance(1);
      assert.match(await answered(false), /said no/);
    }
    await clock.advance(3_600_000);
    assert.equal(await answered(true), "done");
    assert.match(await answered(false), /said no/);
    assert.equal(await answered(true), "done");
  });

  it("V6 (finding H13): several that waited together and were refused count once, and so does one that was withdrawn", async () => {
    const together = Array.from({ length: 8 }, () => call());
    await clock.advance(0);
    for (const answer of waiting.splice(0)) answer(false);
    await Promise.all(together);
    const withdrawal = new AbortController();
    const withdrawn = call("submit", withdrawal);
    await clock.advance(0);
    withdrawal.abort();
    await assert.rejects(withdrawn, { name: "AbortError" });
    waiting.shift();
    assert.match(await answered(false), /said no/);
    assert.match(await answered(false), /got no yes/);
    calls.allowQuestions();
    assert.equal(await answered(true), "done");
  });

  it("V6 (finding H13): after Refuse This and Later Ones nothing is asked, until the person lets programs ask", async () => {
    calls.silence();
    assert.match(await answered(true), /no more questions/);
    assert.equal(asked, 0);
    assert.equal(await call("list"), "done");
    calls.allowQuestions();
    assert.equal(await answered(true), "done");
  });
});

describe("a call over MCP", () => {
  const call = { name: "sluice_submitTask", input: {}, client: "test-agent" };
  let runs: AbortSignal[];
  beforeEach(() => (runs = []));
  const callsThat = (ask: AskForClient): McpCalls["call"] => {
    const prepared: AgentCall = {
      title: "Submit",
      question: () => question,
      run: (signal) => {
        runs.push(signal);
        return Promise.resolve("submitted");
      },
    };
    const calls = new McpCalls({ prepare: () => Promise.resolve(prepared) }, ask, createMovedClock());
    return (asked, signal) => calls.call(asked, signal);
  };

  it("M4, V6, A3: does not run when its client has gone by the time of the yes", async () => {
    const gone = new AbortController();
    const late = callsThat(() => {
      gone.abort();
      return Promise.resolve(true);
    });
    await assert.rejects(late(call, gone.signal), { name: "AbortError" });
    assert.equal(runs.length, 0);
  });

  it("M4, V6: runs with the signal of its client after the yes, and not after a no", async () => {
    const { signal } = new AbortController();
    assert.equal((await callsThat(() => Promise.resolve(false))(call, signal)).isError, true);
    assert.equal(runs.length, 0);
    assert.deepEqual(await callsThat(() => Promise.resolve(true))(call, signal), { text: "submitted", isError: false });
    assert.deepEqual(runs, [signal]);
  });
});
