/** A chat that outgrows the model's context, through the whole client and over the wire of each family: summary, pin, undo, cap. */
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { families } from "../../../src/domain/chat/family";
import type { SummaryEntry } from "../../../src/domain/chat/chat";
import { type AppOverGateway, openAppOverGateway } from "../../support/appOverGateway";
import { answers, errorOf } from "../../support/chatSessions";

const models = ["demo-chat", "demo-messages", "demo-generate"];

describe("a chat that outgrows the model's context", () => {
  let over: AppOverGateway;
  let cap = 0;
  beforeEach(async () => {
    cap = 0;
    const configured = models.map((id, index) => ({ id, family: families[index], contextSize: 2600 }));
    over = await openAppOverGateway({ configured, tokensPerChat: () => cap });
    await writeFile(join(over.folder, "app.ts"), "export const planet = 'World';\n");
  });
  afterEach(() => over.close());

  const summaries = (): SummaryEntry[] =>
    over.app.session.current.chat.entries.filter((entry) => entry.type === "summary");

  for (const family of families) {
    it(`A6, A7: ${family}: it is summarised and goes on with calls, pins, second answers and an undo; the gateway refuses nothing`, async () => {
      const model = over.app.models.models.current.list.find((one) => one.family === family && models.includes(one.id));
      over.app.models.choose(model!.id);
      const session = over.app.session.current;
      await session.submit("Read app.ts");
      await session.pin(session.chat.entries[0]!.id, true);
      for (let turn = 0; turn < 5; turn += 1) await session.submit("write 8 paragraphs");
      const [first] = summaries();
      assert.equal(first?.state, "complete");
      assert.match(JSON.stringify(first.blocks), /A summary by rules[^]*Read app\.ts/);
      await session.submit("Read app.ts");
      await session.regenerate();
      await session.switchSummary(summaries().at(-1)!.id, true);
      await session.submit("Read app.ts");
      await session.switchSummary(summaries().at(-1)!.id, false);
      assert.equal(await session.summarize(), true);
      await over.restartApp();
      const after = over.app.session.current;
      assert.deepEqual(after.chat.entries, session.chat.entries, "P4: as it was");
      await after.submit("Read app.ts");
      for (const answer of answers(after)) assert.equal(answer.state, "complete", errorOf(answer)?.title);
      assert.ok(summaries().every(({ state, usage }) => state === "complete" && usage?.output));
    });
  }

  it("T10: over the cap the gateway gets no request until the person goes on", async () => {
    const session = over.app.session.current;
    const asked = (): number => over.gateway.requests.filter(({ path }) => path === "/v1/chat/completions").length;
    await session.submit("write 2 paragraphs");
    cap = session.chat.tokens ?? 0;
    assert.ok(cap > 0);
    await session.submit("write 1 paragraph");
    assert.equal(asked(), 1);
    assert.equal(errorOf(answers(session).at(-1))?.action.id, "over-cap");
    await over.restartApp();
    assert.equal(asked(), 1);
    await over.app.session.current.retry("over-cap");
    assert.equal(asked(), 2);
    assert.equal(answers(over.app.session.current).at(-1)?.state, "complete");
  });
});
