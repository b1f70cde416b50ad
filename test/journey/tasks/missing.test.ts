/** What the project says is missing: a line in Problems with *Make It…*, the form filled in, and the files at their exact paths. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import sharp from "sharp";
import type * as vscode from "vscode";
import type { MediaFormIntent, MediaFormSnapshot } from "../../../src/tasks/contract/mediaFormPageContract";
import { acceptedOf } from "../../../src/domain/task/phase";
import { closeWindows, type OpenedWindow, openWindow } from "../../support/fakeVscode/openWindow";
import { WaitingClock } from "../../support/fakeVscode/waitingClock";
import { Position, Range } from "../../support/fakeVscode/positions";
import { lastState, type TabPage, tabPage } from "../../support/fakeVscode/tabPage";
import { createTemporaryFolder } from "../../support/temporaryFolder";
import { tasksOf } from "../../support/submitSteps";

type FormTab = TabPage<MediaFormSnapshot, MediaFormSnapshot, MediaFormIntent>;

const page = `# Tides

![A harbour at low tide, seen from the pier](img/harbour.png)

![{{ x }}](https://x.test/far.png)
`;
const manifest = JSON.stringify({
  name: "Tides",
  icons: [192, 512].map((side) => ({ src: `icons/${side}.png`, sizes: `${side}x${side}` })),
});

/** The paths that Problems names, by document. */
function missingIn({ window }: OpenedWindow, document: string): readonly string[] {
  return window.languages
    .of(window.uri(document))
    .filter(({ source }) => source === "Sluice")
    .map(({ message }) => message.replace(/ is not there.*$/, ""));
}

/** Milliseconds after which a window looks through its project. */
const firstLook = 8000;

/** The wait for that search is a pause: it ends as soon as nothing else happens. */
const searching = (): { readonly clock: WaitingClock } => ({
  clock: new WaitingClock(Date.now(), { longestPause: firstLook }),
});

/** The project was looked through, if anything does. */
async function lookThrough({ window }: OpenedWindow): Promise<void> {
  await window.settled();
  await window.clock.advance(firstLook);
}

async function untilMissing(opened: OpenedWindow, document: string, wanted: readonly string[]): Promise<void> {
  await lookThrough(opened);
  await opened.window.until(`${wanted.join(" and ") || "nothing"} is missing`, () => {
    const found = missingIn(opened, document);
    return found.length === wanted.length && wanted.every((one) => found.includes(one));
  });
}

async function actionsOn({ window }: OpenedWindow, document: string, at = 0): Promise<readonly vscode.CodeAction[]> {
  const shown = await window.openFile(document);
  const [diagnostic] = window.languages.of(window.uri(document)).slice(at);
  assert.ok(diagnostic);
  return (await window.languages.actions(shown.document, diagnostic.range)) as readonly vscode.CodeAction[];
}

async function makeIt(opened: OpenedWindow, document: string): Promise<FormTab> {
  const [action] = (await actionsOn(opened, document)).filter(({ title }) => title === "Make It…");
  assert.ok(action?.command);
  await opened.person.run(action.command.command, ...(action.command.arguments ?? []));
  const form: FormTab = await tabPage(opened.window, "sluice.mediaForm", lastState);
  await form.until(
    "the form is filled in",
    ({ fields, gateway }) => fields.exact !== undefined && gateway.target !== "",
  );
  return form;
}

function submit(form: FormTab): void {
  const { fields, attempt, gateway } = form.snapshot;
  form.send({ type: "tasks-submit", fields, attempt, target: gateway.target });
}

