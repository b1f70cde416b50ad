/** Assets of a project: a result is converted and saved beside itself, and the page of assets has what is used, too large and unused. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readFile, rm, symlink, truncate, writeFile } from "node:fs/promises";
import path from "node:path";
import { isDeepStrictEqual } from "node:util";
import { emptyLock, writeLock } from "../../../src/domain/lock/lockFile";
import { imageSizeOf } from "../../../src/domain/media/imageSize";
import type { PictureMarks } from "../../../src/domain/media/marks/marks";
import { readMarks } from "../../../src/domain/media/marks/readMarks";
import type { AssetGroup } from "../../../src/domain/task/assetGroups";
import {
  type AssetRow,
  type AssetsPageIntent,
  type AssetsPageSnapshot,
} from "../../../src/tasks/contract/assetsPageContract";
import type { Task } from "../../../src/domain/task/task";
import { runCheck } from "../../../src/tasks/lock/check";
import type { ConvertPageIntent, ConvertPageSnapshot } from "../../../src/tasks/contract/convertPageContract";
import {
  type GalleryEvent,
  type GalleryPageIntent,
  type GallerySnapshot,
  reduceGallery,
} from "../../../src/tasks/contract/galleryPageContract";
import { closeWindows, type OpenedWindow, openWindow } from "../../support/fakeVscode/openWindow";
import { placeResult } from "../../support/fakeVscode/placedResults";
import { lastState, type TabPage, tabPage } from "../../support/fakeVscode/tabPage";
import { modelStep, reviewStep, typeStep } from "../../support/submitSteps";
import { createTemporaryFolder } from "../../support/temporaryFolder";
import { animatedGif, avifOf, pngOf, wholeWebp } from "../../support/testImages";

type AssetsTab = TabPage<AssetsPageSnapshot, AssetsPageSnapshot, AssetsPageIntent>;
type ConvertTab = TabPage<ConvertPageSnapshot, ConvertPageSnapshot, ConvertPageIntent>;

/** A whole one whose header has that size. */
function webpOf(width: number, height: number): Uint8Array<ArrayBuffer> {
  const bytes = Buffer.from(wholeWebp);
  bytes.writeUIntLE(width - 1, 24, 3);
  bytes.writeUIntLE(height - 1, 27, 3);
  return new Uint8Array(bytes);
}

/** The section of the gallery, which may be shown already. */
async function showAssets({ window, person }: OpenedWindow): Promise<AssetsTab> {
  await person.palette("Sluice: Open Gallery").ended();
  const gallery: AssetsTab = await tabPage(window, "sluice.gallery", lastState);
  gallery.send({ type: "section-open", section: "assets" });
  return tabPage(window, "sluice.gallery", lastState);
}

async function openAssets(opened: OpenedWindow): Promise<AssetsTab> {
  const page = await showAssets(opened);
  await page.until("the project was looked through", hasLooked);
  return page;
}

function hasLooked({ found, looking, isChecking }: AssetsPageSnapshot): boolean {
  return found !== undefined && looking === undefined && isChecking === undefined;
}

function rowsIn({ found }: AssetsPageSnapshot, group: AssetGroup): readonly AssetRow[] {
  return found?.groups.find(({ name }) => name === group)?.rows ?? [];
}

function pathsIn(snapshot: AssetsPageSnapshot, group: AssetGroup): readonly string[] {
  return rowsIn(snapshot, group).map(({ path: name }) => name);
}

