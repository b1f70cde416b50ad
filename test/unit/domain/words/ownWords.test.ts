/** What the local gateway says in English is read in the language of the window. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { config } from "@vscode/l10n";
import { ownWords } from "../../../../src/domain/words/ownWords";
import { localModels } from "../../../../src/localGateway/demo/models";
import { eventsUntil, type GatewayTask, planTask, type TaskEnd } from "../../../../src/localGateway/tasks/gatewayTask";

/** Of tasks with each end, with and without a drawing, a reason and a refund. */
function eventTexts(): readonly string[] {
  const ends: TaskEnd[] = [
    { state: "succeeded", at: 9e9 },
    { state: "expired", at: 9e9 },
    { state: "cancelled", at: 9e9, reason: "" },
    { state: "cancelled", at: 9e9, reason: "Wrong prompt" },
  ];
  for (const seed of Array.from({ length: 12 }, (_, index) => index)) {
    const { outcome } = planTask({ type: "async_image", prompt: "[fail]", seed, now: 0, speed: 1 });
    if (outcome.state === "failed") ends.push({ ...outcome, at: 9e9 });
  }
  const refunds = ["", "Fault"].flatMap((reason) => [0, 5].map((amount) => ({ at: 9e9, reason, amount })));
  const texts = ["a lighthouse", "qwertz"].flatMap((prompt) => {
    const plan = planTask({ type: "async_image", prompt, seed: 1, now: 0, speed: 1 });
    const ids = { taskId: "t", account: 1, holdId: "h", requestId: "r", model: "demo-image" };
    const task = { ...ids, type: "async_image", prompt, seed: 1, createdAt: 0, plan } as unknown as GatewayTask;
    return [
      ...ends.map((end) => ({ task, end })),
      ...refunds.map((refund) => ({ task, end: ends[0]!, refund })),
    ].flatMap((account) => eventsUntil(account, 9e9).map(({ message }) => message));
  });
  return [...new Set(texts)];
}

describe("ownWords", () => {
  afterEach(() => config({ contents: {} }));

  it("P5, L3: each note of a model and each event of a task is Chinese in a Chinese window, and as it is in an English one", async () => {
    const texts = [...localModels.map(({ capabilities }) => capabilities.note), ...eventTexts()];
    assert.ok(texts.length > 12);
    for (const text of texts) assert.equal(ownWords(text), text);
    config({ contents: await readFile("l10n/bundle.l10n.zh-cn.json", "utf8") });
    for (const text of texts) assert.match(ownWords(text), /\p{Script=Han}/u, text);
    assert.equal(ownWords("Words of another gateway."), "Words of another gateway.");
  });
});
