/** What a call over MCP may do after its question: nothing without a yes, nothing for a client that is gone. */
import assert from "node:assert/strict";
import type { AgentCall } from "../../../../src/vscode/agents/agentTasks";
import { type AskForClient, createMcpCalls } from "../../../../src/vscode/agents/mcpCalls";

const call = { name: "sluice_submitTask", input: {}, client: "test-agent" };
const question = { title: "Submit?", facts: [], notes: [], action: "Submit" };

describe("a call over MCP", () => {
  let runs: AbortSignal[];
  beforeEach(() => (runs = []));
  const callsThat = (ask: AskForClient): ReturnType<typeof createMcpCalls> => {
    const prepared: AgentCall = {
      title: "Submit",
      question: () => question,
      run: (signal) => {
        runs.push(signal);
        return Promise.resolve("submitted");
      },
    };
    return createMcpCalls({ prepare: () => Promise.resolve(prepared) }, ask);
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
