/** What a person set for a model, from the setting through the session to a gateway that reads it strictly. */
import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { AnswerEntry } from "../../../src/domain/chat/chat";
import { type AppOverGateway, openAppOverGateway } from "../../support/appOverGateway";
import { errorOf } from "../../support/chatSessions";

describe("the options of a model", () => {
  let over: AppOverGateway;
  afterEach(() => over.close());

  const open = async (id: string, options: Readonly<Record<string, unknown>>): Promise<void> => {
    over = await openAppOverGateway({ configured: [{ id, ...options }] });
    await mkdir(join(over.folder, "src"));
    await writeFile(join(over.folder, "src/app.ts"), "export const planet = 'World';\n");
    over.app.models.choose(id);
  };
  const answers = (): readonly AnswerEntry[] =>
    over.app.session.current.chat.entries.filter((entry) => entry.type === "answer");
  const thinks = (): boolean => answers().some(({ blocks }) => blocks.some(({ type }) => type === "reasoning"));

  for (const id of ["demo-chat", "demo-messages", "demo-generate"]) {
    it(`C5: ${id} thinks as it is asked to, over the rounds of a turn and into the next`, async () => {
      await open(id, { thinking: "high", temperature: 0.5, maxOutputTokens: 40_000 });
      await over.app.session.current.submit("Read src/app.ts");
      await over.app.session.current.submit("Read src/app.ts");
      assert.deepEqual(
        answers().map((answer) => errorOf(answer)?.title ?? answer.state),
        answers().map(() => "complete"),
      );
      assert.ok(answers().length >= 4 && thinks());
      assert.deepEqual(over.gateway.clientReport.findings, []);
    });

    it(`C5: ${id} does not think when it is told not to`, async () => {
      await open(id, { thinking: "off" });
      await over.app.session.current.submit("Read src/app.ts");
      assert.equal(thinks(), false);
      assert.equal(answers().at(-1)?.state, "complete");
    });

    it(`C5: ${id} ends its answer where the limit is`, async () => {
      await open(id, { maxOutputTokens: 3, thinking: "off" });
      await over.app.session.current.submit("Tell me a long story about the sea.");
      assert.equal(answers().at(-1)?.finish, "length");
    });
  }
});
