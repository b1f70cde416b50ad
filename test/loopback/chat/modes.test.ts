/** Modes, plans and questions through the whole client, played by the local gateway's own model (A13, L4). */
import assert from "node:assert/strict";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ChatSession } from "../../../src/chat/session/session";
import { toolCalls } from "../../../src/domain/chat/chat";
import { findPlanDocument } from "../../../src/domain/chat/planOfChat";
import { type AppOverGateway, openAppOverGateway } from "../../support/appOverGateway";
import { until } from "../../support/builders";
import { answers, progressOf, waiting } from "../../support/chatSessions";

const replace = "replace `one` with `two` in src/a.ts";
const playing = (...calls: readonly string[]): string => `Do it.\n\n\`\`\`calls\n${calls.join("\n\n")}\n\`\`\``;
const lastText = (session: ChatSession): string =>
  (answers(session).at(-1)?.blocks ?? []).map((block) => (block.type === "text" ? block.text : "")).join("");

describe("modes over the local gateway", () => {
  let over: AppOverGateway;
  const session = (): ChatSession => over.app.session.current;
  const text = (): Promise<string> => readFile(join(over.folder, "src/a.ts"), "utf8");
  const allowAll = async (turn: Promise<unknown>): Promise<number> => {
    const ended: unknown[] = [];
    void turn.then(() => ended.push(turn));
    let count = 0;
    while (ended.length === 0) {
      await until(() => ended.length > 0 || waiting(session()).length > 0);
      for (const { id } of waiting(session())) count += Number(session().approvals.decide(id, { allow: true }));
      await until(() => ended.length > 0 || waiting(session()).length === 0);
    }
    return count;
  };
  beforeEach(async () => {
    over = await openAppOverGateway();
    await mkdir(join(over.folder, "src"));
    await writeFile(join(over.folder, "src/a.ts"), "one\n");
  });
  afterEach(() => over.close());

  it("A13, R4: in Ask no call of a hostile model changes, runs or submits anything, and none is asked about", async () => {
    await session().setMode("ask");
    await session().submit(
      playing(
        'write_file {"path": "src/a.ts", "text": "pwned"}',
        'edit_file {"path": "src/a.ts", "old_text": "one", "new_text": "pwned"}',
        'run_command {"command": "touch pwned"}',
        'submit_task {"type": "image", "model": "demo-image", "prompt": "x"}',
        'present_plan {"title": "t", "text": "1. x"}',
        'read_file {"path": "src/a.ts"}',
      ),
    );
    assert.deepEqual(progressOf(session()), ["failed", "failed", "failed", "failed", "failed", "done"]);
    assert.equal(await text(), "one\n");
    assert.equal(over.app.board.listed.size, 0);
  });

  it("A13, L4: Plan looks, presents the plan and changes nothing; started as the person has edited it, the plan is carried out", async () => {
    await session().setMode("plan");
    await session().submit(`Plan: ${replace}, then read src/a.ts`);
    assert.deepEqual(progressOf(session()), ["done", "done"]);
    assert.match(lastText(session()), /^The plan is ready/);
    assert.equal(await text(), "one\n");
    const answer = answers(session()).find((one) => toolCalls(one).some(({ name }) => name === "present_plan"));
    const place = { answer: answer?.id ?? "", call: (answer && toolCalls(answer)[0]?.call) ?? "" };
    const plan = findPlanDocument(session().chat, place)?.text ?? "";
    assert.match(plan, /^1\. Replace `one` with `two` in src\/a\.ts$/m);
    const edited = plan.replace("`two`", "`three`");
    await session().writePlan(place, edited, true);
    await session().setMode("agent");
    assert.equal(await allowAll(session().submit(`Carry out this plan:\n\n${edited}`)), 1);
    assert.equal(await text(), "three\n");
  });

  it("A13, L4: in Agent the plan is shown and checked off while the work goes on", async () => {
    const seen: string[] = [];
    session().onDidEmit(({ type }) => {
      const states = session()
        .chat.plan?.steps.map(({ state }) => state)
        .join(" ");
      if (type === "tool-progress" && states !== undefined && seen.at(-1) !== states) seen.push(states);
    });
    assert.equal(await allowAll(session().submit(`Plan: ${replace}, then read src/a.ts`)), 1);
    assert.deepEqual(seen, ["doing pending", "done doing", "done done"]);
    assert.equal(await text(), "two\n");
  });

  it("A13, L4: the model asks, and reports what the person has chosen", async () => {
    const turn = session().submit("Ask me which colour: red, blue or green");
    await until(() => session().questions.count === 1);
    const asked = answers(session())
      .flatMap(toolCalls)
      .flatMap(({ progress }) => (progress.state === "asking" ? [progress] : []));
    assert.deepEqual(
      asked[0]?.question.choices.map(({ label }) => label),
      ["red", "blue", "green"],
    );
    session().questions.answer(asked[0].id, { type: "choice", at: 1 });
    await turn;
    assert.match(lastText(session()), /The person chose: blue/);
  });
});