describe("a result that is converted", () => {
  let opened: OpenedWindow;
  let convert: ConvertTab;
  before("place a result in the project, and open its page from the gallery", async () => {
    opened = await openWindow();
    const { window, person } = opened;
    await window.showView("sluice.tasks");
    const id = await placeResult(opened, {
      ...{ name: "mole.png", prompt: 'A "mole" in the fog', savedInto: "art/mole.png" },
      bytes: await pngOf(1024, 683),
    });
    await person.palette("Sluice: Open Gallery").ended();
    const gallery: TabPage<GallerySnapshot, GalleryEvent, GalleryPageIntent> = await tabPage(
      window,
      "sluice.gallery",
      reduceGallery,
    );
    gallery.send({ type: "results-act", action: "convert", tasks: [id] });
    convert = await tabPage(window, "sluice.mediaForm", lastState);
  });
  after(closeWindows);

  const file = (name: string): string => path.join(opened.folder, "art", name);
  const save = (...pictures: readonly Uint8Array<ArrayBuffer>[]): void =>
    convert.send({ type: "picture-save", format: "image/webp", path: "art/mole", pictures: [...pictures], hasPrompt });
  let hasPrompt = true;
  const marksIn = async (name: string): Promise<PictureMarks> => readMarks(await readFile(file(name)));
  /** Sends it, and resolves when the page may save again. */
  const saveAndWait = async (...pictures: readonly Uint8Array<ArrayBuffer>[]): Promise<string | undefined> => {
    const before = convert.snapshot.saved?.at;
    save(...pictures);
    await convert.until("it is saved", ({ saved, isSaving }) => !isSaving && saved?.at !== before);
    return convert.snapshot.saved?.files;
  };

  it("T17: the page has the result, and proposes the place of the file in the project", async () => {
    const { picture } = await convert.until("the result", (now) => now.picture.state === "here" && now);
    assert.ok(picture.state === "here" && picture.url.endsWith("/results/mole.png"));
    assert.equal(convert.snapshot.path, "art/mole");
  });

  it("T17: at 1× and 2× they are saved beside the file in the project, and their markup is copied", async () => {
    await rm(file("mole.webp"), { force: true });
    const [one, two] = [webpOf(320, 213), webpOf(640, 427)];
    assert.equal(await saveAndWait(one, two), "art/mole.webp, art/mole@2x.webp");
    // What is there already is not asked about.
    assert.equal(await saveAndWait(one, two), "art/mole.webp, art/mole@2x.webp");
    assert.deepEqual(opened.window.messages.shown, []);
    const made = { isGenerated: true, model: "model-x", prompt: 'A "mole" in the fog' };
    for (const [name, bytes] of [
      ["mole.webp", one],
      ["mole@2x.webp", two],
    ] as const) {
      const { task, ...marks } = await marksIn(name);
      assert.match(task ?? "", /^task-/);
      assert.deepEqual(marks, made);
      assert.deepEqual(imageSizeOf(await readFile(file(name)), "image/webp"), imageSizeOf(bytes, "image/webp"));
    }
    convert.send({ type: "markup-copy" });
    await opened.person.step("Alt Text");
    await opened.person.press("Enter");
    const markup =
      '<img src="art/mole.webp" srcset="art/mole.webp 1x, art/mole@2x.webp 2x" width="320" height="213" alt="A &quot;mole&quot; in the fog" />';
    await opened.window.until("the markup", () => opened.window.clipboard === markup);
  });

  it("T17: another file of that name is replaced after a yes only", async () => {
    const { window, person } = opened;
    await writeFile(file("mole.webp"), webpOf(320, 213));
    const smaller = webpOf(200, 133);
    for (const answer of [undefined, "Replace"]) {
      const before = convert.snapshot.saved?.at;
      save(smaller);
      const { isModal } = await person.message("Replace art/mole.webp?");
      assert.ok(isModal);
      await person.answer("Replace art/mole.webp?", answer);
      if (answer !== undefined)
        await convert.until("it is saved", ({ saved, isSaving }) => !isSaving && saved?.at !== before);
      await window.settled();
      const size = imageSizeOf(await readFile(file("mole.webp")), "image/webp");
      assert.equal(size?.width === 200, answer === "Replace");
    }
  });

  it("T20: without prompt and seed where that was chosen, which the next picture begins with", async () => {
    await rm(file("mole.webp"), { force: true });
    hasPrompt = false;
    await saveAndWait(webpOf(320, 213));
    assert.deepEqual(Object.keys(await marksIn("mole.webp")).toSorted(), ["isGenerated", "model", "task"]);
    assert.equal(convert.snapshot.hasPrompt, false);
  });

  it("T20: a file that is the result itself is saved as it is", async () => {
    const result = await readFile(file("mole.png"));
    const before = convert.snapshot.saved?.at;
    const pictures = [new Uint8Array(result)];
    convert.send({ type: "picture-save", format: "image/png", path: "art/same", pictures, hasPrompt: true });
    await convert.until("it is saved", ({ saved, isSaving }) => !isSaving && saved?.at !== before);
    assert.ok((await readFile(file("same.png"))).equals(result));
  });

  it("T17, R4: what is no picture of that format, and a place outside of the project, are not written", async () => {
    const { window, person } = opened;
    convert.send({
      type: "picture-save",
      format: "image/webp",
      path: "art/evil",
      pictures: [new TextEncoder().encode("<script>")],
      hasPrompt,
    });
    await person.answer(/no pictures of that format/);
    convert.send({ type: "picture-save", format: "image/webp", path: "../evil", pictures: [webpOf(2, 2)], hasPrompt });
    await person.answer("../evil is no path in the workspace.");
    await window.settled();
    assert.ok(!existsSync(file("evil.webp")) && !existsSync(path.join(opened.folder, "..", "evil.webp")));
  });
});

