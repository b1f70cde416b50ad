/** Results in the documents of a project: the hover over a reference, what is dropped, and a file that another variant replaces. */
import assert from "node:assert/strict";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Task } from "../../../src/domain/task/task";
import { Position, Uri } from "../../support/fakeVscode/positions";
import { closeWindows, type OpenedWindow, openWindow } from "../../support/fakeVscode/openWindow";
import { placeResult } from "../../support/fakeVscode/placedResults";
import type { DataTransfer } from "../../support/fakeVscode/dataTypes";
import type { TreeRow } from "../../support/fakeVscode/trees";
import { createTemporaryFolder } from "../../support/temporaryFolder";
import { pngOf, withDeclaredSize } from "../../support/testImages";

const tasksView = "sluice.tasks";

function acceptedOf(task: Task | undefined): Extract<Task["submission"], { state: "accepted" }> {
  assert.ok(task?.submission.state === "accepted");
  return task.submission;
}

async function rowOf({ window }: OpenedWindow, id: string): Promise<TreeRow> {
  return window.until("the row", async () => (await window.rowsOf(tasksView)).find(({ item }) => item.id === id));
}

describe("a reference to a file that was made here", () => {
  let opened: OpenedWindow;
  before("place results in a project", async () => {
    opened = await openWindow({
      files: {
        "docs/page.md":
          '![](img/pier.png)\n\n<img src="/hero%20%281%29.png">\n\nurl(docs/img/pier.png)\n\n![](img/other.png)\n\n![](img/wall.png)\n\n![](img/twice.png)\n',
      },
    });
    const place = (file: string, prompt: string, bytes: Uint8Array): Promise<string> =>
      placeResult(opened, { name: path.basename(file), prompt, bytes, savedInto: file });
    const small = await pngOf(16, 9);
    await place("docs/img/pier.png", "a [pier](command:evil) at dusk", small);
    await place("public/hero (1).png", "a hero", small);
    await rm(path.join(opened.folder, "public", "hero (1).png"));
    await place("docs/img/wall.png", "a wall", withDeclaredSize(await pngOf(2, 2), 60_000, 60_000));
    await place("docs/img/twice.png", "an earlier one", small);
    await place("docs/img/twice.png", "a later one", small);
    await opened.window.openFile("docs/page.md");
  });
  after(closeWindows);

  const hoverAt = async (words: string): Promise<string | undefined> => {
    const [text] = await opened.person.hoverAt(words);
    return text?.replaceAll("&nbsp;", " ");
  };

  it("T17: shows the picture, the prompt and actions, from beside the document, from the root and from served folders", async () => {
    const beside = (await hoverAt("img/pier")) ?? "";
    assert.match(beside, /!\[\]\(file:\/\/[^)]*docs\/img\/pier\.png\|height=96\)/);
    assert.match(beside, /Make 4 Variants….*Make Video of This….*Where Is This Used/);
    assert.ok(!beside.includes("](command:evil)"), "a prompt is text");
    const served = (await hoverAt("hero%20")) ?? "";
    assert.match(served, /a hero/);
    assert.ok(!served.includes("![]("), "it is missing");
    assert.match((await hoverAt("docs/img/pier")) ?? "", /at dusk/);
  });

  it("T17: says nothing of other files, and of the newest task where two were placed there", async () => {
    assert.equal(await hoverAt("img/other"), undefined);
    assert.match((await hoverAt("img/twice")) ?? "", /a later one/);
  });

  it("T17: of a picture that would take gigabytes to show, the reason and Open Result are shown", async () => {
    const text = (await hoverAt("img/wall")) ?? "";
    assert.match(text, /Can't be shown: the picture is too large/);
    assert.match(text, /\[Open Result\]\(command:/);
    assert.ok(!text.includes("![]("));
  });

  it("T17: Where Is This Used looks for the file's name", async () => {
    const { window, person } = opened;
    const uri = window.uri("docs/img/pier.png");
    for (const given of [uri, uri.toString()]) {
      window.ran.length = 0;
      await person.run("sluice.task.findUses", given);
      const [, query] = window.ran.find(([id]) => id === "workbench.action.findInFiles") ?? [];
      assert.equal((query as { query?: string } | undefined)?.query, "pier.png");
    }
  });
});

describe("a result that is dropped into a document", () => {
  let opened: OpenedWindow;
  beforeEach(async () => {
    opened = await openWindow({ files: { "docs/page.md": "", "docs/page.html": "", "page.prompts.md": "" } });
    await opened.window.showView(tasksView);
  });
  afterEach(closeWindows);

  const made = (name: string, prompt: string): Promise<string> => placeResult(opened, { name, prompt });
  const dragged = async (...ids: readonly string[]): Promise<DataTransfer> => {
    const rows = await Promise.all(ids.map((id) => rowOf(opened, id)));
    return opened.window.trees.find(tasksView)!.dragged(rows);
  };
  const drop = async (
    file: string | Parameters<typeof opened.window.openFile>[0],
    ...ids: readonly string[]
  ): Promise<readonly unknown[]> => {
    const { document } = await opened.window.openFile(file);
    const edits = await opened.window.languages.drop(document, new Position(0, 0), await dragged(...ids));
    // An image that is dropped on prompts is offered as a reference, too.
    return edits.filter(({ title }) => title === undefined).map(({ insertText }) => insertText);
  };
  const placeOf = (id: string): string | undefined => {
    const { placement } = acceptedOf(opened.inside.app.board.listed.get(id));
    return placement?.state === "placed" ? placement.file : undefined;
  };
  const assets = async (): Promise<readonly string[]> =>
    (await readdir(path.join(opened.folder, "assets")).catch(() => [])).sort();

  it("T15: is saved into the project, and the document refers to that file in its own markup", async () => {
    const { window, folder, inside } = opened;
    const pier = await made("a.png", "a pier");
    assert.deepEqual(await drop("docs/page.md", pier), ["![a pier](../assets/a-pier.png)"]);
    const source = await readFile(path.join(inside.storage, "results", "a.png"));
    assert.ok((await readFile(path.join(folder, "assets", "a-pier.png"))).equals(source));
    assert.equal(placeOf(pier), window.uri("assets/a-pier.png").toString());
    const poster = await made("b.png", "a poster");
    assert.deepEqual(await drop("docs/page.html", poster), ['<img src="../assets/a-poster.png" alt="a poster">']);
    await writeFile(path.join(folder, "docs", "page.ts"), "");
    assert.deepEqual(await drop("docs/page.ts", poster), ["../assets/a-poster.png"]);
    assert.deepEqual(await assets(), ["a-pier.png", "a-poster.png"]);
  });

  it("T15: one that is in the project already is referred to where it is, and another file of its name is left alone", async () => {
    const { folder } = opened;
    await mkdir(path.join(folder, "assets"));
    await writeFile(path.join(folder, "assets", "a-pier.png"), "another file");
    const pier = await made("a.png", "a pier");
    for (const file of ["docs/page.md", "docs/page.html"]) {
      const [text] = await drop(file, pier);
      assert.ok(String(text).includes("../assets/a-pier-2.png"), String(text));
    }
    assert.equal(await readFile(path.join(folder, "assets", "a-pier.png"), "utf8"), "another file");
    assert.deepEqual(await assets(), ["a-pier-2.png", "a-pier.png"]);
  });

  it("T15: a document outside the project and a file with prompts are given the file where it is", async () => {
    const outside = await createTemporaryFolder();
    for (const name of ["page.md", "page.txt"]) await writeFile(path.join(outside.path, name), "");
    const pier = await made("a.png", "a pier");
    const [text] = await drop(Uri.file(path.join(outside.path, "page.md")), pier);
    assert.match(String(text), /^!\[a pier\]\(.*\/results\/a\.png\)$/);
    assert.match(String((await drop("page.prompts.md", pier))[0]), /^!\[a pier\]\(.*a\.png\)$/);
    assert.deepEqual(await drop(Uri.file(path.join(outside.path, "page.txt")), pier), []);
    assert.equal(placeOf(pier), undefined);
    assert.deepEqual(await assets(), []);
    await outside.remove();
  });

  it("T15: one that can't be saved keeps nothing else from the document, and it is said; of many the first fifty are taken", async () => {
    const { person, inside } = opened;
    const gone = await made("gone.png", "gone");
    const pier = await made("late.png", "a late pier");
    await rm(path.join(inside.storage, "results", "gone.png"));
    assert.deepEqual(await drop("docs/page.md", gone, pier), ["![a late pier](../assets/a-late-pier.png)"]);
    await person.answer(/^Not every result could be saved into the project: .*ENOENT/);
    const [texts] = await drop("docs/page.md", ...Array.from({ length: 60 }, () => pier));
    assert.equal(String(texts).split("![").length - 1, 50);
    await person.answer(/Of 60 results the first 50/);
  });
});

describe("a file that another variant replaces", () => {
  let opened: OpenedWindow;
  let file: string;
  let hero: string;
  let other: string;
  let variant: Buffer;
  const asMade = "as made";
  const asIs = "cropped by the person";
  beforeEach(async () => {
    opened = await openWindow();
    await opened.window.showView(tasksView);
    file = path.join(opened.folder, "replaced", "hero.png");
    variant = await pngOf(8, 8);
    const batch = { intent: { batch: crypto.randomUUID() } };
    hero = await placeResult(opened, {
      ...{ ...batch, name: "hero.png", prompt: "a hero", bytes: Buffer.from(asMade), savedInto: "replaced/hero.png" },
    });
    other = await placeResult(opened, { ...batch, name: "other.png", prompt: "the other", bytes: variant });
    await writeFile(file, asIs);
  });
  afterEach(closeWindows);

  /** Begins it, and takes the first variant. */
  const begin = async (): Promise<{ ended(): Promise<unknown> }> => {
    const { window, person } = opened;
    const replacing = person.start("sluice.task.replaceAsset", window.uri("replaced/hero.png").toString());
    const { rows } = await person.step("The variant that takes its place");
    assert.match(rows[0]?.label ?? "", /the other/);
    await person.press("Enter");
    return replacing;
  };
  const question = "Replace replaced/hero.png with this variant?";
  const done = "replaced/hero.png is another variant now.";
  const copiesOf = (id: string): readonly string[] =>
    (acceptedOf(opened.inside.app.board.listed.get(id)).copies ?? []).map((copy) => copy.file);

  it("T17: after a yes the other variant is there, and Undo brings back the very bytes", async () => {
    const { window, person } = opened;
    const replacing = await begin();
    assert.match((await person.message(question)).detail ?? "", /The file differs from your result/);
    await person.answer(question, "Replace");
    await person.message(done);
    assert.ok((await readFile(file)).equals(variant));
    const uri = window.uri("replaced/hero.png").toString();
    assert.deepEqual(copiesOf(other), [uri]);
    await person.answer(done, "Undo");
    await replacing.ended();
    assert.equal(await readFile(file, "utf8"), asIs);
    assert.deepEqual(copiesOf(hero), [uri], "it is the former result's again");
  });

  it("T17: of an unchanged file the yes says that it is in the results", async () => {
    const { person } = opened;
    await writeFile(file, asMade);
    const replacing = await begin();
    assert.match((await person.message(question)).detail ?? "", /The former one stays in your results/);
    await person.answer(question);
    await replacing.ended();
    assert.equal(await readFile(file, "utf8"), asMade, "without a yes");
    assert.deepEqual(copiesOf(other), []);
  });

  it("T17: a file that is changed after it was replaced is not overwritten by Undo", async () => {
    const { person } = opened;
    const replacing = await begin();
    await person.answer(question, "Replace");
    await person.message(done);
    await writeFile(file, "drawn over");
    await person.answer(done, "Undo");
    await replacing.ended();
    await person.message(/has been changed since it was replaced/);
    assert.equal(await readFile(file, "utf8"), "drawn over");
    assert.deepEqual(copiesOf(hero), []);
  });

  it("T17: one that was deleted comes back, and an Undo that fails is offered again", async () => {
    const { person } = opened;
    const replacing = await begin();
    await person.answer(question, "Replace");
    await person.message(done);
    // A folder where the file was: nothing can be written there, until it is gone.
    await rm(file);
    await mkdir(file);
    await person.answer(done, "Undo");
    await person.message("replaced/hero.png could not be restored");
    await rm(file, { recursive: true });
    await person.answer("replaced/hero.png could not be restored", "Undo");
    await replacing.ended();
    assert.equal(await readFile(file, "utf8"), asIs);
  });

  it("T17: a variant that can't be read leaves the file as it is", async () => {
    const { window, inside } = opened;
    await rm(path.join(inside.storage, "results", "other.png"));
    const replacing = await begin();
    await window.until("it is said", () => window.messages.shown.some(({ severity }) => severity === "error"));
    for (const message of [...window.messages.shown]) message.answer();
    await replacing.ended();
    assert.equal(await readFile(file, "utf8"), asIs);
    assert.deepEqual(copiesOf(other), []);
  });

  it("T17: of a file in an exact size each variant gets that size", async () => {
    const { window, person, inside } = opened;
    const file = window.uri("icons/icon-32.png").toString();
    const intent = { batch: crypto.randomUUID() };
    const destination = { file, exact: [{ file, width: 32, height: 32 }] };
    const icon = await placeResult(opened, {
      ...{ name: "icon.png", prompt: "an icon", bytes: await pngOf(64, 64), intent: { ...intent, destination } },
    });
    await window.until(
      "the icon is there",
      () => acceptedOf(inside.app.board.listed.get(icon)).placement?.state === "placed",
    );
    const question = "Replace icons/icon-32.png with this variant?";
    for (const [name, size] of [
      ["first.png", 48],
      ["second.png", 96],
    ] as const) {
      await placeResult(opened, { name, prompt: name, bytes: await pngOf(size, size), intent });
      const replacing = person.start("sluice.task.replaceAsset", file);
      await person.step("The variant that takes its place");
      await person.choose(name);
      assert.match((await person.message(question)).detail ?? "", /The former one stays in your results/, name);
      await person.answer(question, "Replace");
      await person.answer("icons/icon-32.png is another variant now.");
      await replacing.ended();
      const bytes = await readFile(path.join(opened.folder, "icons", "icon-32.png"));
      // The header of a PNG has its size there.
      assert.deepEqual([bytes.readUInt32BE(16), bytes.readUInt32BE(20)], [32, 32], name);
    }
    // Somebody draws an icon of the same size.
    await writeFile(path.join(opened.folder, "icons", "icon-32.png"), await pngOf(32, 32));
    const replacing = person.start("sluice.task.replaceAsset", file);
    await person.step("The variant that takes its place");
    await person.choose("first.png");
    assert.match((await person.message(question)).detail ?? "", /The file differs from your result/);
    await person.answer(question);
    await replacing.ended();
  });

  it("T17: with another format, without a variant or for another file nothing changes, and why is said", async () => {
    const { window, person } = opened;
    const intent = { batch: crypto.randomUUID() };
    const bytes = await pngOf(4, 4);
    await placeResult(opened, { name: "one.png", prompt: "one", bytes, intent, savedInto: "replaced/one.png" });
    await placeResult(opened, { name: "two.webp", prompt: "two", bytes, intent });
    const run = (name: string): ReturnType<typeof person.start> =>
      person.start("sluice.task.replaceAsset", window.uri(name));
    const other = run("replaced/one.png");
    await person.step("The variant that takes its place");
    await person.press("Enter");
    await other.ended();
    await person.answer(/is a \.webp file/);
    await placeResult(opened, { name: "alone.png", prompt: "alone", bytes, savedInto: "replaced/alone.png" });
    const alone = run("replaced/alone.png");
    await person.answer(/There is no other variant of replaced\/alone\.png yet/);
    await alone.ended();
    await run("replaced/unknown.png").ended();
    await person.answer(/is not known as a result/);
    assert.ok((await readFile(path.join(opened.folder, "replaced", "one.png"))).equals(bytes));
  });
});
