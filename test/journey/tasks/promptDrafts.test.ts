/** What the directives of a prompt file may name, what the last step says of them, and the help while they are written. */
import assert from "node:assert/strict";
import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { closeWindows, type OpenedWindow, openWindow } from "../../support/fakeVscode/openWindow";
import { picture } from "../../support/pictureBytes";
import { modelStep, reviewStep } from "../../support/submitSteps";

const fileOf = (...directives: readonly string[]): string =>
  [
    "---\ntype: image\nstyle: [a, ../../b]\n---\n# Pictures",
    ...directives.map(
      (one, at) => `<!-- sluice: ${one} -->\n\na harbour ${at}${one.includes("{{") ? ", {{style}}" : ""}`,
    ),
  ].join("\n\n");
const unusable = ["linked.png", "folder/mine.png", "../mine.png", "missing.png"];
const help = "---\ntype: image\nstyle: [ink, oil]\n---\n# A\n\n<!-- sluice: model=any -->\n\na pier, {{style}}\n";

describe("drafts from prompt files", () => {
  let opened: OpenedWindow;
  let outside: string;
  before(async () => {
    const placed = ["[1, 2]", "[1, 2, 3, 4]", "1"].map((seeds) => `seed=${seeds} destination=img/pier-{{seed}}`);
    opened = await openWindow({
      files: {
        "own.prompts.md": fileOf("reference=own.png reference=alias.png"),
        "linked.prompts.md": fileOf(...unusable.map((name) => `reference=own.png reference=${name}`)),
        "leads.prompts.md": fileOf("destination=assets/{{style}}.png"),
        "placed.prompts.md": [
          "# Pictures",
          ...placed.map((one) => `<!-- sluice: type=image ${one} -->\n\na pier`),
        ].join("\n\n"),
        "help.prompts.md": help,
        "unusable.prompts.md": "# Pictures\n\na pier, {{style}}\n",
      },
    });
    const { folder } = opened;
    outside = await mkdtemp(path.join(os.tmpdir(), "sluice-outside-"));
    await writeFile(path.join(outside, "mine.png"), picture);
    await writeFile(path.join(folder, "own.png"), picture);
    await symlink(path.join(outside, "mine.png"), path.join(folder, "linked.png"));
    await symlink(path.join(folder, "own.png"), path.join(folder, "alias.png"));
    await symlink(outside, path.join(folder, "folder"));
  });
  after(async () => {
    await closeWindows();
    await rm(outside, { recursive: true, force: true });
  });

  /** Presses the lens of the prompt at that place in the file. */
  const submit = async (file: string, at = 0): Promise<ReturnType<OpenedWindow["person"]["start"]>> => {
    const { window, person } = opened;
    await window.openFile(file);
    const lenses = (await person.lenses()).filter(({ command }) => /^Submit(?! All)/.test(command?.title ?? ""));
    const { command } = lenses[at] ?? assert.fail(`no lens ${at} in ${file}`);
    return person.start(command?.command ?? "", ...((command?.arguments ?? []) as unknown[]));
  };
  const described = (label: string): string =>
    opened.person.pick.rows.find((row) => row.label.endsWith(label))?.description ?? "";

  it("T1, T2, A4: a reference that is or leads out of the workspace, or can't be read, is not left out: nothing is submitted", async () => {
    const { person, inside } = opened;
    const usable = await submit("own.prompts.md");
    await person.through(modelStep);
    await person.step(reviewStep);
    assert.match(described("Reference images"), /own\.png .*alias\.png /);
    await person.escape();
    await usable.ended();
    for (const [at, name] of unusable.entries()) {
      await (await submit("linked.prompts.md", at)).ended();
      const message = await person.message("Nothing was submitted.");
      assert.ok(message.text.includes(path.basename(name)), message.text);
      message.answer();
    }
    await (await submit("leads.prompts.md")).ended();
    (await person.message("Nothing was submitted.")).answer();
    assert.equal(inside.app.board.listed.size, 0);
  });

  it("T16: the last step names the destinations of variants, of many the first two", async () => {
    const { person } = opened;
    for (const [at, words] of ["img/pier-1, img/pier-2", "img/pier-1, img/pier-2 and 2 more", "img/pier-1"].entries()) {
      const asking = await submit("placed.prompts.md", at);
      await person.through(modelStep);
      await person.step(reviewStep);
      assert.equal(described("Destination"), words);
      await person.escape();
      await asking.ended();
    }
  });

  it("T16: in a prompt file keys, values and variables are completed and explained", async () => {
    const { window, person, inside } = opened;
    await window.until("the models", () => inside.app.models.models.current.isRead);
    const { document } = await window.openFile("help.prompts.md");
    const labelsAt = async (words: string): Promise<readonly string[]> => {
      const place = document.positionAt(help.indexOf(words) + words.length);
      const items = await window.languages.completions(document, place, words.at(-1));
      return items.map(({ label }) => (typeof label === "string" ? label : label.label));
    };
    assert.ok((await labelsAt("model=")).includes("demo-image"));
    assert.ok((await labelsAt("{{")).includes("style"));
    assert.match((await person.hoverAt("style}}")).join("\n"), /ink.*oil/);
  });

  it("T2, T16: of a heading whose prompts can't be used, that is said, not that all were submitted", async () => {
    const { window, person } = opened;
    const document = window.uri("unusable.prompts.md").toString();
    await person.run("sluice.task.submitPrompt", { document, line: 2 }, "heading");
    (await person.message(/written here can't be used: the Problems view says what/)).answer();
    await window.openFile("unusable.prompts.md");
    await person.lenses();
    assert.equal(window.languages.of(window.uri("unusable.prompts.md")).length, 1);
  });
});
