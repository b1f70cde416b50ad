/** A call that an agent prepared: it runs once, and its question says what is so when it is asked. */
import assert from "node:assert/strict";
import type { Task } from "../../../../src/domain/task/task";
import type { CallToApprove, Tool } from "../../../../src/domain/tools/tool";
import { AgentTasks } from "../../../../src/agents/tasks/agentTasks";
import { accepted, connectTo, home, makeGateway, makeTask } from "../../../support/builders";

const { signal } = new AbortController();

describe("a prepared call of an agent", () => {
  let runs: AbortSignal[];
  let same: Task | undefined;
  beforeEach(() => {
    runs = [];
    same = undefined;
  });
  const asking: CallToApprove = {
    action: { type: "submit-task", taskType: "video", model: "model-x" },
    reasons: ["submits-task"],
    asked: {
      type: "submit",
      order: { type: "video", model: "model-x", prompt: "a hill", home },
      target: { home, isLocal: false, type: "enabled" },
      same: () => same,
    },
    run: (running) => {
      runs.push(running);
      return Promise.resolve("submitted");
    },
  };
  const prepare = () => {
    const tool: Tool = {
      declaration: { name: "submit", description: "", parameters: {} },
      effect: "submits",
      prepare: () => Promise.resolve(asking),
    };
    const tasks = new AgentTasks({ tools: [tool], connections: connectTo(makeGateway({})), hasTrust: () => true });
    return tasks.prepare("submit", {}, signal);
  };

  it("V2, V6, T1: runs once, with the signal of its caller", async () => {
    const call = await prepare();
    assert.equal(await call.run(signal), "submitted");
    assert.throws(() => call.run(signal), { message: "This call was made already." });
    assert.deepEqual(runs, [signal]);
  });

  it("M13, V6, T1: asked late, it names the task that was made of the same words meanwhile", async () => {
    const { question } = await prepare();
    assert.doesNotMatch(question!().notes.join("\n"), /same was submitted/);
    same = makeTask({ submission: accepted({ state: "processing", rawStatus: "3" }) });
    assert.match(question!().notes[0]!, /^The same was submitted before and is “processing”/);
  });
});
