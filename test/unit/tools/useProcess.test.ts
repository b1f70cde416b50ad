/** A3, A13: what is written to a background process asks as a command of its own would. */
import assert from "node:assert/strict";
import type { PreparedCall } from "../../../src/domain/tools/tool";
import { BackgroundProcesses } from "../../../src/tools/command/backgroundProcesses";
import { KeptResults } from "../../../src/tools/readResult";
import { useProcess } from "../../../src/tools/useProcess";
import { createMovedClock } from "../../support/movedClock";

const never = new AbortController().signal;

describe("use_process", () => {
  const prepare = async (isConfined: boolean, input: Readonly<Record<string, unknown>>): Promise<PreparedCall> => {
    const background = new BackgroundProcesses(createMovedClock());
    const facts = { chat: "chat", line: "bash", isConfined, untrusted: undefined };
    const child = { ended: new Promise<never>(() => undefined), write: () => true, end: () => undefined };
    const { id } = await background.start(facts, () => Promise.resolve(child));
    const processes = { answers: () => Promise.resolve(false) };
    const tool = useProcess({ background, processes, results: new KeptResults() });
    return tool.prepare({ id, ...input }, never, { chat: "chat" });
  };

  it("A3: a line asks with the whole line, also in the sandbox; a read and an end ask nothing", async () => {
    for (const isConfined of [true, false]) {
      const written = await prepare(isConfined, { text: "rm -rf x" });
      assert.deepEqual(written.action, { type: "write-process", command: "bash", text: "rm -rf x" });
      assert.deepEqual(written.reasons, ["runs-command"]);
      for (const input of [{}, { end: true }]) assert.equal((await prepare(isConfined, input)).reasons, undefined);
    }
  });

  it("A3: a line can't be written in the call that ends it, which asks nothing", async () => {
    for (const isConfined of [true, false])
      await assert.rejects(prepare(isConfined, { text: "touch x &", end: true }), /two calls/);
  });
});
