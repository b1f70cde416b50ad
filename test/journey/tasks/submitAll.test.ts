/** Submit All of prompts with different directives: one list with all of them, one yes, and the places that were shown. */
import assert from "node:assert/strict";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { hasSucceeded } from "../../../src/domain/task/phase";
import { closeWindows, type OpenedWindow, openWindow } from "../../support/fakeVscode/openWindow";
import { reviewStep, tasksOf, typeStep } from "../../support/submitSteps";

const mixed = [
  "---",
  "type: image",
  "style: [linocut, gouache]",
  "---",
  "# Shop",
  "",
  "a square cup <!-- sluice: size=1024x1024 -->",
  "",
  "> a note to oneself",
  "",
  "<!-- sluice: size=1920x1080 destination=public/images/mix-a -->",
  "",
  "a wide counter, {{ style }}",
  "",
  "<!-- sluice: type=video duration=5 -->",
  "",
  "steam over a cup",
].join("\n");

describe("Submit All", () => {
  let opened: OpenedWindow;
  before(async () => {
    opened = await openWindow({
      files: {
        "mixed.prompts.md": mixed,
        "escape.prompts.md": mixed.replaceAll("cup", "bowl").replace("counter", "shelf").replace("mix-a", "mix-b"),
        "own.prompts.md":
          "# A\n\na red gate <!-- sluice: type=image model=own-image -->\n\na blue gate <!-- sluice: type=image -->\n\na gate that opens <!-- sluice: type=video -->\n",
        "folder.prompts.md":
          "---\ntype: image\ndestination: img/\n---\n# A\n\na red barn\n\na red barn\n\na blue barn\n",
        "untyped.prompts.md":
          "# A\n\na brick kiln <!-- sluice: size=1024x1024 -->\n\na lime kiln <!-- sluice: size=512x512 model=own-image -->\n\nsmoke over a kiln <!-- sluice: type=video -->\n",
        "empty.prompts.md": "---\ntype: image\n---\n# Full\n\na clay barn\n\n# Empty\n\n",
        "cleared.prompts.md": "---\ntype: image\n---\n# A\n\na straw barn\n",
        "shared.prompts.md": "---\ntype: image\ndestination: img/pic.png\n---\n# A\n\na green barn\n\na grey barn\n",
      },
    });
  });
  after(closeWindows);

  const placesOf = (prompt: string): readonly string[] =>
    tasksOf(opened.inside, prompt).map(
      ({ intent }) => intent.destination?.file.replace(/^.*?\/(?=public|img)/, "") ?? "",
    );

  it("T2 (newuser H1): prompts with three directives are one list with their sum and one yes: one click and one Enter", async () => {
    const { window, person, inside } = opened;
    await window.openFile("mixed.prompts.md");
    const before = person.effort;
    const submitting = await person.clickLens("Submit All 4");
    await person.step(reviewStep);
    const rows = person.pick.rows.map(({ label, description }) => `${label} ${description ?? ""}`);
    assert.match(rows[0] ?? "", /Submit 4 tasks: 3 × image with \S+.* 1 × video with \S+/);
    assert.match(rows[1] ?? "", /1 line of the file belongs to no prompt.*> a note to oneself/);
    const listed = rows.filter((row) => /^\d\. /.test(row));
    assert.match(listed[0] ?? "", /^1\. a square cup image · size 1024x1024$/);
    assert.match(listed[1] ?? "", /^2\. a wide counter, linocut image · style: linocut · .*→ public\/images\/mix-a$/);
    assert.match(listed[2] ?? "", /→ public\/images\/mix-a-2$/);
    assert.match(listed[3] ?? "", /^4\. steam over a cup video · duration 5$/);
    assert.ok(rows.some((row) => /Line 9 > a note to oneself/.test(row)));
    await person.press("Enter");
    await submitting.ended();
    const { clicks, keys } = person.effort;
    assert.deepEqual([clicks - before.clicks, keys - before.keys], [1, 1]);
    const made = [...inside.app.board.listed.values()].map(({ intent }) => [intent.prompt, intent.type]);
    assert.deepEqual(made.toSorted(), [
      ["a square cup", "async-image"],
      ["a wide counter, gouache", "async-image"],
      ["a wide counter, linocut", "async-image"],
      ["steam over a cup", "video"],
    ]);
    assert.equal(new Set([...inside.app.board.listed.values()].map(({ intent }) => intent.batch)).size, 1);
  });

  it("T2 (newuser H2): the destination that was shown is the one that is used, also of several prompts with the same one", async () => {
    const { window, person } = opened;
    assert.deepEqual(placesOf("a wide counter, linocut"), ["public/images/mix-a"]);
    assert.deepEqual(placesOf("a wide counter, gouache"), ["public/images/mix-a-2"]);
    for (const [file, expected] of [
      [
        "folder.prompts.md",
        { "a red barn": ["img/a-red-barn", "img/a-red-barn-2"], "a blue barn": ["img/a-blue-barn"] },
      ],
      ["shared.prompts.md", { "a green barn": ["img/pic"], "a grey barn": ["img/pic-2"] }],
    ] as const) {
      await window.openFile(file);
      const submitting = await person.clickLens(/^Submit All/);
      await person.step(reviewStep);
      const shown = person.pick.rows.flatMap(({ description }) => /→ (\S+)$/.exec(description ?? "")?.[1] ?? []);
      assert.deepEqual(shown, Object.values(expected).flat());
      await person.press("Enter");
      await submitting.ended();
      for (const [prompt, places] of Object.entries(expected)) assert.deepEqual(placesOf(prompt).toSorted(), places);
    }
  });

  it("T2 (newuser H1): Escape in the list submits nothing; the model of one type is chosen from it", async () => {
    const { window, person, inside } = opened;
    await window.openFile("escape.prompts.md");
    const before = inside.app.board.listed.size;
    const submitting = await person.clickLens("Submit All 4");
    await person.step(reviewStep);
    await person.choose("Model for video");
    await person.step("Model for video, or type another id");
    await person.type("film-x");
    await person.press("Enter");
    await person.step(reviewStep);
    assert.match(person.pick.rows[0]?.label ?? "", /1 × video with film-x/);
    assert.doesNotMatch(person.pick.rows[0]?.label ?? "", /image with .*film-x.*video/);
    await person.escape();
    await submitting.ended();
    assert.equal(inside.app.board.listed.size, before);
  });

  it("T2: a type that the file does not name is taken from the settings, named in the list, and another is chosen from it", async () => {
    const { window, person, inside } = opened;
    await window.openFile("untyped.prompts.md");
    const submitting = await person.clickLens("Submit All 3");
    await person.step(reviewStep);
    assert.match(person.pick.rows[0]?.label ?? "", /2 × image with demo-image, own-image, 1 × video with demo-video/);
    const row = person.pick.rows.find(({ label }) => label.endsWith("Type where none is named"));
    assert.equal(row?.description, "image");
    await person.choose("Type where none is named");
    await person.step(typeStep);
    await person.choose("Stylized image");
    await person.step("Model for stylized image, or type another id");
    await person.press("Enter");
    await person.step(reviewStep);
    const { label = "" } = person.pick.rows[0] ?? {};
    assert.match(label, /2 × stylized image with demo-image, own-image, 1 × video with demo-video/);
    await person.press("Enter");
    await submitting.ended();
    const made = ["a brick kiln", "a lime kiln", "smoke over a kiln"].flatMap((prompt) => tasksOf(inside, prompt));
    assert.deepEqual(
      made.map(({ intent }) => [intent.type, intent.model]),
      [
        ["stylized-image", "demo-image"],
        ["stylized-image", "own-image"],
        ["video", "demo-video"],
      ],
    );
  });

  it("T2 (newuser L12): the lens that submits all stands above the heading, and that of a prompt names the file it was given", async () => {
    const { window, person } = opened;
    await window.openFile("own.prompts.md");
    const { range } = await person.lens("Submit All 3");
    assert.equal(range.start.line, 0);
    // Without the ending, which it has once the file is there.
    const given = async (): Promise<readonly string[]> =>
      (await person.lenses()).flatMap(({ command }) =>
        command?.command === "" ? [command.title.replace(/\.png$/, "")] : [],
      );
    await window.openFile("mixed.prompts.md");
    const words = await given();
    assert.ok(words.includes("image · 1920x1080 → public/images/mix-a"), words.join("\n"));
    await window.openFile("shared.prompts.md");
    const shared = await given();
    assert.deepEqual(shared, ["image → img/pic", "image → img/pic-2"]);
  });

  it("T2: Back from the list asks for a model, also where there is one only: that of the file is not replaced", async () => {
    const { window, person, inside } = opened;
    await window.openFile("own.prompts.md");
    const before = inside.app.board.listed.size;
    const submitting = await person.clickLens("Submit All 3");
    await person.step(reviewStep);
    assert.match(person.pick.rows[0]?.label ?? "", /2 × image with own-image, demo-image/);
    await person.back();
    await person.step("Model for image, or type another id");
    await person.escape();
    await submitting.ended();
    assert.equal(inside.app.board.listed.size, before);
  });

  it("T2 (newuser M7): the lens says what applies to each prompt", async () => {
    const { window, person } = opened;
    await window.openFile("escape.prompts.md");
    const words = (await person.lenses())
      .filter(({ command }) => command?.command === "")
      .map(({ command }) => command?.title);
    assert.deepEqual(words, ["image · 1024x1024", "image · 1920x1080 → public/images/mix-b", "video · 5 s"]);
  });

  it("T2: under a heading without prompts nothing of the heading above is submitted", async () => {
    const { window, person } = opened;
    await window.openFile("empty.prompts.md");
    await person.select("# Empty");
    const submitting = person.palette("Sluice: Submit Prompt at Cursor…");
    await person.answer("There is no prompt under this heading that was not submitted yet.");
    await submitting.ended();
  });

  it("T2, T19: tasks that were taken off the list still count; where one can't be read, the person is asked, because it would be paid twice", async () => {
    const submitAll = async (): Promise<{ ended(): Promise<unknown> }> => {
      const { document } = await opened.window.openFile("cleared.prompts.md");
      const place = { document: document.uri.toString(), line: 3 };
      return opened.person.start("sluice.task.submitPrompt", place, "heading");
    };
    const { window, person, inside } = opened;
    const first = await submitAll();
    await person.through(reviewStep);
    await first.ended();
    await window.until("the result", () => tasksOf(inside, "a straw barn").some(hasSucceeded));
    const clearing = person.palette("Sluice: Clear Finished");
    await window.until("it is gone", () => tasksOf(inside, "a straw barn").length === 0);
    await person.answer(/taken off the list/);
    await clearing.ended();
    opened = await opened.reload();
    const counted = await submitAll();
    await opened.person.answer("There is no prompt under this heading that was not submitted yet.");
    await counted.ended();

    const database = new DatabaseSync(path.join(opened.inside.storage, "tasks.db"));
    database.exec("UPDATE task SET state = '{}', is_removed = 0");
    database.close();
    opened = await opened.reload();
    const unseen = await submitAll();
    await opened.person.answer("Some earlier tasks can't be read.");
    await unseen.ended();
    const wanted = await submitAll();
    await opened.person.answer("Some earlier tasks can't be read.", "Go On");
    await opened.person.step(reviewStep);
    await opened.person.escape();
    await wanted.ended();
  });
});
