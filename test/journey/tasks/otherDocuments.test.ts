/** Tasks from documents that are no files of a folder on the disk: one that was never saved, the sample, and a file of a virtual folder. */
import assert from "node:assert/strict";
import { readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import type * as vscode from "vscode";
import { FileSystemError } from "../../support/fakeVscode/dataTypes";
import { openChat } from "../../support/fakeVscode/chatPage";
import { MemoryFiles } from "../../support/fakeVscode/memoryFiles";
import { closeWindows, type OpenedWindow, openWindow } from "../../support/fakeVscode/openWindow";
import { placeResult } from "../../support/fakeVscode/placedResults";
import { Uri } from "../../support/fakeVscode/positions";
import { modelStep, reviewStep, tasksView, typeStep } from "../../support/submitSteps";

/** Submits the selected text as an image with the destination that is proposed. */
const submit = async ({ person }: OpenedWindow, text: string): Promise<void> => {
  await person.select(text);
  const submitting = person.palette("Sluice: Submit Selection as Task…");
  await person.step(typeStep);
  await person.choose(/^Image/);
  await person.through(modelStep);
  await person.step(reviewStep);
  await person.choose("Destination");
  await person.through("Path in the workspace", reviewStep);
  await submitting.ended();
};

describe("tasks from a document that is no file", () => {
  let opened: OpenedWindow;
  /** The sample among the files of the extension. */
  const original = path.resolve("media", "sample", "hero.prompts.md");
  before(async () => {
    opened = await openWindow({ settings: { "sluice.notifications": "none" } });
  });
  afterEach(() => opened.window.editors.close([...opened.window.editors.tabs]));
  after(closeWindows);

  const openSample = async (): Promise<string> => {
    const { window, person } = opened;
    await person.palette("Sluice: Open Sample Prompts").ended();
    return window.editors.active?.document.uri.scheme ?? "";
  };
  const shownText = (): string => opened.window.editors.active?.document.getText() ?? "";

  it("V4, T2: text of a document that was never saved is submitted; the result lands in the first folder, the document stays", async () => {
    const { window, folder } = opened;
    const text = "Things to draw\nA kite over the pier\n";
    const document = window.documents.openUntitled(text, "plaintext");
    await window.openFile(document.uri);
    await submit(opened, "A kite over the pier");
    const files = await window.until("the result alone", async () => {
      const names = await readdir(path.join(folder, "assets")).catch(() => []);
      return names.length === 1 && names[0] !== undefined && !names[0].startsWith(".") ? names : undefined;
    });
    assert.deepEqual(files, ["a-kite-over-the-pier.png"]);
    assert.deepEqual([document.getText(), document.isDirty, document.isClosed], [text, true, false]);
    assert.deepEqual(window.messages.shown, []);
  });

  it("T6 (finding 20): the sample is a new document, once for all; the extension's file stays as it is", async () => {
    const { window, person } = opened;
    const before = await readFile(original, "utf8");
    assert.equal(await openSample(), "untitled");
    assert.equal(shownText(), before);
    const { active } = window.editors;
    assert.equal(active?.document.languageId, "markdown");
    assert.equal(active.document.fileName, path.join(opened.folder, "hero.prompts.md"));
    await person.select("# ");
    await person.typeInEditor("# mine: ");
    await openSample();
    assert.match(shownText(), /^# mine: /);
    assert.equal(window.editors.tabs.length, 1);
    assert.equal(await readFile(original, "utf8"), before);
  });

  it("T6 (finding 20): the sample that lies in the workspace is opened, not the extension's own", async () => {
    const copy = path.join(opened.folder, "hero.prompts.md");
    await writeFile(copy, `${await readFile(original, "utf8")}\nof this workspace\n`);
    assert.equal(await openSample(), "file");
    assert.match(shownText(), /of this workspace/);
    assert.equal(opened.window.editors.tabs.length, 1);
  });
});

describe("tasks in a folder on no disk", () => {
  afterEach(closeWindows);

  it("V4, T2: a task's result lands beside its prompt, a selection goes into the chat, and a file can't be attached", async () => {
    const files = new MemoryFiles({ "/harbour/notes.md": "# Notes\n\nA red buoy in grey water\n" });
    const opened = await openWindow({
      folders: [{ at: "memory:/harbour" }],
      fileSystems: { memory: files },
      settings: { "sluice.notifications": "none" },
    });
    const { window, person } = opened;
    const chat = await openChat(window);
    assert.equal(chat.snapshot.status.noFiles, true);
    await window.openFile(Uri.parse("memory:/harbour/notes.md"));
    await submit(opened, "A red buoy in grey water");
    await person.lens("Open Result");
    await window.until("the result alone", async () => {
      const folder = Uri.parse("memory:/harbour/assets");
      const found = await window.fileSystems.fs.readDirectory(folder).then(
        (entries) => entries.map(([name]) => name),
        () => [],
      );
      return found.join() === "a-red-buoy-in-grey-water.png";
    });
    await person.select("grey water");
    await person.palette("Sluice: Add to Sluice Chat").ended();
    assert.match(chat.draft, /notes\.md:\d[^]*grey water/);
    await person.deselect();
    await person.palette("Sluice: Add to Sluice Chat").ended();
    const hint = await chat.until("why it is not attached", ({ messages }) =>
      messages.find((message) => message.type === "composer-hint"),
    );
    assert.match(hint.text, /The tools for files don't work in harbour/);
    assert.deepEqual(window.messages.shown, []);
  });

  for (const [what, fails, saved] of [
    ["can't be read", () => FileSystemError.Unavailable("no network"), ["a-pier.png"]],
    [
      "appears only after it was looked for",
      () => FileSystemError.FileNotFound("not yet"),
      ["a-pier.png", "a-pier-2.png"],
    ],
  ] as const) {
    it(`T8: a result is not saved over a file that ${what}`, async () => {
      const own = "the person's";
      const place = "/harbour/assets/a-pier.png";
      let reads = 0;
      class FailingFiles extends MemoryFiles {
        override readFile(uri: vscode.Uri): Uint8Array {
          if (uri.path !== place || (reads += 1) > 1) return super.readFile(uri);
          this.createDirectory(uri.with({ path: "/harbour/assets" }));
          this.writeFile(uri, new TextEncoder().encode(own));
          throw fails();
        }
      }
      const opened = await openWindow({
        folders: [{ at: "memory:/harbour" }],
        fileSystems: { memory: new FailingFiles({ "/harbour/notes.md": "# Notes\n" }) },
      });
      const { window, person } = opened;
      await placeResult(opened, { name: "pier.png", prompt: "a pier" });
      await person.inMenu(await person.row(tasksView, "a pier"), "Save into Workspace").ended();
      const { fs } = window.fileSystems;
      const entries = await fs.readDirectory(Uri.parse("memory:/harbour/assets"));
      assert.deepEqual(
        entries.map(([name]) => name),
        saved,
      );
      assert.equal(new TextDecoder().decode(await fs.readFile(Uri.parse(`memory:${place}`))), own);
      const failures = (): number => window.messages.shown.filter(({ severity }) => severity === "error").length;
      await window.until("the failure is said", () => failures() === 2 - saved.length);
    });
  }
});
