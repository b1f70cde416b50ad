/** The chat with tools in all three families: the same session, the same events, another wire. */
import assert from "node:assert/strict";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Entry, toolCalls, type ToolCallBlock } from "../../../src/domain/chat/chat";
import { until } from "../../support/builders";
import { type AppOverGateway, openAppOverGateway } from "../../support/appOverGateway";
import { errorOf } from "../../support/chatSessions";

describe("the chat in three families", () => {
  let over: AppOverGateway;
  beforeEach(async () => {
    over = await openAppOverGateway();
    await mkdir(join(over.folder, "src"));
    await writeFile(join(over.folder, "src/app.ts"), "export const planet = 'World';\n");
    await writeFile(join(over.folder, "src/other.ts"), "export const moon = 'Luna';\n");
  });
  afterEach(async () => {
    assert.deepEqual(over.gateway.clientReport.findings, [], "L6: the client behaved");
    await over.close();
  });

  const entries = (): readonly Entry[] => over.app.session.current.chat.entries;
  const calls = (): ToolCallBlock[] =>
    entries().flatMap((entry) => (entry.type === "answer" ? [...toolCalls(entry)] : []));
  const text = (): string =>
    entries()
      .flatMap((entry) => (entry.type === "answer" ? entry.blocks : []))
      .flatMap((block) => (block.type === "text" ? [block.text] : []))
      .join("\n");

  for (const family of ["chat-completions", "messages", "generate-content"] as const) {
    describe(family, () => {
      beforeEach(() => {
        const model = over.app.models.models.current.list.find((one) => one.family === family && !one.taskTypes);
        assert.ok(model, `the local gateway lists a model of ${family}`);
        over.app.models.choose(model.id);
      });

      it("S1, A1: two files are read in one answer and the results come back", async () => {
        await over.app.session.current.submit("Read src/app.ts and src/other.ts");
        assert.deepEqual(
          calls().map(({ progress }) => progress.state),
          ["done", "done"],
        );
        assert.match(text(), /planet/);
        assert.match(text(), /moon/);
        const last = entries().at(-1);
        assert.ok(last?.type === "answer" && last.state === "complete" && last.family === family && last.usage?.output);
      });

      it("S2, A3: over several rounds and turns, what a family wants back comes back: nothing is refused", async () => {
        const session = over.app.session.current;
        await session.submit("Read src/app.ts");
        const turn = session.submit("Replace `World` with `Sluice` in src/app.ts");
        await until(() => calls().some(({ progress }) => progress.state === "waiting"));
        const waiting = calls().find(({ progress }) => progress.state === "waiting");
        assert.ok(waiting?.progress.state === "waiting");
        session.approvals.decide(waiting.progress.approval.id, { allow: true });
        await turn;
        await session.submit("Read src/app.ts");
        assert.match(await readFile(join(over.folder, "src/app.ts"), "utf8"), /Sluice/);
        for (const entry of entries())
          if (entry.type === "answer") assert.equal(entry.state, "complete", errorOf(entry)?.title);
      });
    });
  }

  it("S2: a chat that changes its model in the middle drops what is foreign and goes on", async () => {
    const session = over.app.session.current;
    for (const family of ["messages", "generate-content", "chat-completions", "messages"] as const) {
      const model = over.app.models.models.current.list.find((one) => one.family === family && !one.taskTypes);
      over.app.models.choose(model!.id);
      await session.submit("Read src/app.ts");
    }
    const states = entries().flatMap((entry) =>
      entry.type === "answer" ? [errorOf(entry)?.title ?? entry.state] : [],
    );
    assert.ok(
      states.every((state) => state === "complete"),
      states.join("\n"),
    );
  });
});