describe("the page of assets in a window", () => {
  let opened: OpenedWindow;
  const files = {
    "pier.html": '<h1>Pier</h1>\n<img src="art/mole.png" width="320">\n<img src="art/other.png">\n',
  };
  beforeEach("place three results in the project", async () => {
    opened = await openWindow({ files });
    for (const name of ["mole", "other", "buoy"])
      await placeResult(opened, {
        ...{ name: `${name}.png`, prompt: `A ${name}`, savedInto: `art/${name}.png` },
        bytes: await pngOf(1024, 683, name === "mole" ? [40, 120, 200] : [200, 120, 40]),
      });
  });
  afterEach(closeWindows);

  it("T17: it has what is used, what is larger than needed, what is not used; a place opens; what is gone is left out; a conversion begins with the width that is shown", async () => {
    const { window, folder } = opened;
    const page = await openAssets(opened);
    assert.deepEqual(pathsIn(page.snapshot, "too-large"), ["art/mole.png"]);
    assert.deepEqual(pathsIn(page.snapshot, "used"), ["art/other.png"]);
    assert.deepEqual(pathsIn(page.snapshot, "unused"), ["art/buoy.png"]);
    const [large] = rowsIn(page.snapshot, "too-large");
    assert.ok(large);
    assert.deepEqual(large.uses, ["pier.html:2"]);
    assert.deepEqual([large.oversize?.shownWidth, large.onDisk.width], [320, 1024]);

    const mole = path.join(folder, "art", "mole.png");
    const before = await readFile(mole);
    await rm(mole);
    page.send({ type: "assets-look" });
    await page.until("it is gone", (now) => now.looking === undefined && rowsIn(now, "too-large").length === 0);
    await writeFile(mole, before);
    page.send({ type: "assets-look" });
    await page.until("it is there", (now) => pathsIn(now, "too-large").includes("art/mole.png"));

    page.send({ type: "use-open", file: large.file, use: 0 });
    const editor = await window.until("the place in an editor", () => window.editors.active);
    assert.ok(editor.document.uri.path.endsWith("/pier.html"));
    assert.equal(editor.selection.active.line, 1);

    const again = await showAssets(opened);
    again.send({ type: "asset-act", action: "convert", file: large.file });
    const convert: ConvertTab = await tabPage(window, "sluice.mediaForm", lastState);
    assert.equal(convert.snapshot.width, 320);
  });
});