describe("what the project names and is not there", () => {
  let opened: OpenedWindow;
  before(async () => {
    opened = await openWindow({
      ...searching(),
      files: {
        "page.md": page,
        "site.webmanifest": manifest,
        "index.html": `<link rel="icon" href="favicon.ico"><link rel="apple-touch-icon" href="apple-touch-icon.png">`,
        "style.css": "body { background: url(img/paper.webp) }",
        "dist/index.html": `<img src="gone.png">`,
        ".gitignore": "made/\n",
        "made/page.md": "![](gone.png)",
        "other.md": "![](made/later.png) ![](../out.png) ![](linked/x.png) ![](/etc/con.png) ![](file:///etc/x.png)",
      },
    });
    const outside = await createTemporaryFolder();
    await symlink(outside.path, path.join(opened.folder, "linked"));
    await opened.window.showView("sluice.tasks");
  });
  after(closeWindows);

  it("T20: each is one line in Problems, as information, and nothing else is said", async () => {
    await untilMissing(opened, "page.md", ["img/harbour.png"]);
    await untilMissing(opened, "index.html", ["favicon.ico", "apple-touch-icon.png"]);
    await untilMissing(opened, "site.webmanifest", ["icons/192.png", "icons/512.png"]);
    const [hint] = opened.window.languages.of(opened.window.uri("page.md"));
    assert.equal(hint?.severity, 2);
    assert.equal(hint.message, "img/harbour.png is not there.");
    assert.deepEqual(hint.range, new Range(new Position(2, 45), new Position(2, 60)));
    for (const document of ["dist/index.html", "made/page.md", "other.md"])
      assert.deepEqual(missingIn(opened, document), []);
  });

  it("T20: to ask for its quick fixes makes no new line: VS Code forgets the fixes of a line that is made anew", async () => {
    const lines = (): readonly unknown[] => opened.window.languages.of(opened.window.uri("page.md"));
    const [line] = lines();
    assert.ok(line);
    await actionsOn(opened, "page.md");
    assert.equal(lines()[0], line);
  });

  it("T20: Make It… fills in the form, the file arrives at that path, and the line goes", async () => {
    const form = await makeIt(opened, "page.md");
    const { fields } = form.snapshot;
    assert.equal(fields.prompt, "A harbour at low tide, seen from the pier");
    assert.equal(fields.destination, "img/harbour.png");
    assert.equal(fields.isTransparent, false);
    assert.equal(fields.type, "async-image");
    submit(form);
    await opened.window.until("a task", () => tasksOf(opened.inside, fields.prompt).length === 1);
    await untilMissing(opened, "page.md", []);
    const { format } = await sharp(path.join(opened.folder, "img/harbour.png")).metadata();
    assert.equal(format, "png");
  });

  it("T8, T20: Make It… leaves the document that names the file as it is", async () => {
    const text = "# logo\n\nThe logo is ours, of logo and logo.webp.\n\n![logo](logo.png)\n";
    await writeFile(path.join(opened.folder, "README.md"), text);
    await untilMissing(opened, "README.md", ["logo.png"]);
    const form = await makeIt(opened, "README.md");
    submit(form);
    await untilMissing(opened, "README.md", []);
    await opened.window.until("it is placed", () =>
      tasksOf(opened.inside, form.snapshot.fields.prompt).some(
        (task) => acceptedOf(task)?.placement?.state === "placed",
      ),
    );
    assert.equal(await readFile(path.join(opened.folder, "README.md"), "utf8"), text);
  });

  it("T20: a document that is edited is read again after a pause, and a file that goes is missed", async () => {
    await opened.window.openFile("page.md");
    await opened.person.select("harbour.png");
    await opened.person.typeInEditor("pier.png");
    await untilMissing(opened, "page.md", ["img/pier.png"]);
    await opened.person.select("pier.png");
    await opened.person.typeInEditor("harbour.png");
    await untilMissing(opened, "page.md", []);
    await rm(path.join(opened.folder, "img", "harbour.png"));
    await untilMissing(opened, "page.md", ["img/harbour.png"]);
    await writeFile(path.join(opened.folder, "img/harbour.png"), "");
    await untilMissing(opened, "page.md", []);
  });

  it("T17, T20: what was made here and is gone is written again for nothing", async () => {
    const file = path.join(opened.folder, "img/harbour.png");
    const prompt = "A harbour at low tide, seen from the pier";
    await rm(file);
    await untilMissing(opened, "page.md", ["img/harbour.png"]);
    const [action] = (await actionsOn(opened, "page.md")).filter(({ title }) => title === "Restore It");
    assert.ok(action?.command);
    await opened.person.run(action.command.command, ...(action.command.arguments ?? []));
    await untilMissing(opened, "page.md", []);
    assert.equal((await sharp(file).metadata()).format, "png");
    assert.equal(tasksOf(opened.inside, prompt).length, 1);
  });

  it("T20: the icons of a site are one task, each file in its size and format", async () => {
    const form = await makeIt(opened, "site.webmanifest");
    const { fields } = form.snapshot;
    assert.equal(fields.destination, "icons/512.png");
    assert.deepEqual(
      fields.exact?.files.map(({ file }) => file),
      ["icons/512.png", "icons/192.png", "apple-touch-icon.png", "favicon.ico"],
    );
    submit(form);
    await untilMissing(opened, "site.webmanifest", []);
    await untilMissing(opened, "index.html", []);
    assert.equal(tasksOf(opened.inside, fields.prompt).length, 1);
    for (const [file, side] of [
      ["icons/512.png", 512],
      ["icons/192.png", 192],
      ["apple-touch-icon.png", 180],
    ] as const) {
      const { width, height, format } = await sharp(path.join(opened.folder, file)).metadata();
      assert.deepEqual([width, height, format], [side, side, "png"], file);
    }
    const icon = await readFile(path.join(opened.folder, "favicon.ico"));
    assert.deepEqual([icon.readUInt16LE(2), icon.readUInt16LE(4)], [1, 3]);
  });

  it("T20: a picture in another format than the result's is converted, also where the window is closed before it is placed", async () => {
    const form = await makeIt(opened, "style.css");
    const { fields } = form.snapshot;
    submit(form);
    await opened.window.until("an accepted task", () =>
      tasksOf(opened.inside, fields.prompt).some(({ submission }) => submission.state === "accepted"),
    );
    const { uri } = (await opened.window.openFile("style.css")).document;
    const offered = opened.window.languages.of(uri).length === 0 ? [] : await actionsOn(opened, "style.css");
    assert.ok(
      offered.every(({ title }) => title !== "Make It…"),
      "no second one is offered",
    );
    opened = await opened.reload();
    await opened.window.until("the file", () => existsSync(path.join(opened.folder, "img/paper.webp")));
    const { format } = await sharp(path.join(opened.folder, "img/paper.webp")).metadata();
    assert.equal(format, "webp");
    assert.equal(tasksOf(opened.inside, fields.prompt).length, 1);
  });
});

