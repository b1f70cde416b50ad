/** A document gets the name that a result has, in the encoding and with the line ends of its file, or is left as it is. */
import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import type * as vscode from "vscode";
import { acceptedOf } from "../../../src/domain/task/phase";
import { closeWindows, type OpenedWindow, openWindow } from "../../support/fakeVscode/openWindow";
import { MemoryFiles } from "../../support/fakeVscode/memoryFiles";
import { placeResult } from "../../support/fakeVscode/placedResults";
import { Uri } from "../../support/fakeVscode/positions";

describe("a reference that is corrected", () => {
  let opened: OpenedWindow;
  let count = 0;
  before(async () => {
    opened = await openWindow({ files: { "page.md": "# Page\n" } });
    await opened.window.showView("sluice.tasks");
  });
  afterEach(() => {
    opened.window.documents.fallback = "utf8";
  });
  after(closeWindows);

  /** Places a WebP where the document, which nobody has open, names a PNG. Resolves with the document afterwards and the name it should have. */
  const placeFor = async (
    text: (reference: string) => string | Buffer,
  ): Promise<{ readonly bytes: Buffer; readonly after: Buffer; readonly name: string; readonly document: string }> => {
    const { window, folder, inside } = opened;
    count += 1;
    const name = `hero${count}`;
    const document = `page${count}.md`;
    await writeFile(path.join(folder, document), text(`![a](assets/${name}.png)`));
    const destination = { file: window.uri(`assets/${name}`).toString(), document: window.uri(document).toString() };
    const id = await placeResult(opened, { name: `${name}.webp`, prompt: name, intent: { destination } });
    await window.until("it is placed", () => acceptedOf(inside.app.board.all.get(id))?.placement?.state === "placed");
    await window.settled();
    const bytes = await readFile(path.join(folder, document));
    return { bytes, after: Buffer.from(text(`![a](assets/${name}.webp)`)), name, document };
  };
  const told = (): readonly string[] =>
    opened.window.messages.shown.map(({ text }) => text).filter((text) => text.includes(`page${count}.md`));

  it("T8: in UTF-8, with and without a mark, in UTF-16, and in the encoding that is set", async () => {
    for (const write of [
      (reference: string) => `Café\r\n${reference}\r\n`,
      (reference: string) => `\uFEFFCafé\n${reference}\n`,
      (reference: string) => Buffer.from(`\uFEFFCafé\n${reference}\n`, "utf16le"),
    ]) {
      const { bytes, after } = await placeFor(write);
      assert.deepEqual(bytes, after);
      assert.deepEqual(told(), []);
    }
    opened.window.documents.fallback = "windows1252";
    const { bytes, after } = await placeFor((reference) => Buffer.from(`Café\n${reference}\n`, "latin1"));
    assert.deepEqual(bytes, after);
    assert.deepEqual(told(), []);
  });

  it("T8: a file in another encoding than the editor reads, or with two kinds of line ends, stays byte for byte, and the path is told", async () => {
    for (const write of [
      (reference: string) => Buffer.from(`Café\n${reference}\n`, "latin1"),
      (reference: string) => `a\r\nb\n${reference}\n`,
    ]) {
      const { bytes, name, document } = await placeFor(write);
      assert.deepEqual(bytes, Buffer.from(write(`![a](assets/${name}.png)`)));
      assert.deepEqual(told(), [
        `${document} was left as it is, because saving it would change more than the path. The path is now: assets/${name}.webp`,
      ]);
    }
  });

  it("T8, T20: a document that names the expected file and that of a rehearsal gets both paths at once, or one message", async () => {
    const { window, folder, inside } = opened;
    for (const end of ["\n", "\r\n"]) {
      count += 1;
      const [name, document] = [`hero${count}`, `page${count}.md`];
      const write = (first: string, second: string): string =>
        `a\n![a](assets/${name}.${first})${end}![a](assets/${name}.${second})\n`;
      const destination = { file: window.uri(`assets/${name}`).toString(), document: window.uri(document).toString() };
      const place = async (ending: string, isRehearsal: boolean): Promise<void> => {
        const intent = { destination, ...(isRehearsal ? { isRehearsal } : {}) };
        const id = await placeResult(opened, { name: `${name}.${ending}`, prompt: name, intent });
        const placement = (): string | undefined => acceptedOf(inside.app.board.all.get(id))?.placement?.state;
        await window.until("it is placed", () => placement() === "placed");
        await window.settled();
      };
      await place("webp", true);
      await writeFile(path.join(folder, document), write("png", "webp"));
      await place("jpg", false);
      const isLeft = end === "\r\n";
      const found = await readFile(path.join(folder, document), "utf8");
      assert.equal(found, isLeft ? write("png", "webp") : write("jpg", "jpg"));
      assert.equal(told().length, isLeft ? 1 : 0);
    }
  });
});

describe("a reference that is corrected while the person types", () => {
  afterEach(closeWindows);

  it("T8: what they type stays, the path is corrected, and nothing is saved", async () => {
    const page = "/harbour/page.md";
    let editor: vscode.TextEditor | undefined;
    const files = new MemoryFiles({ [page]: "![a](assets/hero.png)\n" });
    const read = files.readFile.bind(files);
    const readsSlowly: vscode.FileSystemProvider = Object.assign(files, {
      readFile: async (uri: vscode.Uri) => {
        const typedIn = uri.path === page ? editor : undefined;
        if (typedIn) editor = undefined;
        await typedIn?.edit((edit) => edit.insert(typedIn.selection.start, "Typed. "));
        return read(uri);
      },
    });
    const opened = await openWindow({ folders: [{ at: "memory:/harbour" }], fileSystems: { memory: readsSlowly } });
    const { window, inside } = opened;
    await window.showView("sluice.tasks");
    editor = await window.openFile(Uri.parse(`memory:${page}`));
    const { document } = editor;
    const destination = { file: "memory:/harbour/assets/hero", document: document.uri.toString() };
    const id = await placeResult(opened, { name: "hero.webp", prompt: "hero", intent: { destination } });
    await window.until("it is placed", () => acceptedOf(inside.app.board.all.get(id))?.placement?.state === "placed");
    await window.until("the path", () => document.getText().includes("hero.webp"));
    assert.deepEqual([document.getText(), document.isDirty], ["Typed. ![a](assets/hero.webp)\n", true]);
    assert.deepEqual(window.messages.shown, []);
  });
});