describe("the assets of a clone", () => {
  afterEach(closeWindows);

  it("T20: what sluice.lock lists is on the page and in the hover, though no task of it is here", async () => {
    const bytes = await pngOf(64, 48);
    const line = {
      ...{ path: "art/quay.png", sha256: createHash("sha256").update(bytes).digest("hex"), bytes: bytes.length },
      ...{ prompt: "art.prompts.md#The Quay", model: "demo-image", at: "2026-11-12T14:05:00.000Z" },
    };
    const opened = await openWindow({
      files: {
        "README.md": "![](art/quay.png)\n![](art/nothing.png)\n",
        "art.prompts.md": "# Pier\n\nA pier.\n\n# The Quay\n\nA quay.\n",
        "sluice.lock": writeLock(emptyLock, new Map([[line.path, line]])),
      },
    });
    const { window, person, folder } = opened;
    await mkdir(path.join(folder, "art"));
    await writeFile(path.join(folder, "art", "quay.png"), bytes);
    const page = await openAssets(opened);
    const [row] = rowsIn(page.snapshot, "used");
    assert.ok(row);
    assert.deepEqual(
      [row.path, row.prompt, row.opens, row.model, row.uses, row.locked],
      ["art/quay.png", "art.prompts.md · The Quay", "open-prompt", "demo-image", ["README.md:1"], undefined],
    );
    // The row has the picture of the file itself.
    assert.ok(row.picture?.endsWith("/art/quay.png"));

    page.send({ type: "asset-act", action: "open-prompt", file: row.file });
    const editor = await window.until("the prompt in an editor", () => window.editors.active);
    assert.ok(editor.document.uri.path.endsWith("/art.prompts.md"));
    assert.equal(editor.selection.active.line, 4);

    await window.openFile("README.md");
    const [hover] = await person.hoverAt("art/quay.png");
    assert.match(hover ?? "", /art\.prompts\.md[^]*demo\\-image[^]*Where Is This Used/);
    assert.deepEqual(await person.hoverAt("art/nothing.png"), []);
    await writeFile(path.join(folder, "art", "quay.png"), await pngOf(64, 48, [9, 9, 9]));
    assert.match((await person.hoverAt("art/quay.png")).join(""), /bytes&nbsp;were&nbsp;changed/);
  });
});

describe("pictures in GIF and AVIF", () => {
  afterEach(closeWindows);

  it("T17, T20: they are listed with their pictures and uses, and shown in the hover", async () => {
    const files = { "art/a.avif": avifOf([64, 48]), "art/b.gif": Buffer.from(animatedGif) };
    const entries = Object.entries(files).map(
      ([file, bytes]) =>
        [file, { path: file, sha256: createHash("sha256").update(bytes).digest("hex"), bytes: bytes.length }] as const,
    );
    const opened = await openWindow({
      files: {
        "README.md": "![](art/a.avif)\n![](art/b.gif)\n",
        "sluice.lock": writeLock(emptyLock, new Map(entries)),
      },
    });
    const { window, person, folder } = opened;
    await mkdir(path.join(folder, "art"));
    for (const [file, bytes] of Object.entries(files)) await writeFile(path.join(folder, file), bytes);
    const { snapshot } = await openAssets(opened);
    const rows = rowsIn(snapshot, "used");
    assert.deepEqual(
      rows.map(({ path: name, onDisk, uses, picture }) => [name, onDisk.width, uses, picture?.endsWith(`/${name}`)]),
      [
        ["art/a.avif", 64, ["README.md:1"], true],
        ["art/b.gif", 1, ["README.md:2"], true],
      ],
    );
    await window.openFile("README.md");
    for (const file of Object.keys(files)) assert.match((await person.hoverAt(file)).join(""), new RegExp(file));
  });
});

