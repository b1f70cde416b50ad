/** Which of the prepared calls runs after a yes in VS Code's chat. */
import assert from "node:assert/strict";
import type { TaskQuestion } from "../../../../src/tasks/view/taskQuestion";
import { type AgentCall, PreparedCalls } from "../../../../src/agents/tasks/agentTasks";

const input = { type: "video", prompt: "a harbour" };
const questionOf = (gateway: string): TaskQuestion => ({
  title: "Submit?",
  facts: [{ name: "Gateway", text: gateway }],
  notes: [],
  action: "Submit",
});
const callTo = (gateway: string): AgentCall => ({
  title: "Submit",
  question: () => questionOf(gateway),
  run: () => Promise.resolve(gateway),
});

describe("prepared calls", () => {
  it("V2: of equal calls the newest runs, each once", () => {
    const calls = new PreparedCalls();
    const [refused, asked] = [callTo("local"), callTo("local")];
    calls.add("submit", input, refused, questionOf("local"));
    calls.add("submit", { ...input, prompt: "a pier" }, callTo("local"), questionOf("local"));
    calls.add("submit", input, asked, questionOf("local"));
    assert.equal(calls.take("submit", { ...input }), asked);
    assert.equal(calls.take("submit", input), refused);
    assert.equal(calls.take("submit", input), undefined);
  });

  it("V2, A3: a yes to a free task is not one to the same task at a gateway that is paid: where the questions differ none runs", () => {
    const calls = new PreparedCalls();
    calls.add("submit", input, callTo("https://gateway.example/v1"), questionOf("https://gateway.example/v1"));
    calls.add("submit", input, callTo("the local gateway"), questionOf("the local gateway"));
    assert.equal(calls.take("submit", input), undefined);
    assert.equal(calls.take("submit", input), undefined);
  });
});
