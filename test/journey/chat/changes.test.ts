/** What tools changed: shown as a diff, and taken back with the messages by Rewind to Here (A5). */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import path from "node:path";
import type { Uri } from "../../support/fakeVscode/positions";
import { openChat } from "../../support/fakeVscode/chatPage";
import { closeWindows, openWindow } from "../../support/fakeVscode/openWindow";

describe("changes of a chat", () => {
  after(closeWindows);

  it("A5 (newuser L1): what the turn changed is shown as a diff, and goes back with the messages after a question that names both, and comes back with them", async () => {
    const before = "Lanterns drift, no people.\n";
    const prompt = 'Replace "Lanterns" with "Boats" in notes.md';
    const { window, person, folder } = await openWindow({ files: { "notes.md": before } });
    const chat = await openChat(window);
    const text = (): Promise<string> => readFile(path.join(folder, "notes.md"), "utf8");
    await chat.ask(prompt);
    await chat.decide(true);
    const { id: answer } = await chat.ended();
    const boats = before.replace("Lanterns", "Boats");
    assert.equal(await text(), boats);
    assert.deepEqual(
      chat.snapshot.status.changes?.map(({ files, state }) => [files, state]),
      [[["notes.md"], "made"]],
    );

    chat.send({ type: "changes-show", answer });
    const [, title, files] = await window.until("the diff", () => window.ran.find(([id]) => id === "vscode.changes"));
    assert.match(String(title), /^Changes by Sluice/);
    const [[, was, is] = []] = files as readonly (readonly [Uri, Uri, Uri])[];
    const texts = await Promise.all([was, is].map(async (uri) => (await window.documents.open(uri!)).getText()));
    assert.deepEqual(texts, [before, boats]);

    chat.send({ type: "chat-rewind", entry: chat.entries[0]?.id ?? "" });
    const question = await person.message("Rewind to before this message?");
    assert.match(question.detail ?? "", /Takes back 2 messages\. Undoes the change of 1 file\./);
    assert.deepEqual([question.isModal, await text()], [true, boats]);
    question.answer("Rewind");
    await chat.until("the chat is empty", ({ entries, draft }) => entries.length === 0 && draft !== "");
    assert.deepEqual([await text(), chat.draft], [before, prompt]);
    assert.equal(chat.chat.otherBranch?.rewound?.files, 1);

    chat.send({ type: "branch-switch" });
    await chat.until(
      "the message is in the chat again, and no draft",
      ({ entries, draft }) => entries.length > 0 && draft === "",
    );
    assert.equal(await text(), boats);
    chat.send({ type: "branch-switch" });
    await chat.until("the message is a draft again", ({ entries, draft }) => entries.length === 0 && draft === prompt);
    assert.equal(await text(), before);
  });

  it("A5: once the page shows another chat, the editor with the changes has no buttons that would act on other files", async () => {
    const { window, folder } = await openWindow({ files: { "notes.md": "Lanterns drift.\n" } });
    const chat = await openChat(window);
    await chat.ask('Replace "Lanterns" with "Boats" in notes.md');
    await chat.decide(true);
    const { id: answer } = await chat.ended();
    const buttons = (): boolean =>
      window.menu("editor/title").some(({ command }) => command === "sluice.changes.keepAll");
    chat.send({ type: "changes-show", answer });
    await window.until("the buttons", () => buttons() || undefined);

    chat.send({ type: "chat-new" });
    await window.until("no button", () => !buttons() || undefined);
    assert.equal(await readFile(path.join(folder, "notes.md"), "utf8"), "Boats drift.\n");
  });
});