describe("a file of the lock that is not as it was made", () => {
  afterEach(closeWindows);

  const prompts = "# Pier\n\nA pier.\n\n# Two\n\nA mast.\n\nA buoy.\n";
  const openClone = async (heading: string, made: string): Promise<OpenedWindow> => {
    const bytes = await pngOf(64, 48);
    const line = {
      ...{ path: "art/pier.png", sha256: createHash("sha256").update(bytes).digest("hex"), bytes: bytes.length },
      ...{ prompt: `art.prompts.md#${heading}`, promptSha256: createHash("sha256").update(made).digest("hex") },
    };
    const opened = await openWindow({
      files: { "art.prompts.md": prompts, "sluice.lock": writeLock(emptyLock, new Map([[line.path, line]])) },
    });
    await mkdir(path.join(opened.folder, "art"));
    await writeFile(path.join(opened.folder, "art", "pier.png"), bytes);
    return opened;
  };

  /** Makes the file again, and returns the first task of the list. */
  const makeAgain = async ({ inside, person, window }: OpenedWindow, page: AssetsTab, file = ""): Promise<Task> => {
    page.send({ type: "asset-act", action: "make-again", file });
    await person.step(typeStep);
    await person.choose("image");
    await person.through(modelStep, reviewStep);
    return window.until("the task", () => [...inside.app.board.listed.values()][0]);
  };

  it("T20: Make Again… submits the prompt that its file has now, for the path of the file", async () => {
    const opened = await openClone("Pier", "An earlier pier.");
    const page = await openAssets(opened);
    const [row] = rowsIn(page.snapshot, "unused");
    assert.deepEqual([row?.locked, row?.actions], ["stale", ["make-again", "show"]]);
    const { prompt, destination, promptSource } = (await makeAgain(opened, page, row?.file)).intent;
    assert.deepEqual([prompt, destination?.file, promptSource?.heading], ["A pier.", row?.file, "Pier"]);
  });

  it("T20: Make Again… submits the prompt under its heading also where unsaved lines have moved it", async () => {
    const opened = await openClone("Pier", "An earlier pier.");
    const page = await openAssets(opened);
    const [row] = rowsIn(page.snapshot, "unused");
    await opened.window.openFile("art.prompts.md");
    await opened.person.typeInEditor("# Storm\n\nA storm.\n\n");
    const { prompt, promptSource } = (await makeAgain(opened, page, row?.file)).intent;
    assert.deepEqual([prompt, promptSource?.heading], ["A pier.", "Pier"]);
  });

  it("T20: one click puts the check into the project, which passes and fails as CI is to; another file of that name is replaced after a yes", async () => {
    const opened = await openClone("Pier", "A pier.");
    const { person, window, folder } = opened;
    const program = path.join(folder, "sluice-lock-check.mjs");
    const check = (): number | null => spawnSync(process.execPath, [program, folder]).status;
    const page = await openAssets(opened);
    assert.equal(page.snapshot.lacksCheck, true);
    page.send({ type: "check-add" });
    await person.answer(
      "sluice-lock-check.mjs is in the project. Commit it, and have CI run: node sluice-lock-check.mjs",
      "Copy Command",
    );
    await page.until("the project has it", ({ lacksCheck }) => lacksCheck === undefined);
    assert.equal(window.clipboard, "node sluice-lock-check.mjs");
    assert.equal(check(), 0);
    await writeFile(path.join(folder, "art", "pier.png"), "changed");
    assert.equal(check(), 1);
    await writeFile(program, "// of an earlier version\n");
    page.send({ type: "check-add" });
    await person.answer("Replace sluice-lock-check.mjs?", "Replace");
    await window.until("it is replaced", () => check() === 1);
  });

  it("T20: where a heading has several prompts, Make Again… opens the prompt file at the heading", async () => {
    const opened = await openClone("Two", "An earlier mast.");
    const page = await openAssets(opened);
    const [row] = rowsIn(page.snapshot, "unused");
    page.send({ type: "asset-act", action: "make-again", file: row?.file ?? "" });
    const editor = await opened.window.until("the prompt in an editor", () => opened.window.editors.active);
    assert.equal(editor.selection.active.line, 4);
  });

  it("T20: a changed file is kept as it is, or restored after a yes, and restoring can be undone", async () => {
    const opened = await openWindow();
    const { window, person, folder } = opened;
    await window.showView("sluice.tasks");
    await placeResult(opened, { name: "mole.png", prompt: "A mole", savedInto: "art/mole.png" });
    const file = path.join(folder, "art", "mole.png");
    const check = async (): Promise<number> => (await runCheck([folder])).code;
    await window.until("the lock has it", async () => (await check()) === 0);
    const [made, changed] = [await readFile(file), await pngOf(9, 9)];
    await writeFile(file, changed);
    const page = await openAssets(opened);
    const [row] = rowsIn(page.snapshot, "unused");
    assert.ok(row);
    assert.deepEqual([row.locked, row.actions], ["foreign", ["restore", "keep", "show"]]);
    assert.ok(row.picture?.endsWith("/art/mole.png"));
    const { file: uri } = row;
    const isNow = (state: string | undefined) =>
      page.until(`it is ${state}`, (now) => hasLooked(now) && rowsIn(now, "unused")[0]?.locked === state);

    page.send({ type: "asset-act", action: "restore", file: uri });
    await person.answer("Restore art/mole.png as it was made?", "Restore");
    await isNow(undefined);
    assert.deepEqual(await readFile(file), made);
    await person.answer("art/mole.png is as it was made again.", "Undo");
    await isNow("foreign");
    assert.deepEqual(await readFile(file), Buffer.from(changed));

    page.send({ type: "asset-act", action: "keep", file: uri });
    await isNow(undefined);
    assert.equal(await check(), 0);
    assert.match(await readFile(path.join(folder, "sluice.lock"), "utf8"), /"size":"9x9".*"edited"/);
  });
});

