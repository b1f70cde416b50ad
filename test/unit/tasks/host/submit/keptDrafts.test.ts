/** What was typed and could not be submitted is there again in *Submit Selection as Task…*, and is not mistaken for what is kept later. */
import assert from "node:assert/strict";
import type * as vscode from "vscode";
import { KeptDrafts } from "../../../../../src/tasks/host/submit/draftMemory";
import { emptyDraft } from "../../../../../src/tasks/host/submit/taskDraft";

type Memory = Pick<vscode.Memento, "get" | "update">;

function createMemory(kept?: unknown): Memory {
  const values = new Map<string, unknown>([["keptDraft", kept]]);
  return {
    get: (key: string, other?: unknown) => values.get(key) ?? other,
    update: (key, value) => Promise.resolve(void values.set(key, value)),
  };
}

const draft = { ...emptyDraft, type: "video", model: "model-x", prompts: ["a lighthouse"] } as const;
const textsIn = (drafts: KeptDrafts): readonly string[] => drafts.read().map(({ typed }) => typed);

describe("a kept draft", () => {
  it("M1, T2: what was refused because another gateway is in use is kept, in this window whole and in another as text", async () => {
    const memory = createMemory();
    const drafts = new KeptDrafts(memory);
    const { kept } = await drafts.keep(draft);
    assert.deepEqual(drafts.read(), [{ ...draft, typed: "a lighthouse", kept }]);
    const [elsewhere] = new KeptDrafts(memory).read();
    assert.deepEqual([elsewhere?.typed, elsewhere?.type, elsewhere?.model], ["a lighthouse", "video", "model-x"]);
    assert.equal((await drafts.keep(emptyDraft)).kept, undefined);
  });

  it("T2: comes back when the one that was kept after it is forgotten, also where another window has kept that one", async () => {
    const memory = createMemory();
    const [drafts, others] = [new KeptDrafts(memory), new KeptDrafts(memory)];
    await drafts.keep(draft);
    const { kept } = await others.keep({ ...draft, prompts: ["a pier"] });
    assert.deepEqual(textsIn(drafts), ["a pier", "a lighthouse"]);
    await drafts.forget(kept ?? "");
    assert.deepEqual(textsIn(others), ["a lighthouse"]);
    await drafts.forget("a lighthouse");
    assert.deepEqual(textsIn(others), []);
    await others.keep({ ...draft, model: "model-y" });
    assert.deepEqual(
      drafts.read().map(({ model }) => model),
      ["model-y"],
    );
  });

  it("T2: is replaced by what the person made of it; of others the last five are kept", async () => {
    const drafts = new KeptDrafts(createMemory());
    for (let at = 0; at < 6; at += 1) await drafts.keep({ ...draft, prompts: [`a pier ${at}`] });
    const [newest = emptyDraft] = drafts.read();
    await drafts.keep({ ...newest, typed: "a pier at night" });
    const five = ["a pier at night", "a pier 4", "a pier 3", "a pier 2", "a pier 1"];
    assert.deepEqual(textsIn(drafts), five);
    // A draft is kept while it is submitted.
    await drafts.forget((await drafts.keep({ ...draft, prompts: ["a boat"] })).kept ?? "");
    assert.deepEqual(textsIn(drafts), five);
  });

  it("T2: of an edited document is its text, whatever document the prompt came from, and whole where it makes several prompts", async () => {
    const memory = createMemory();
    const drafts = new KeptDrafts(memory);
    const source = { scheme: "file" } as vscode.Uri;
    assert.equal((await drafts.keep({ ...draft, source })).kept, undefined);
    const before = { ...draft, source, metadata: { quality: "high" } };
    await drafts.keep({ ...draft, source, edited: { text: "a lighthouse", before } });
    const text = "<!-- sluice: seed=[0, 1] size=512x512 -->\na pier";
    const each = [0, 1].map((seed) => ({ words: `seed: ${seed}`, metadata: { seed } }));
    const metadata = { quality: "high", size: "512x512" };
    const several = { ...before, metadata, prompts: ["a pier", "a pier"], each, edited: { text, before } };
    await drafts.keep(several);
    assert.deepEqual(textsIn(drafts), [text, "a lighthouse"]);
    // The person may take the size out of the text before it is read again.
    for (const [kept] of [drafts.read(), new KeptDrafts(memory).read()])
      assert.deepEqual(
        [kept?.prompts, kept?.each, kept?.model, kept?.metadata],
        [[], undefined, "model-x", before.metadata],
      );
  });

  it("T2: a draft of an earlier version, which kept one only, is read", () => {
    assert.deepEqual(textsIn(new KeptDrafts(createMemory({ typed: "a pier", metadata: {} }))), ["a pier"]);
  });
});
