/** What of a project was made here, as its page shows it. */
import assert from "node:assert/strict";
import { describeLockState } from "../../../../../src/domain/words/lockWords";
import { createTimes } from "../../../../../src/domain/words/timeFormats";
import type { CheckedFile } from "../../../../../src/tasks/lock/lockStates";
import { assetFacts, leftOutWords, oversizeWords } from "../../../../../src/tasks/page/assetWords";
import { assetOf, assetsScene, someAssets } from "../../../../support/projectAssets";

describe("the page of assets", () => {
  it("T17: in groups, with what is wrong with a file, its places and what can be done", () => {
    const { found } = assetsScene(someAssets);
    assert.deepEqual(
      found?.groups.map(({ name, rows }) => [name, rows.map(({ path, actions }) => [path, actions.join()])]),
      [
        ["too-large", [["assets/hero.png", "convert,show"]]],
        [
          "used",
          [
            ["assets/everywhere.png", "show"],
            ["assets/intro.mp4", "show"],
            ["assets/pier.webp", "show"],
          ],
        ],
        ["unused", [[someAssets[4]?.file, "show"]]],
      ],
    );
    const [hero] = found.groups[0]?.rows ?? [];
    assert.ok(hero);
    assert.equal(
      oversizeWords(hero),
      "Shown 320 pixels wide at most, and has 1,024. 812 KB is much for a picture in a page.",
    );
    assert.match(assetFacts(hero, createTimes("en", hero.createdAt ?? 0)), /^1,024 × 683 · 812 KB · /);
    assert.deepEqual(hero.uses, ["index.html:12", "src/styles/main.css:40"]);
    const everywhere = found.groups[1]?.rows[0];
    assert.deepEqual([everywhere?.uses.length, everywhere?.moreUses], [8, 22]);
  });

  it("T17 (newuser M17): a line that names a file twice is one place", () => {
    const twice = assetOf("assets/a.png", { isThere: true }, ["README.md:15", "README.md:15", "b.md:1"]);
    const row = assetsScene([twice]).found?.groups[0]?.rows[0];
    assert.deepEqual([row?.uses, row?.moreUses], [["README.md:15", "b.md:1"], 0]);
  });

  it("T17: the files of a group are in the order of their names, numbers by their value", () => {
    const files = ["a-10.png", "a-9.png", "B.png", "a-1.png"];
    const { found } = assetsScene(files.map((file, index) => assetOf(file, { isThere: true }, [], index)));
    assert.deepEqual(
      found?.groups[0]?.rows.map(({ path }) => path),
      ["a-1.png", "a-9.png", "a-10.png", "B.png"],
    );
  });

  it("T17: rows beyond the cap, and documents that were left out, are said", () => {
    const many = Array.from({ length: 503 }, (_, index) => assetOf(`a-${index}.png`, { isThere: true }, [], index));
    const { found } = assetsScene(many, { isIncomplete: true });
    assert.equal(found?.groups[0]?.rows.length, 500);
    assert.equal(
      leftOutWords(found),
      "Some documents were not read in full: too large, too deep, too many or linked. 3 more files are not listed.",
    );
    assert.equal(assetsScene([]).found?.groups.length, 0);
  });

  it("T20: a row says what became of its file by sluice.lock, and a placeholder is made real from it", () => {
    const stale = { ...assetOf("a.png", { isThere: true }, []), locked: lockedAs("stale") };
    const good = { ...assetOf("b.png", { isThere: true }, [], 1), locked: lockedAs("good") };
    const made = assetOf("c.png", { isThere: true }, [], 2);
    assert.ok(made.task);
    const { destination: _none, ...intent } = made.task.intent;
    const placeholder = {
      ...made,
      task: { ...made.task, intent: { ...intent, isRehearsal: true as const } },
      locked: lockedAs("rehearsed"),
    };
    const changed = { ...assetOf("d.png", { isThere: true }, [], 3), locked: lockedAs("foreign") };
    const restorable = {
      ...assetOf("e.png", { isThere: true }, [], 4),
      locked: lockedAs("foreign"),
      isRestorable: true,
    };
    const rows = assetsScene([stale, good, placeholder, changed, restorable]).found?.groups[0]?.rows ?? [];
    assert.deepEqual(
      rows.map(({ locked, actions }) => [describeLockState(locked), actions.join()]),
      [
        ["Its prompt or options have changed since it was made.", "make-again,show"],
        ["", "show"],
        ["A placeholder: it is not made real yet.", "make-real,show"],
        ["Its bytes were changed since Sluice put it there.", "keep,show"],
        ["Its bytes were changed since Sluice put it there.", "restore,keep,show"],
      ],
    );
  });

  it("T20: a file of which only sluice.lock tells, as in a clone, has the place of its prompt, its model and its day", () => {
    const at = "2026-11-12T14:05:00.000Z";
    const withPlace = lockedAs("stale", { prompt: "hero%23.prompts.md#The Hero", model: "demo-image", at });
    const without = lockedAs("good", {});
    const found = assetsScene([
      { file: "a.png", now: { isThere: true, size: 900 }, uses: [], locked: withPlace },
      { file: "b.png", now: { isThere: true }, uses: [], locked: without },
      { file: "c.png", now: { isThere: true }, uses: [], locked: lockedAs("rehearsed", { prompt: "a.prompts.md#A" }) },
      { file: "d.png", now: { isThere: true }, uses: [], locked: lockedAs("rehearsed") },
      { file: "e.png", now: { isThere: true }, uses: [], locked: lockedAs("foreign"), picture: "/project/e.png" },
      { file: "gone.png", now: { isThere: false }, uses: [], locked: lockedAs("missing") },
    ]).found;
    const [first, second, ...others] = found?.groups[0]?.rows ?? [];
    assert.ok(first && second);
    assert.deepEqual(
      others.map(({ path, actions, picture }) => [path, actions.join(), picture]),
      [
        ["c.png", "make,show", undefined],
        ["d.png", "show", undefined],
        ["e.png", "keep,show", "/project/e.png"],
      ],
    );
    assert.deepEqual(
      [first.prompt, first.opens, first.actions, describeLockState(first.locked)],
      [
        "hero#.prompts.md · The Hero",
        "open-prompt",
        ["make-again", "show"],
        "Its prompt or options have changed since it was made.",
      ],
    );
    assert.match(assetFacts(first, createTimes("en", Date.parse(at))), /^900 bytes · .+ · demo-image$/);
    assert.deepEqual([second.prompt, second.opens, second.createdAt], ["", undefined, undefined]);
  });
});

function lockedAs(state: CheckedFile["state"], entry: Partial<CheckedFile["entry"]> = {}): CheckedFile {
  return { path: "a.png", state, entry: { path: "a.png", sha256: "0".repeat(64), ...entry } };
}