describe("a folder of the workspace in another one", () => {
  afterEach(closeWindows);

  it("T20: a file that the lock of the outer folder lists is kept in that lock", async () => {
    const root = (await createTemporaryFolder()).path;
    await mkdir(path.join(root, "site"));
    const listed = { path: "site/pier.png", sha256: "0".repeat(64) };
    await writeFile(path.join(root, "site", "pier.png"), await pngOf(9, 9));
    await writeFile(path.join(root, "sluice.lock"), writeLock(emptyLock, new Map([[listed.path, listed]])));
    const opened = await openWindow({ folders: [{ at: root }, { at: path.join(root, "site") }] });
    const page = await openAssets(opened);
    const [row] = rowsIn(page.snapshot, "unused");
    assert.deepEqual([row?.locked, row?.actions], ["foreign", ["keep", "show"]]);
    page.send({ type: "asset-act", action: "keep", file: row?.file ?? "" });
    await page.until("it is kept", (now) => hasLooked(now) && rowsIn(now, "unused")[0]?.locked === undefined);
    assert.equal((await runCheck([root])).code, 0);
    assert.ok(!existsSync(path.join(root, "site", "sluice.lock")));
  });
});

describe("a hostile lock", () => {
  afterEach(closeWindows);

  it("T17, T20, R6: a file that it lists outside of the folder, or that is none, has no hover", async () => {
    const outside = await createTemporaryFolder();
    await writeFile(path.join(outside.path, "secret.png"), await pngOf(8, 8));
    const names = ["linked/secret.png", "folder.png"];
    const entries = names.map((name) => [name, { path: name, sha256: "0".repeat(64) }] as const);
    const opened = await openWindow({
      files: {
        "README.md": names.map((name) => `![](${name})\n`).join(""),
        "folder.png/a.txt": "",
        "sluice.lock": writeLock(emptyLock, new Map(entries)),
      },
    });
    await symlink(outside.path, path.join(opened.folder, "linked"));
    await opened.window.openFile("README.md");
    for (const name of names) assert.deepEqual(await opened.person.hoverAt(name), []);
    await outside.remove();
  });
});

describe("a lock with files that are too large to be read at once", () => {
  afterEach(closeWindows);

  it("T17, T20: the page is drawn before they are read, only so much is read, and the rest is said", async () => {
    const bytes = await pngOf(8, 8);
    const names = ["a.png", "huge.png"];
    const entries = names.map((name) => [name, { path: name, sha256: "0".repeat(64) }] as const);
    const opened = await openWindow({ files: { "sluice.lock": writeLock(emptyLock, new Map(entries)) } });
    for (const name of names) await writeFile(path.join(opened.folder, name), bytes);
    await truncate(path.join(opened.folder, "huge.png"), 2 * 1024 ** 3);
    const page = await openAssets(opened);
    const rows = (): readonly AssetRow[] => (page.snapshot.found?.groups ?? []).flatMap((group) => group.rows);
    assert.deepEqual(
      rows()
        .map((row) => row.path)
        .toSorted(),
      names,
    );
    await page.until("the rows are checked", () => rows().every(({ locked }) => locked !== undefined));
    const locked = new Map(rows().map((row) => [row.path, row.locked]));
    assert.deepEqual([locked.get("a.png"), locked.get("huge.png")], ["foreign", "too-large"]);
  });
});

