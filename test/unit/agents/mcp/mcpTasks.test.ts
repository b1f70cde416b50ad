/** Orders of programs that go on after their response: what runs is cancelled after a question only, and what sums up several tasks. */
import assert from "node:assert/strict";
import { McpTasks, type McpTasksParts } from "../../../../src/agents/mcp/mcpTasks";
import type { OrderedTask } from "../../../../src/domain/task/taskPort";
import type { McpCall, McpResult } from "../../../../src/domain/tools/mcpTool";
import { agentToolNames } from "../../../../src/agents/tasks/agentToolNames";
import { accepted, makeTask } from "../../../support/builders";
import type { TaskState } from "../../../../src/domain/task/task";
import { chatTaskTools } from "../../../../src/tools/tasks/taskToolNames";
import { createToolFolder, titleOf } from "../../../support/toolFolder";
import { createMovedClock } from "../../../support/movedClock";

const never = new AbortController().signal;
const order: McpCall = { name: agentToolNames.submit, input: {}, client: "agent" };
const question = {
  title: "Submit 2 paid image tasks?",
  facts: [{ name: "Prompt", text: "a pier" }],
  notes: [],
  action: "Submit",
};

const taskIn = (state: TaskState): OrderedTask["task"] => makeTask({ submission: accepted({ state }) });

describe("orders of programs that go on after their response", () => {
  let asked: McpCall[];
  let signals: AbortSignal[];
  let ordered: readonly OrderedTask[];
  let finish: (result: McpResult) => void;
  let knowsAll: () => Promise<boolean>;
  let tasks: McpTasks;

  beforeEach(() => {
    [asked, signals, ordered] = [[], [], []];
    knowsAll = () => Promise.resolve(true);
    const calls: McpTasksParts["calls"] = {
      prepare: () => Promise.resolve({ title: "", question: () => question, run: () => Promise.resolve("") }),
      carryOut: () => new Promise((resolve) => (finish = resolve)),
      call(call, signal) {
        if (call.name === agentToolNames.get)
          return Promise.resolve({ text: JSON.stringify(call.input), isError: false });
        asked.push(call);
        signals.push(signal);
        return new Promise((_, reject) => signal.addEventListener("abort", () => reject(new Error("gone"))));
      },
    };
    const orders = { ordered: () => ordered, knowsAll: () => knowsAll() };
    tasks = new McpTasks({ calls, orders, token: () => "token", clock: createMovedClock() });
  });
  const begin = async (): Promise<string> => {
    const begun = await tasks.begin(order, never);
    assert.ok("id" in begun);
    return begun.id;
  };
  const statusOf = async (id: string): Promise<string | undefined> => (await tasks.get(id, never))?.state.status;
  const running = taskIn("processing");
  const succeeded = taskIn("succeeded");

  it("V6, A3: to cancel what runs asks the person once for each task that has not ended, and goes with the window's server", async () => {
    const id = await begin();
    ordered = [
      { task: succeeded, isDone: true },
      { task: running, isDone: false },
    ];
    for (let time = 0; time < 3; time += 1) assert.ok(tasks.cancel(id, "agent"));
    assert.deepEqual(
      asked.map(({ name, client }) => [name, client]),
      [[agentToolNames.cancel, "agent"]],
    );
    // The tool itself takes these arguments, and has the question.
    const folder = await createToolFolder({ tasks: { get: () => running } });
    assert.match(titleOf(await folder.prepare(chatTaskTools.cancel, asked[0]?.input)), /^Cancel the task/);
    await folder.remove();
    assert.equal(await statusOf(id), "working");
    tasks.withdrawAll();
    assert.deepEqual(
      signals.map(({ aborted }) => aborted),
      [true],
    );
  });

  it("V6: an order of several works until all have ended and the last one was sent, and one result is no error", async () => {
    const id = await begin();
    assert.equal(await statusOf(id), "asked");
    ordered = [{ task: succeeded, isDone: true }];
    assert.equal(await statusOf(id), "working", "others of the order may not be written yet");
    finish({ text: "", isError: false });
    await new Promise(setImmediate);
    ordered = [
      { task: succeeded, isDone: true },
      { task: running, isDone: false },
    ];
    assert.equal((await tasks.get(id, never))?.message, "1 of 2 have ended.");
    const failed = taskIn("failed");
    for (const [ends, isError] of [
      [[succeeded, failed], false],
      [[failed, failed], true],
    ] as const) {
      ordered = ends.map((task) => ({ task, isDone: true }));
      const state = (await tasks.get(id, never))?.state;
      assert.equal(state?.status === "completed" && state.result.isError, isError);
    }
    const cancelled = taskIn("cancelled");
    ordered = [{ task: cancelled, isDone: true }];
    assert.equal(await statusOf(id), "cancelled");
  });

  it("V6, T1: an order whose tasks are not read yet, or can't be, is none that was never submitted", async () => {
    const id = await begin();
    finish({ text: "", isError: false });
    await new Promise(setImmediate);
    knowsAll = () => Promise.resolve(false);
    const told = await tasks.get(id, never);
    assert.deepEqual([told?.state.status, /Don't submit it again/.test(told?.message ?? "")], ["working", true]);
    knowsAll = () => {
      ordered = [{ task: succeeded, isDone: true }];
      return Promise.resolve(true);
    };
    assert.equal(await statusOf(id), "completed");
    ordered = [];
    knowsAll = () => Promise.resolve(true);
    assert.equal(await statusOf(id), "cancelled");
  });

  it("V6, T8: a task that has succeeded is not told as being made while its file is fetched and placed", async () => {
    const id = await begin();
    ordered = [{ task: succeeded, isDone: false }];
    const told = await tasks.get(id, never);
    assert.equal(told?.state.status, "working");
    assert.match(
      told?.message ?? "",
      /^It has succeeded\. Its file is on its way into the project\. Don't submit it again/,
    );
  });

  it("V6, T1: a task that nobody knows of is not to be ordered again", async () => {
    const id = await begin();
    const error = { kind: "network", message: "gone" } as const;
    ordered = [{ task: makeTask({ submission: { state: "outcome-unknown", error } as never }), isDone: false }];
    const told = await tasks.get(id, never);
    assert.deepEqual([told?.state.status, /Don't submit it again/.test(told?.message ?? "")], ["working", true]);
  });
});