describe("a task that is made from one with an exact file", () => {
  let opened: OpenedWindow;
  const pathOf = (file: string): string => path.join(opened.folder, file);
  const prompt = "An old ferry";
  before(async () => {
    opened = await openWindow({
      ...searching(),
      files: { "page.md": `![${prompt}](img/ferry.webp)\n`, "icons.html": `<link rel="icon" href="icon-32.ico">\n` },
    });
    await opened.window.showView("sluice.tasks");
    await untilMissing(opened, "page.md", ["img/ferry.webp"]);
    submit(await makeIt(opened, "page.md"));
    await untilMissing(opened, "page.md", []);
  });
  after(closeWindows);

  const duplicate = async (task: string): Promise<FormTab> => {
    await opened.person.start("sluice.task.new", { kind: "task", id: task }, undefined, "task").ended();
    const form: FormTab = await tabPage(opened.window, "sluice.mediaForm", lastState);
    await form.until("the task is in it", ({ fields, gateway }) => fields.isPlaced && gateway.target !== "");
    return form;
  };
  const idOf = (words: string): string => tasksOf(opened.inside, words)[0]?.intent.id ?? assert.fail(words);

  it("T2, T20: duplicated, it goes to the next number in the same format; several become files as the results are", async () => {
    const form = await duplicate(idOf(prompt));
    const { fields } = form.snapshot;
    assert.equal(fields.destination, "img/ferry-2.webp");
    assert.deepEqual(fields.exact?.files, [{ file: "img/ferry-2.webp" }]);
    assert.equal(fields.exact.document, undefined);
    submit(form);
    await opened.window.until("the file", () => existsSync(pathOf("img/ferry-2.webp")));
    assert.equal((await sharp(pathOf("img/ferry-2.webp")).metadata()).format, "webp");
  });

  it("T2, T20: its variants and those of the duplicate count the number up, in the same format", async () => {
    const { person } = opened;
    for (const { intent } of tasksOf(opened.inside, prompt)) {
      const making = person.start("sluice.task.makeMore", { kind: "task", id: intent.id });
      await person.step("What should be made of it?");
      await person.choose("Make 4 Variants…");
      await person.step("Free on the local gateway");
      const shown = person.pick.rows.map(
        ({ label, description = "", detail = "" }) => `${label} ${description} ${detail}`,
      );
      const names = [3, 4, 5, 6].map((number) => `img/ferry-${number}.webp`);
      for (const name of names)
        assert.ok(
          shown.some((row) => row.includes(name)),
          `${name} in ${shown.join("\n")}`,
        );
      assert.doesNotMatch(shown.join("\n"), /-\d-\d|webp-/);
      await person.escape();
      await making.ended();
    }
  });

  it("T2, T20: an icon's own number stays, and its duplicate is an icon too", async () => {
    await untilMissing(opened, "icons.html", ["icon-32.ico"]);
    const made = await makeIt(opened, "icons.html");
    submit(made);
    await untilMissing(opened, "icons.html", []);
    const form = await duplicate(idOf(made.snapshot.fields.prompt));
    assert.equal(form.snapshot.fields.destination, "icon-32-2.ico");
  });
});