describe("looking for the uses of assets", () => {
  afterEach(closeWindows);

  const page = '<p>Quay</p>\n<img src="img/quay.png" width="200">\n';

  it("T17, R6: documents of any name are read, without what is ignored, excluded, linked, binary or huge, which is said", async () => {
    const opened = await openWindow({
      files: {
        'a "page" (1) é.html': page,
        "site.css": ".quay { background: url('/img/quay.png'); width: 90px }",
        ".gitignore": "built/\n",
        "built/page.html": page,
        "node_modules/kit/page.html": page,
        "huge.html": page + " ".repeat(1024 * 1024),
        "data.dat": `${page}\0`,
        // Of a window that was killed while it wrote.
        ".sluice.lock.4-1.part": '{"path":"img/quay.png"}\n',
      },
    });
    await placeResult(opened, { name: "quay.png", prompt: "A quay", savedInto: "img/quay.png" });
    const outside = await createTemporaryFolder();
    await writeFile(path.join(outside.path, "page.html"), page);
    await symlink(outside.path, path.join(opened.folder, "linked"));
    await symlink(path.join(outside.path, "page.html"), path.join(opened.folder, "linked.html"));
    const { snapshot } = await openAssets(opened);
    const uses = (snapshot.found?.groups ?? []).flatMap(({ rows }) => rows).flatMap((row) => row.uses);
    assert.deepEqual(uses, ['a "page" (1) é.html:2', "site.css:1"]);
    assert.equal(snapshot.found?.isIncomplete, true);
    await outside.remove();
  });

  it("T17: the prompt that a file is made of does not use it; a reference in a prompt does", async () => {
    const prompts = [
      ...["---", "destination: img/quay.png", "---", "# Quay", "", "A quay.", "", "# Pier", ""],
      ...['<!-- sluice: destination="img/pier.png" reference=img/mast.png -->', "", "A pier.", ""],
    ];
    const opened = await openWindow({ files: { "quay.prompts.md": prompts.join("\n") } });
    for (const name of ["quay", "pier", "mast"])
      await placeResult(opened, { name: `${name}.png`, prompt: name, savedInto: `img/${name}.png` });
    const { snapshot } = await openAssets(opened);
    assert.deepEqual(pathsIn(snapshot, "used"), ["img/mast.png"]);
    assert.deepEqual(pathsIn(snapshot, "unused").toSorted(), ["img/pier.png", "img/quay.png"]);
  });

  it("T15: a result is used when a document names its file, or a picture that was made of it; each time anew", async () => {
    const opened = await openWindow({ files: { "pier.html": '<img src="img/quay.png">' } });
    const { window, person, inside, folder } = opened;
    const [named, converted, unused] = [
      await placeResult(opened, { name: "a.png", prompt: "named", savedInto: "img/quay.png" }),
      await placeResult(opened, { name: "b.png", prompt: "converted", savedInto: "img/hero.png" }),
      await placeResult(opened, { name: "c.png", prompt: "unused", savedInto: "img/x.png" }),
    ];
    await person.palette("Sluice: Open Gallery").ended();
    const gallery: TabPage<GallerySnapshot, GalleryEvent, GalleryPageIntent> = await tabPage(
      window,
      "sluice.gallery",
      reduceGallery,
    );
    // Each time other results are used, so what is found is not what was found before.
    const findsUsed = async (...expected: readonly string[]): Promise<void> => {
      gallery.send({ type: "uses-find" });
      const isFound = (uses: unknown): boolean =>
        Array.isArray(uses) && isDeepStrictEqual(new Set(uses), new Set(expected));
      await gallery.until(`the results that are used: ${expected.length}`, ({ uses }) => isFound(uses));
    };
    await findsUsed(named);
    // The later of the two has the file.
    const copy = { file: window.uri("img/quay.png").toString(), at: window.clock.now() + 1 };
    await inside.app.board.applyThenWrite({ type: "task-copied", id: converted, copy });
    await findsUsed(converted);
    await mkdir(path.join(folder, "docs"));
    await writeFile(path.join(folder, "docs", "page.md"), "![](../img/x.png)");
    await findsUsed(converted, unused);
  });

  it("T17: it can be stopped, and what was found before stays", async () => {
    const files = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`docs/page-${index}.html`, page]));
    const opened = await openWindow({ files });
    await opened.window.showView("sluice.tasks");
    await placeResult(opened, { name: "quay.png", prompt: "A quay", savedInto: "docs/img/quay.png" });
    const shown = await openAssets(opened);
    const { found } = shown.snapshot;
    await writeFile(path.join(opened.folder, "docs", "later.html"), page);
    const before = shown.page.messages.length;
    shown.send({ type: "assets-look" });
    shown.send({ type: "assets-stop" });
    // That it looks, and looks no more, may be one message.
    await shown.until(
      "it has looked, and looks no more",
      ({ looking }) => looking === undefined && shown.page.messages.length > before,
    );
    assert.deepEqual(shown.snapshot.found, found);
    assert.deepEqual(opened.window.messages.shown, []);
  });
});
