/** What was typed and could not be submitted is there again in *Submit Selection as Task…*, and is not mistaken for what is kept later. */
import assert from "node:assert/strict";
import type * as vscode from "vscode";
import { KeptDraft } from "../../../../../src/tasks/host/submit/draftMemory";
import { emptyDraft } from "../../../../../src/tasks/host/submit/taskDraft";

function createMemento(): vscode.Memento {
  const values = new Map<string, unknown>();
  return {
    keys: () => [...values.keys()],
    get: (key: string, other?: unknown) => values.get(key) ?? other,
    update: (key, value) => Promise.resolve(void values.set(key, value)),
  };
}

describe("a kept draft", () => {
  it("M1, T2: what was refused because another gateway is in use is kept, in this window whole and in another as text", async () => {
    const memory = createMemento();
    const drafts = new KeptDraft(memory);
    const draft = { ...emptyDraft, type: "video", model: "model-x", prompts: ["a lighthouse"] } as const;
    const kept = await drafts.keep(draft);
    assert.equal(drafts.read(), kept);
    assert.deepEqual(kept, { ...draft, typed: "a lighthouse" });
    assert.equal(new KeptDraft(memory).read()?.typed, "a lighthouse");
    await drafts.keep({ ...draft, prompts: ["a pier"] });
    assert.notEqual(drafts.read(), kept, "a submission of the first one forgets nothing now");
    assert.equal(await drafts.keep(emptyDraft), undefined);
  });
});