describe("a folder that comes as a whole", () => {
  afterEach(closeWindows);

  it("T20: its documents are looked at, though VS Code reports the folder alone; when it goes, so do their lines", async () => {
    const opened = await openWindow({ ...searching(), files: { "README.md": page } });
    await untilMissing(opened, "README.md", ["img/harbour.png"]);
    opened.window.watchers.silence();
    const guide = path.join(opened.folder, "guide");
    await mkdir(path.join(guide, "part"), { recursive: true });
    await writeFile(path.join(guide, "part", "page.md"), "![A buoy](buoy.png)\n");
    const lines = (): readonly string[] => missingIn(opened, "guide/part/page.md");
    opened.window.watchers.tell(guide, "created");
    await opened.window.until("the document in the folder has its line", () => lines().length === 1);
    await rm(guide, { recursive: true });
    opened.window.watchers.tell(guide, "deleted");
    await opened.window.until("its line is gone", () => lines().length === 0);
  });

  it("T20: so does a folder with a dot in its name, also one that has pictures alone", async () => {
    const opened = await openWindow({ ...searching(), files: { "README.md": "![A buoy](assets.v2/buoy.png)\n" } });
    await untilMissing(opened, "README.md", ["assets.v2/buoy.png"]);
    opened.window.watchers.silence();
    const folder = path.join(opened.folder, "assets.v2");
    await mkdir(folder);
    await writeFile(path.join(folder, "buoy.png"), "");
    await writeFile(path.join(folder, "page.md"), "![A pier](pier.png)\n");
    opened.window.watchers.tell(folder, "created");
    await opened.window.until("the picture is there", () => missingIn(opened, "README.md").length === 0);
    await opened.window.until("its document has a line", () => missingIn(opened, "assets.v2/page.md").length === 1);
    await rm(folder, { recursive: true });
    opened.window.watchers.tell(folder, "deleted");
    await opened.window.until("the picture is missed", () => missingIn(opened, "README.md").length === 1);
    await opened.window.until("the line is gone", () => missingIn(opened, "assets.v2/page.md").length === 0);
  });
});

describe("a project that nobody trusts, and one without a gateway", () => {
  afterEach(closeWindows);

  it("T20: without a gateway nothing is said", async () => {
    const opened = await openWindow({
      files: { "page.md": page },
      settings: { "sluice.baseUrl": "https://gateway.test" },
    });
    await opened.window.showView("sluice.tasks");
    await lookThrough(opened);
    await opened.window.settled();
    assert.equal(opened.inside.connections.current.current.state, "signed-out");
    assert.deepEqual(missingIn(opened, "page.md"), []);
  });

  it("T20: nothing is said before it is trusted", async () => {
    const opened = await openWindow({ files: { "page.md": page }, isTrusted: false });
    await opened.window.showView("sluice.tasks");
    await lookThrough(opened);
    await opened.window.settled();
    assert.deepEqual(missingIn(opened, "page.md"), []);
  });
});

describe("a placeholder of the form", () => {
  afterEach(closeWindows);

  it("T20: gives way to what is rehearsed or submitted anew for its file, and one that was changed stays", async () => {
    const opened = await openWindow({ ...searching(), files: { "page.md": "![A pier](img/pier.png)" } });
    await opened.window.showView("sluice.tasks");
    await untilMissing(opened, "page.md", ["img/pier.png"]);
    const file = path.join(opened.folder, "img/pier.png");
    const form = await makeIt(opened, "page.md");
    /** What became of the file of the task, which is submitted by the form as it is but for the prompt. */
    const placed = async (prompt: string, how: { readonly isRehearsal?: true } = {}): Promise<string | undefined> => {
      const { fields, attempt, gateway } = form.snapshot;
      form.send({ type: "tasks-submit", fields: { ...fields, prompt }, attempt, target: gateway.target, ...how });
      const state = (): string | undefined => acceptedOf(tasksOf(opened.inside, prompt).at(-1))?.placement?.state;
      await opened.window.until(`${prompt} is placed or not`, () => !["placing", undefined].includes(state()));
      await form.until("it may submit again", (now) => !now.isSubmitting && now.attempt !== attempt);
      return state();
    };
    assert.equal(await placed("A pier", { isRehearsal: true }), "placed");
    const first = await readFile(file);
    assert.equal(await placed("A long pier", { isRehearsal: true }), "placed");
    const second = await readFile(file);
    assert.notDeepEqual(second, first);
    await writeFile(file, "mine");
    assert.equal(await placed("A wide pier"), "occupied");
    assert.equal(await readFile(file, "utf8"), "mine");
    await writeFile(file, second);
    assert.equal(await placed("A pier at night"), "placed");
    assert.notDeepEqual(await readFile(file), second);
  });
});
