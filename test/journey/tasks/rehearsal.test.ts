/** From a prompt of a file to its placeholder, and with one yes to the real file, which `sluice.lock` lists and its check passes. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFile, readdir } from "node:fs/promises";
import path from "node:path";
import { runCheck } from "../../../src/tasks/lock/check";
import { closeWindows, type OpenedWindow, openWindow } from "../../support/fakeVscode/openWindow";
import { WaitingClock } from "../../support/fakeVscode/waitingClock";
import { reviewStep, tasksOf } from "../../support/submitSteps";

const prompt = "A paper lantern on black water";
const files = {
  "hero.prompts.md": `---\ntype: image\nmodel: demo-image\nsize: 96x64\ndestination: img/hero.png\n---\n# Hero\n\n${prompt}\n`,
  "page.md": "# Page\n\n![Hero](img/hero.png)\n",
};

describe("a rehearsal in a window", () => {
  let opened: OpenedWindow;
  beforeEach(async () => {
    opened = await openWindow({ files, clock: new WaitingClock(Date.now(), { longestPause: 4000 }) });
  });
  afterEach(closeWindows);

  const states = async (): Promise<string> => {
    const { code, lines } = await runCheck([opened.folder]);
    return `${code} ${lines
      .slice(0, -1)
      .map((line) => line.split(":", 2).join(":"))
      .join(", ")}`;
  };
  const untilStates = async (wanted: string): Promise<void> => {
    let found = "";
    await opened.window
      .until(`the check says ${wanted}`, async () => (found = await states()) === wanted)
      .catch(() => {
        assert.equal(found, wanted);
      });
  };

  it("T20: one click and one Enter make the placeholder; one click and one yes make it real, at the same path, and the check passes", async () => {
    execFileSync("git", ["init", "-q", opened.folder]);
    const { window, person } = opened;
    await window.openFile("hero.prompts.md");
    const before = person.effort;
    const rehearsing = await person.clickLens("Rehearse");
    await person.step(reviewStep);
    assert.equal(person.pick.state.title, "Rehearse");
    await person.press("Enter");
    await rehearsing.ended();
    const effort = person.effort;
    assert.deepEqual([effort.clicks - before.clicks, effort.keys - before.keys], [1, 1]);
    await untilStates("1 rehearsed: img/hero.png");
    assert.ok(await person.lens("image · demo-image · 96x64 → img/hero.png"));
    const placeholder = await readFile(path.join(opened.folder, "img", "hero.png"));

    const offer = await window.until("the merge rule is offered", () =>
      window.messages.shown.find(({ text }) => text.startsWith("sluice.lock now lists what was made in")),
    );
    offer.answer("Add to .gitattributes");
    const attributes = path.join(opened.folder, ".gitattributes");
    await window.until("the rule is there", async () => (await readFile(attributes, "utf8").catch(() => "")) !== "");
    assert.equal(await readFile(attributes, "utf8"), "sluice.lock merge=union\n");

    const making = await person.clickLens("Make It Real…");
    const question = await window.until("the question", () => window.messages.shown.find(({ isModal }) => isModal));
    assert.deepEqual(
      [question.text, question.detail],
      [
        "Make 1 rehearsed task real with demo-image?",
        "Free on the local gateway. Each file takes the place of its placeholder.",
      ],
    );
    question.answer("Make It Real");
    await making.ended();
    await untilStates("0 ");
    assert.notDeepEqual(await readFile(path.join(opened.folder, "img", "hero.png")), placeholder);
    assert.deepEqual(await readdir(path.join(opened.folder, "img")), ["hero.png"]);
    assert.equal(await readFile(path.join(opened.folder, "page.md"), "utf8"), files["page.md"]);
    assert.equal(tasksOf(opened.inside, prompt).length, 2);
    const line = (await readFile(path.join(opened.folder, "sluice.lock"), "utf8")).split("\n")[1] ?? "";
    assert.match(line, /"prompt":"hero.prompts.md#Hero"/);
    assert.doesNotMatch(line, new RegExp(`lantern|${path.basename(opened.folder)}`));
  });

  it("T20: a window that is not trusted writes no sluice.lock", async () => {
    await closeWindows();
    opened = await openWindow({ files, isTrusted: false, clock: new WaitingClock(Date.now(), { longestPause: 4000 }) });
    const { window, person } = opened;
    await window.openFile("hero.prompts.md");
    const rehearsing = await person.clickLens("Rehearse");
    await person.step(reviewStep);
    await person.press("Enter");
    await rehearsing.ended();
    await window.until(
      "the placeholder",
      async () => (await readdir(path.join(opened.folder, "img")).catch(() => [])).length > 0,
    );
    await window.settled();
    assert.deepEqual(
      (await readdir(opened.folder)).filter((name) => name.startsWith("sluice")),
      [],
    );
  });
});
