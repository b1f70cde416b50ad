/** A matrix of variants from a prompt file: one question that shows all of them, and a lens that counts (T16). */
import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { closeWindows, type OpenedWindow, openWindow } from "../../support/fakeVscode/openWindow";
import { modelStep, reviewStep, tasksView, twoModels } from "../../support/submitSteps";

const name = "matrix.prompts.md";
const text = (seeds: string): string =>
  [
    ...["---", "type: image", "style: [linocut, gouache, paper cut]", `seed: [${seeds}]`, "size: 64x64", "---", ""],
    ...["# Posters", "", "A harbour crane in the evening, {{style}}.", "", "A ferry without a name, {{stile}}.", ""],
  ].join("\n");
const manySeeds = Array.from({ length: 24 }, (_, at) => at + 1).join(", ");
const many = `---\ntype: image\nsize: 64x64\nseed: [${manySeeds}]\n---\n# Many\n\nA buoy at sea.\n`;

describe("a matrix of prompts", () => {
  let opened: OpenedWindow;
  before(async () => {
    opened = await openWindow({ files: { [name]: text("1, 2"), "many.prompts.md": many }, settings: twoModels });
  });
  after(closeWindows);

  const titles = async (): Promise<readonly string[]> =>
    (await opened.person.lenses()).map(({ command }) => command?.title ?? "");
  /** What the last step says of each. */
  const rows = (): readonly string[] =>
    opened.person.pick.rows.map(({ label, description = "" }) => `${label} ${description}`);

  it("T16: six variants are one question that lists each with its values, and their lens counts; a seed that is added makes only the new ones, once", async () => {
    const { window, person, inside, folder } = opened;
    await window.openFile(name);
    await person.lens("Submit 6 Variants");
    // The one with a variable that has no value can't be submitted, and is not counted.
    assert.ok(!(await titles()).includes("Submit"));
    const submitting = await person.clickLens("Submit 6 Variants");
    await person.through(modelStep);
    await person.step(reviewStep);
    assert.match(rows()[0] ?? "", /Submit 6 image tasks with demo-image/);
    assert.ok(rows().some((row) => /A harbour crane in the evening, gouache\..*style: gouache, seed: 2/.test(row)));
    await person.press("Enter");
    await submitting.ended();
    await person.lens("6 of 6 succeeded");
    const opening = await person.clickLens("Open Batch");
    await opening.ended();
    await window.until("its page", () =>
      window.editors.activeGroup.activeTab?.label.startsWith("Batch: A harbour crane"),
    );

    await writeFile(path.join(folder, name), text("1, 2, 3"));
    await window.openFile(name);
    const adding = await person.clickLens("Submit 3 More");
    await person.through(modelStep);
    await person.step(reviewStep);
    assert.match(rows()[0] ?? "", /Submit 3 image tasks with demo-image/);
    assert.ok(!rows().some((row) => /seed: [12]/.test(row)));
    await person.press("Enter");
    await adding.ended();
    await person.lens("9 of 9 succeeded");
    assert.equal(inside.app.board.listed.size, 9);

    // Of a row: the same task with four seeds, asked once.
    const row = await person.row(tasksView, "A harbour crane in the evening, gouache");
    const making = person.inMenu(row, "Make More…");
    await person.choose("Make 4 Variants…");
    await person.step(reviewStep);
    assert.match(rows()[0] ?? "", /Submit 4 image tasks with demo-image/);
    const seeds = rows().flatMap((one) => /seed: (\d+)/.exec(one)?.[1] ?? []);
    assert.equal(new Set(seeds).size, 4);
    // Short enough to leave room for the prompt in a narrow row.
    assert.ok(seeds.every((seed) => seed.length <= 6));
    await person.press("Enter");
    await making.ended();
    const made = [...inside.app.board.listed.values()].slice(-4).map(({ intent }) => intent);
    assert.equal(inside.app.board.listed.size, 13);
    assert.deepEqual(new Set(made.map(({ batch, prompt }) => `${batch} ${prompt}`)).size, 1);
    assert.equal(made[0]?.prompt, "A harbour crane in the evening, gouache.");
  });

  it("T16, A16: Improve… puts the model's words in the place of a prompt, unsaved, to keep or take back, and submits nothing", async () => {
    const { window, person, inside, folder } = opened;
    const file = path.join(folder, name);
    const [before, count] = [await readFile(file, "utf8"), inside.app.board.listed.size];
    const { document } = await window.openFile(name);
    const improving = await person.clickLens("Improve…");
    await improving.ended();
    await window.until("the words", () => document.getText().includes("in soft warm light"));
    assert.equal(await readFile(file, "utf8"), before);
    assert.equal(inside.app.board.listed.size, count);
    const undoing = await person.clickLens("Undo");
    await undoing.ended();
    assert.equal(document.getText(), before);
    assert.equal(await readFile(file, "utf8"), before);
  });

  it("T1, T16: while many variants are written, none of them is offered again, and each is submitted once", async () => {
    const { window, person, inside } = opened;
    const count = inside.app.board.listed.size;
    await window.openFile("many.prompts.md");
    const submitting = await person.clickLens("Submit 24 Variants");
    await person.through(modelStep);
    await person.step(reviewStep);
    // What the lenses say at each change of the board, and how many were written when they were asked and when they had answered.
    const written = (): number => inside.app.board.listed.size - count;
    const looks: Promise<{ shown: readonly string[]; isInBetween: boolean }>[] = [];
    const look = async (): Promise<{ shown: readonly string[]; isInBetween: boolean }> => {
      const hasBegun = written() > 0;
      // They are drawn up to 200 ms later than the task is written.
      window.languages.forgetLenses();
      const shown = await titles();
      return { shown, isInBetween: hasBegun && written() < 24 };
    };
    const listening = inside.app.board.onDidChange(() => looks.push(look()));
    await person.press("Enter");
    await submitting.ended();
    listening.dispose();
    const seen = await Promise.all(looks);
    for (const { shown, isInBetween } of seen)
      assert.ok(!isInBetween || shown.includes("Submitting…"), shown.join(" | "));
    assert.deepEqual(
      seen.flatMap(({ shown }) => shown).filter((title) => title.includes("More")),
      [],
    );
    await person.lens("24 of 24 succeeded");
    assert.equal(inside.app.board.listed.size, count + 24);
  });
});
