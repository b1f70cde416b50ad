/**
 * The rules of VS Code on which Sluice relies. Each rule runs against the real VS Code (`test/host/contract.test.ts`) and against the fake
 * one that journeys run on (`test/journey/contract.test.ts`): a fake that breaks one of them fails there.
 */
import assert from "node:assert/strict";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import type * as vscode from "vscode";

export type EditorApi = typeof vscode;

/** Does what a person, another program and the window itself do. */
export interface EditorDriver {
  /** The folder of the workspace; empty before each rule. */
  readonly folder: string;
  readonly memory: Pick<vscode.ExtensionContext, "globalState" | "secrets">;
  /** Accepts the active row of the open list, or the input box. */
  acceptItem(): Promise<void>;
  nextItem(): Promise<void>;
  goBack(): Promise<void>;
  closeList(): Promise<void>;
  /** Moves the focus from the list to another part of the window. */
  moveFocusAway(): Promise<void>;
  /** Resolves when what the extension has set so far has arrived, and what the window reports of it has come back. */
  settled(): Promise<void>;
  until(what: string, condition: () => boolean | Promise<boolean>): Promise<void>;
}

export interface EditorRule {
  readonly title: string;
  /** Whether it needs programs that VS Code brings along for searching and for watching files. */
  readonly needsPrograms: boolean;
  readonly holds: (vscode: EditorApi, driver: EditorDriver) => Promise<void>;
}

const rules: EditorRule[] = [];
const rule = (title: string, holds: EditorRule["holds"], { needsPrograms = false } = {}): void =>
  void rules.push({ title, holds, needsPrograms });

// Quick picks

const three: readonly vscode.QuickPickItem[] = [{ label: "alpha" }, { label: "beta" }, { label: "gamma" }];
const labels = (items: readonly vscode.QuickPickItem[]): string => items.map(({ label }) => label).join(", ") || "none";

interface HeardPick {
  readonly pick: vscode.QuickPick<vscode.QuickPickItem>;
  /** The events that it reported, in order. */
  readonly heard: string[];
}

function createPick({ window }: EditorApi, items: readonly vscode.QuickPickItem[] = three): HeardPick {
  const pick = window.createQuickPick();
  const heard: string[] = [];
  pick.onDidChangeValue((value) => heard.push(`value ${value}`));
  pick.onDidChangeActive((active) => heard.push(`active ${labels(active)}`));
  pick.onDidChangeSelection((selected) => heard.push(`selected ${labels(selected)}`));
  pick.onDidAccept(() => heard.push(`accepted ${labels(pick.selectedItems)}`));
  pick.onDidHide(() => heard.push("hidden"));
  pick.onDidTriggerButton(({ tooltip }) => heard.push(`button ${tooltip ?? ""}`));
  pick.items = items;
  return { pick, heard };
}

/** Shows it, and forgets what it reported by then. */
async function showPick(api: EditorApi, driver: EditorDriver, items = three): Promise<HeardPick> {
  const shown = createPick(api, items);
  shown.pick.show();
  await driver.until("the first row is active", () => labels(shown.pick.activeItems) === items[0]?.label);
  await driver.settled();
  shown.heard.length = 0;
  return shown;
}

rule("a pick that is shown reports its first row as the active one, and no text", async (api, driver) => {
  const { pick, heard } = createPick(api);
  pick.show();
  await driver.until("a row is active", () => pick.activeItems.length > 0);
  await driver.settled();
  assert.deepEqual(heard, ["active alpha"]);
  assert.equal(pick.activeItems[0], pick.items[0]);
  pick.dispose();
});

rule("without rows none is active, and accepting reports no selection", async (api, driver) => {
  const { pick, heard } = createPick(api, []);
  pick.show();
  await driver.settled();
  await driver.acceptItem();
  await driver.until("it is accepted", () => heard.includes("accepted none"));
  assert.deepEqual(heard, ["accepted none"]);
  pick.dispose();
});

rule("the row below becomes the active one, and behind the last the first", async (api, driver) => {
  const { pick, heard } = await showPick(api, driver);
  for (const label of ["beta", "gamma", "alpha"]) {
    await driver.nextItem();
    await driver.until(label, () => heard.at(-1) === `active ${label}`);
  }
  assert.deepEqual(heard, ["active beta", "active gamma", "active alpha"]);
  pick.dispose();
});

rule("a row is selected before it is accepted, and the pick stays open", async (api, driver) => {
  const { pick, heard } = await showPick(api, driver);
  await driver.nextItem();
  await driver.acceptItem();
  await driver.until("it is accepted", () => heard.some((line) => line.startsWith("accepted")));
  await driver.settled();
  assert.deepEqual(heard, ["active beta", "selected beta", "accepted beta"]);
  pick.dispose();
});

rule("a row that is accepted twice is selected twice", async (api, driver) => {
  const { pick, heard } = await showPick(api, driver);
  await driver.acceptItem();
  await driver.acceptItem();
  await driver.until("it is accepted twice", () => heard.filter((line) => line === "accepted alpha").length === 2);
  assert.deepEqual(heard, ["selected alpha", "accepted alpha", "selected alpha", "accepted alpha"]);
  pick.dispose();
});

rule(
  "a text that the extension sets can be read at once, filters, and is reported behind the active rows: none, then the first",
  async (api, driver) => {
    const { pick, heard } = await showPick(api, driver);
    pick.value = "be";
    assert.equal(pick.value, "be");
    await driver.until("the text is reported", () => heard.includes("value be"));
    await driver.settled();
    assert.deepEqual(heard, ["active none", "active beta", "value be"]);
    pick.dispose();
  },
);

rule("a text that is set before the pick is shown filters, and is reported", async (api, driver) => {
  const { pick, heard } = createPick(api);
  pick.value = "ga";
  pick.show();
  await driver.until("a row is active", () => labels(pick.activeItems) === "gamma");
  await driver.settled();
  assert.deepEqual(heard, ["value ga", "active gamma"]);
  pick.dispose();
});

rule("sets of one turn arrive together: what is undone in it is not seen", async (api, driver) => {
  const { pick, heard } = await showPick(api, driver);
  pick.value = "be";
  pick.value = "";
  pick.items = [{ label: "delta" }];
  await driver.until("the new row is active", () => labels(pick.activeItems) === "delta");
  await driver.settled();
  assert.deepEqual(heard, ["active delta"]);
  pick.dispose();
});

rule("rows, then a text of one turn: the new rows are there before the text filters them", async (api, driver) => {
  const { pick, heard } = await showPick(api, driver);
  pick.items = [{ label: "delta" }, { label: "epsilon" }];
  pick.value = "eps";
  await driver.until("the text is reported", () => heard.includes("value eps"));
  await driver.until("the new row is active", () => labels(pick.activeItems) === "epsilon");
  await driver.settled();
  assert.deepEqual(heard, ["active delta", "active none", "active epsilon", "value eps"]);
  pick.dispose();
});

rule("rows that are set again make the first one active, whichever was", async (api, driver) => {
  const { pick, heard } = await showPick(api, driver);
  await driver.nextItem();
  await driver.until("the second row", () => labels(pick.activeItems) === "beta");
  pick.items = [...three];
  await driver.until("the first row", () => labels(pick.activeItems) === "alpha");
  await driver.settled();
  assert.deepEqual(heard, ["active beta", "active alpha"]);
  pick.dispose();
});

rule("rows that are set again while the first one is active report it again", async (api, driver) => {
  const { pick, heard } = await showPick(api, driver);
  pick.items = [...three];
  await driver.settled();
  assert.deepEqual(heard, ["active alpha"]);
  pick.dispose();
});

rule(
  "a text, then rows of one turn: the text filters the old rows, too; a row is reported by its place, whatever is there by then",
  async (api, driver) => {
    const { pick, heard } = await showPick(api, driver);
    pick.value = "e";
    pick.items = [{ label: "delta" }, { label: "epsilon" }];
    await driver.until("the text is reported", () => heard.includes("value e"));
    await driver.settled();
    assert.deepEqual(heard, ["active none", "active epsilon", "value e", "active epsilon"]);
    pick.dispose();
  },
);

rule("what is set while the pick is hidden is there when it is shown", async (api, driver) => {
  const { pick, heard } = await showPick(api, driver);
  pick.hide();
  await driver.until("it is hidden", () => heard.includes("hidden"));
  pick.items = [{ label: "delta" }, { label: "epsilon" }];
  pick.value = "eps";
  await driver.settled();
  assert.deepEqual(heard, ["hidden"]);
  pick.show();
  await driver.until("the new row", () => labels(pick.activeItems) === "epsilon");
  await driver.settled();
  assert.deepEqual(heard, ["hidden", "value eps", "active none", "active epsilon"]);
  pick.dispose();
});

rule("an active row that is set behind the rows, in the same turn, is the active one", async (api, driver) => {
  const { pick } = await showPick(api, driver);
  const next = [{ label: "delta" }, { label: "epsilon" }];
  pick.items = next;
  pick.activeItems = next.slice(1);
  assert.equal(labels(pick.activeItems), "epsilon");
  await driver.settled();
  assert.equal(labels(pick.activeItems), "epsilon");
  await driver.acceptItem();
  await driver.until("it is accepted", () => pick.selectedItems.length > 0);
  assert.equal(labels(pick.selectedItems), "epsilon");
  pick.dispose();
});

rule("an active row that is set before the pick is shown is the active one", async (api, driver) => {
  const { pick } = createPick(api);
  pick.activeItems = three.slice(2);
  pick.show();
  await driver.settled();
  await driver.acceptItem();
  await driver.until("it is accepted", () => pick.selectedItems.length > 0);
  assert.equal(labels(pick.selectedItems), "gamma");
  pick.dispose();
});

rule("rows are empty, then there: the first of them becomes active", async (api, driver) => {
  const { pick, heard } = createPick(api, []);
  pick.show();
  await driver.settled();
  pick.items = three;
  await driver.until("the first row", () => labels(pick.activeItems) === "alpha");
  await driver.settled();
  assert.deepEqual(heard, ["active alpha"]);
  pick.dispose();
});

rule("rows that go leave none active", async (api, driver) => {
  const { pick } = await showPick(api, driver);
  pick.items = [];
  await driver.until("no row", () => pick.activeItems.length === 0);
  pick.dispose();
});

const described: readonly vscode.QuickPickItem[] = [
  { label: "alpha", description: "first", detail: "Greek" },
  { label: "beta", description: "second", detail: "Roman" },
  { label: "always", alwaysShow: true },
];

/** The row that is active once the text is there. */
async function activeWith(
  api: EditorApi,
  driver: EditorDriver,
  text: string,
  options: { matchOnDescription?: boolean; matchOnDetail?: boolean },
  items: readonly vscode.QuickPickItem[] = described.slice(0, 2),
): Promise<string> {
  const { pick, heard } = await showPick(api, driver, items);
  Object.assign(pick, options);
  await driver.settled();
  pick.value = text;
  await driver.until("the text is reported", () => heard.includes(`value ${text}`));
  await driver.settled();
  const active = labels(pick.activeItems);
  pick.dispose();
  return active;
}

rule("a text is looked for in labels only", async (api, driver) => {
  assert.equal(await activeWith(api, driver, "second", {}), "none");
  assert.equal(await activeWith(api, driver, "Roman", {}), "none");
});

rule("with matchOnDescription in descriptions too", async (api, driver) => {
  assert.equal(await activeWith(api, driver, "second", { matchOnDescription: true }), "beta");
});

rule("with matchOnDetail in details too", async (api, driver) => {
  assert.equal(await activeWith(api, driver, "Roman", { matchOnDetail: true }), "beta");
});

rule("a row with alwaysShow stays, also where the text is not in it", async (api, driver) => {
  assert.equal(await activeWith(api, driver, "zzz", {}, described), "always");
});

rule("a text is looked for in any case", async (api, driver) => {
  assert.equal(await activeWith(api, driver, "BETA", {}), "beta");
});

rule("no separator is ever active", async (api, driver) => {
  const { pick } = createPick(api, [
    { label: "Letters", kind: api.QuickPickItemKind.Separator },
    { label: "alpha" },
    { label: "More", kind: api.QuickPickItemKind.Separator },
    { label: "beta" },
  ]);
  pick.show();
  await driver.until("the first row", () => labels(pick.activeItems) === "alpha");
  await driver.nextItem();
  await driver.until("the second row", () => labels(pick.activeItems) === "beta");
  pick.dispose();
});

rule(
  "in a pick of several no row is active at first, and it is accepted with the rows that were set as selected",
  async (api, driver) => {
    const { pick, heard } = createPick(api);
    pick.canSelectMany = true;
    pick.selectedItems = three.slice(1);
    pick.show();
    await driver.settled();
    await driver.until("what is selected is reported", () => heard.length > 0);
    await driver.acceptItem();
    await driver.until("it is accepted", () => heard.some((line) => line.startsWith("accepted")));
    assert.deepEqual(heard, ["selected beta, gamma", "accepted beta, gamma"]);
    pick.dispose();
  },
);

rule("hide() is reported once, and the pick can be shown again", async (api, driver) => {
  const { pick, heard } = await showPick(api, driver);
  pick.hide();
  assert.equal(heard.join(), "");
  await driver.until("it is hidden", () => heard.includes("hidden"));
  heard.length = 0;
  pick.show();
  await driver.settled();
  pick.hide();
  await driver.until("it is hidden again", () => heard.includes("hidden"));
  await driver.settled();
  assert.equal(heard.filter((line) => line === "hidden").length, 1);
  pick.dispose();
});

rule(
  "dispose() of a visible pick reports that it is hidden, before it returns, and nothing after it",
  async (api, driver) => {
    const { pick, heard } = await showPick(api, driver);
    pick.dispose();
    assert.deepEqual(heard, ["hidden"]);
    await driver.settled();
    assert.deepEqual(heard, ["hidden"]);
  },
);

rule("dispose() of a pick that was never shown, or was hidden before, reports nothing", async (api, driver) => {
  const never = createPick(api);
  never.pick.dispose();
  assert.deepEqual(never.heard, []);
  const { pick, heard } = await showPick(api, driver);
  pick.hide();
  await driver.until("it is hidden", () => heard.includes("hidden"));
  pick.dispose();
  assert.deepEqual(heard, ["hidden"]);
});

rule("a person who closes the pick hides it", async (api, driver) => {
  const { pick, heard } = await showPick(api, driver);
  await driver.closeList();
  await driver.until("it is hidden", () => heard.includes("hidden"));
  await driver.settled();
  assert.deepEqual(heard, ["hidden"]);
  pick.dispose();
});

rule("only one is visible: the second that is shown hides the first", async (api, driver) => {
  const first = await showPick(api, driver);
  const second = createPick(api, [{ label: "other" }]);
  second.pick.show();
  await driver.until("the first is hidden", () => first.heard.includes("hidden"));
  await driver.until("the second has a row", () => second.pick.activeItems.length > 0);
  await driver.acceptItem();
  await driver.until("the second is accepted", () => second.heard.includes("accepted other"));
  assert.deepEqual(first.heard, ["hidden"]);
  assert.ok(!second.heard.includes("hidden"));
  for (const { pick } of [first, second]) pick.dispose();
});

rule("a pick that is shown again keeps its text, and has rows only if they are set again", async (api, driver) => {
  const first = await showPick(api, driver);
  first.pick.value = "be";
  await driver.until("the text is reported", () => first.heard.includes("value be"));
  const second = createPick(api);
  second.pick.show();
  await driver.until("the first is hidden", () => first.heard.includes("hidden"));
  second.pick.dispose();
  first.pick.show();
  await driver.settled();
  await driver.acceptItem();
  await driver.settled();
  assert.deepEqual(first.heard.slice(first.heard.indexOf("hidden")), ["hidden", "active none", "accepted none"]);
  assert.equal(first.pick.value, "be");
  first.pick.items = [...three];
  await driver.until("the rows are back", () => labels(first.pick.activeItems) === "beta");
  first.pick.dispose();
});

rule("the focus that goes elsewhere hides the pick, unless it ignores that", async (api, driver) => {
  const { pick, heard } = await showPick(api, driver);
  pick.ignoreFocusOut = true;
  await driver.settled();
  await driver.moveFocusAway();
  await driver.settled();
  assert.equal(heard.join(), "");
  pick.dispose();
  const other = await showPick(api, driver);
  await driver.moveFocusAway();
  await driver.until("it is hidden", () => other.heard.includes("hidden"));
  other.pick.dispose();
});

rule("the button Back is reported as VS Code's own object, and hides nothing", async (api, driver) => {
  const { pick, heard } = await showPick(api, driver);
  const pressed: vscode.QuickInputButton[] = [];
  pick.onDidTriggerButton((button) => pressed.push(button));
  pick.buttons = [api.QuickInputButtons.Back];
  await driver.settled();
  await driver.goBack();
  await driver.until("it is pressed", () => pressed.length > 0);
  assert.equal(pressed[0], api.QuickInputButtons.Back);
  assert.ok(!heard.includes("hidden"));
  pick.dispose();
});

rule("a busy pick can be accepted", async (api, driver) => {
  const { pick, heard } = await showPick(api, driver);
  pick.busy = true;
  await driver.settled();
  await driver.acceptItem();
  await driver.until("it is accepted", () => heard.includes("accepted alpha"));
  pick.dispose();
});

// Input boxes

function createBox({ window }: EditorApi): { readonly box: vscode.InputBox; readonly heard: string[] } {
  const box = window.createInputBox();
  const heard: string[] = [];
  box.onDidChangeValue((value) => heard.push(`value ${value}`));
  box.onDidAccept(() => heard.push(`accepted ${box.value}`));
  box.onDidHide(() => heard.push("hidden"));
  return { box, heard };
}

rule(
  "an input box does not report the text that the extension sets, is accepted with it, and stays open",
  async (api, driver) => {
    const { box, heard } = createBox(api);
    box.show();
    await driver.settled();
    box.value = "typed";
    await driver.settled();
    await driver.acceptItem();
    await driver.until("it is accepted", () => heard.includes("accepted typed"));
    await driver.settled();
    assert.deepEqual(heard, ["accepted typed"]);
    box.dispose();
  },
);

rule("an input box that hides its text is accepted with it", async (api, driver) => {
  const { box, heard } = createBox(api);
  Object.assign(box, { password: true, value: "secret" });
  box.show();
  await driver.settled();
  await driver.acceptItem();
  await driver.until("it is accepted", () => heard.includes("accepted secret"));
  box.dispose();
});

rule("an input box with an error is accepted nonetheless: the extension has to look", async (api, driver) => {
  const { box, heard } = createBox(api);
  box.validationMessage = "Not this";
  box.show();
  await driver.settled();
  await driver.acceptItem();
  await driver.until("it is accepted", () => heard.includes("accepted "));
  box.dispose();
});

rule("an input box hides a pick", async (api, driver) => {
  const { pick, heard } = await showPick(api, driver);
  const { box } = createBox(api);
  box.show();
  await driver.until("the pick is hidden", () => heard.includes("hidden"));
  for (const one of [pick, box]) one.dispose();
});

rule("showInputBox resolves with its text, and with undefined when it is closed", async (api, driver) => {
  const accepted = api.window.showInputBox({ value: "kept" });
  await driver.settled();
  await driver.acceptItem();
  assert.equal(await accepted, "kept");
  const closed = api.window.showInputBox({ value: "lost" });
  await driver.settled();
  await driver.closeList();
  assert.equal(await closed, undefined);
});

// Documents

let named = 0;

/** Writes a file that no rule before had: an editor may keep a text that it has closed. */
async function put(driver: EditorDriver, text: string, ending = "txt"): Promise<string> {
  named += 1;
  const file = path.join(driver.folder, `contract${named}.${ending}`);
  await writeFile(file, text);
  return file;
}

interface HeardDocument {
  readonly document: vscode.TextDocument;
  readonly heard: string[];
  readonly stop: () => void;
}

/** Opens the file in an editor, and notes what is reported of it. */
async function openText({ window, workspace, Uri }: EditorApi, file: string): Promise<HeardDocument> {
  const document = await workspace.openTextDocument(Uri.file(file));
  await window.showTextDocument(document);
  const heard: string[] = [];
  const note = (line: string, of: vscode.TextDocument): void => {
    if (of === document) heard.push(`${line}${of.isDirty ? ", dirty" : ""}`);
  };
  const hearing = [
    workspace.onDidChangeTextDocument((event) =>
      note(`changed ${JSON.stringify(event.contentChanges.map(({ text }) => text))}`, event.document),
    ),
    workspace.onWillSaveTextDocument((event) => note("will save", event.document)),
    workspace.onDidSaveTextDocument((saved) => note("saved", saved)),
    workspace.onDidCloseTextDocument((closed) => note("closed", closed)),
    workspace.onDidOpenTextDocument((opened) => note("opened", opened)),
  ];
  return { document, heard, stop: () => hearing.forEach((one) => void one.dispose()) };
}

function insertion(
  { WorkspaceEdit, Position }: EditorApi,
  { uri }: vscode.TextDocument,
  text: string,
): vscode.WorkspaceEdit {
  const edit = new WorkspaceEdit();
  edit.insert(uri, new Position(0, 0), text);
  return edit;
}

rule("a document is the same object each time it is opened, at version 1, without changes", async (api, driver) => {
  const file = await put(driver, "one\ntwo\n");
  const { document, stop } = await openText(api, file);
  assert.equal(await api.workspace.openTextDocument(api.Uri.file(file)), document);
  assert.ok(api.workspace.textDocuments.includes(document));
  assert.deepEqual([document.version, document.isDirty, document.lineCount, document.isClosed], [1, false, 3, false]);
  stop();
});

rule(
  "an edit has been reported when applyEdit resolves: a change and the next version, then that it is dirty",
  async (api, driver) => {
    const { document, heard, stop } = await openText(api, await put(driver, "one\n"));
    assert.equal(await api.workspace.applyEdit(insertion(api, document, "zero\n")), true);
    assert.equal(heard[0], 'changed ["zero\\n"]');
    assert.deepEqual([document.version, document.getText()], [2, "zero\none\n"]);
    await driver.until("it is dirty", () => document.isDirty);
    await driver.settled();
    assert.deepEqual(heard.slice(1), ["changed [], dirty"]);
    await api.workspace.applyEdit(insertion(api, document, "more\n"));
    await driver.settled();
    assert.deepEqual(heard.slice(2), ['changed ["more\\n"], dirty']);
    stop();
  },
);

rule("edits of one applyEdit are for the text before it, one change, reported from the end", async (api, driver) => {
  const { document, heard, stop } = await openText(api, await put(driver, "one\ntwo\nthree\n"));
  const edit = new api.WorkspaceEdit();
  edit.replace(document.uri, new api.Range(0, 0, 0, 3), "FIRST");
  edit.replace(document.uri, new api.Range(2, 0, 2, 5), "THIRD");
  await api.workspace.applyEdit(edit);
  assert.equal(heard[0], 'changed ["THIRD","FIRST"]');
  assert.deepEqual([document.version, document.getText()], [2, "FIRST\ntwo\nTHIRD\n"]);
  stop();
});

rule("an edit that changes nothing is done, and is no change", async (api, driver) => {
  const { document, heard, stop } = await openText(api, await put(driver, "one\n"));
  const edit = new api.WorkspaceEdit();
  edit.replace(document.uri, new api.Range(0, 0, 0, 3), "one");
  assert.equal(await api.workspace.applyEdit(edit), true);
  await driver.settled();
  assert.deepEqual([heard, document.version, document.isDirty], [[], 1, false]);
  stop();
});

rule("a change says where it was in the text before", async (api, driver) => {
  const { document, stop } = await openText(api, await put(driver, "one\ntwo\n"));
  const changes: vscode.TextDocumentContentChangeEvent[] = [];
  const hearing = api.workspace.onDidChangeTextDocument((event) => {
    if (event.document === document) changes.push(...event.contentChanges);
  });
  const edit = new api.WorkspaceEdit();
  // The new text has no letter of the old one, because VS Code reduces an edit to the smallest ones that have its effect.
  edit.replace(document.uri, new api.Range(1, 0, 1, 3), "SECOND");
  await api.workspace.applyEdit(edit);
  const [change] = changes;
  assert.ok(change);
  const { range, rangeOffset, rangeLength } = change;
  assert.deepEqual(
    [range.start.line, range.start.character, range.end.line, range.end.character, rangeOffset, rangeLength],
    [1, 0, 1, 3, 4, 3],
  );
  hearing.dispose();
  stop();
});

rule(
  "saving reports that it will, then twice that nothing is changed any more, then that it has",
  async (api, driver) => {
    const file = await put(driver, "one\n");
    const { document, heard, stop } = await openText(api, file);
    await api.workspace.applyEdit(insertion(api, document, "zero\n"));
    await driver.settled();
    heard.length = 0;
    assert.equal(await document.save(), true);
    await driver.settled();
    assert.deepEqual(heard, ["will save, dirty", "changed []", "changed []", "saved"]);
    assert.deepEqual([document.version, document.isDirty, await readFile(file, "utf8")], [2, false, "zero\none\n"]);
    stop();
  },
);

rule("edits of a listener of onWillSave are saved with the text", async (api, driver) => {
  const file = await put(driver, "one\n");
  const { document, stop } = await openText(api, file);
  await api.workspace.applyEdit(insertion(api, document, "zero\n"));
  const hearing = api.workspace.onWillSaveTextDocument((event) => {
    if (event.document === document)
      event.waitUntil(Promise.resolve([api.TextEdit.insert(new api.Position(0, 0), "# ")]));
  });
  assert.equal(await document.save(), true);
  hearing.dispose();
  assert.equal(await readFile(file, "utf8"), "# zero\none\n");
  stop();
});

rule(
  "a file that another program writes changes its document, which stays without changes of its own",
  async (api, driver) => {
    const file = await put(driver, "one\n");
    const { document, heard, stop } = await openText(api, file);
    await writeFile(file, "one\nmore\n");
    await driver.until("the document follows", () => document.getText() === "one\nmore\n");
    await driver.until("it is clean", () => !document.isDirty);
    await driver.settled();
    assert.equal(heard.length, 1);
    assert.match(heard[0] ?? "", /^changed \[.*\]$/);
    stop();
  },
  { needsPrograms: true },
);

rule(
  "a document with changes keeps them when another program writes its file",
  async (api, driver) => {
    const file = await put(driver, "one\n");
    const other = await put(driver, "other\n");
    const { document, stop } = await openText(api, other);
    const { document: edited, stop: stopOther } = await openText(api, file);
    await api.workspace.applyEdit(insertion(api, edited, "mine\n"));
    await writeFile(file, "theirs\n");
    await writeFile(other, "followed\n");
    await driver.until("a document that was written later follows", () => document.getText() === "followed\n");
    assert.deepEqual([edited.getText(), edited.isDirty], ["mine\none\n", true]);
    for (const end of [stop, stopOther]) end();
  },
  { needsPrograms: true },
);

rule("line ends: the document has one kind, edits take it over, and ranges count none of it", async (api, driver) => {
  const { document, stop } = await openText(api, await put(driver, "one\r\ntwo\r\n"));
  assert.equal(document.eol, api.EndOfLine.CRLF);
  assert.equal(document.lineAt(0).text, "one");
  await api.workspace.applyEdit(insertion(api, document, "zero\n"));
  assert.equal(document.getText(), "zero\r\none\r\ntwo\r\n");
  assert.equal(document.offsetAt(new api.Position(1, 0)), 6);
  assert.equal(document.getText(new api.Range(0, 0, 1, 3)), "zero\r\none");
  stop();
});

const numbers = ({ start, end }: vscode.Range): number[] => [start.line, start.character, end.line, end.character];

rule("places behind the end of a line or of the text are moved into it", async (api, driver) => {
  const { document, stop } = await openText(api, await put(driver, "one\ntwo"));
  assert.deepEqual(numbers(document.validateRange(new api.Range(0, 99, 99, 99))), [0, 3, 1, 3]);
  assert.equal(document.offsetAt(new api.Position(0, 99)), 3);
  assert.equal(document.positionAt(999).isEqual(new api.Position(1, 3)), true);
  assert.equal(document.positionAt(-5).isEqual(new api.Position(0, 0)), true);
  assert.equal(document.getText(new api.Range(1, 0, 99, 0)), "two");
  assert.throws(() => document.lineAt(2), /Illegal value for `line`/);
  stop();
});

async function replacedIn(
  api: EditorApi,
  { document }: HeardDocument,
  range: vscode.Range,
  text: string,
  metadata?: vscode.WorkspaceEditEntryMetadata,
): Promise<string> {
  const edit = new api.WorkspaceEdit();
  edit.replace(document.uri, range, text, metadata);
  await api.workspace.applyEdit(edit);
  return document.getText();
}
const asItIs: vscode.WorkspaceEditEntryMetadata = { needsConfirmation: false, label: "Contract" };

rule(
  "an end of an edit within a surrogate pair is moved out of it, and the text stays as it is",
  async (api, driver) => {
    const cases: readonly (readonly [number, number, string, string])[] = [
      [2, 3, "\udd34", "a\udd34b\n"],
      [1, 2, "\ud83e", "a\ud83eb\n"],
      [2, 2, "x", "ax🟢b\n"],
      [1, 3, "🔴", "a🔴b\n"],
    ];
    for (const [from, to, text, after] of cases) {
      const range = new api.Range(0, from, 0, to);
      const opened = await openText(api, await put(driver, "a🟢b\n"));
      assert.equal(await replacedIn(api, opened, range, text, asItIs), after);
      opened.stop();
      const { document, stop } = await openText(api, await put(driver, "a🟢b\n"));
      const editor = await api.window.showTextDocument(document);
      await editor.edit((change) => change.replace(range, text));
      assert.equal(document.getText(), after);
      stop();
    }
  },
);

rule(
  "in the active editor an edit is made smaller, unit by unit, which parts surrogate pairs; one with a label is made as it is",
  async (api, driver) => {
    for (const [from, to, text, parted] of [
      [1, 3, "🔴", "a\udd34b\n"],
      [1, 3, "\ud83e\udfe2", "a\ud83eb\n"],
      [0, 4, "a🔴b", "a\udd34b\n"],
    ] as const) {
      const opened = await openText(api, await put(driver, "a🟢b\n"));
      assert.equal(await replacedIn(api, opened, new api.Range(0, from, 0, to), text), parted);
      opened.stop();
      const other = await openText(api, await put(driver, "a🟢b\n"));
      const whole = await replacedIn(api, other, new api.Range(0, from, 0, to), text, asItIs);
      assert.equal(whole, `a${from === 0 ? text.slice(1, -1) : text}b\n`);
      other.stop();
    }
  },
);

rule("a line knows its text, its range and the one with the line end", async (api, driver) => {
  const { document, stop } = await openText(api, await put(driver, "  one\n\t\ntwo"));
  const [first, second, last] = [0, 1, 2].map((line) => document.lineAt(line));
  assert.ok(first && second && last);
  assert.deepEqual(
    [first.text, first.firstNonWhitespaceCharacterIndex, first.isEmptyOrWhitespace],
    ["  one", 2, false],
  );
  assert.deepEqual(numbers(first.rangeIncludingLineBreak), [0, 0, 1, 0]);
  assert.deepEqual([second.isEmptyOrWhitespace, second.firstNonWhitespaceCharacterIndex], [true, 1]);
  assert.deepEqual(numbers(last.rangeIncludingLineBreak), [2, 0, 2, 3]);
  stop();
});

rule("a word has a range, also at its end; between words there is none", async (api, driver) => {
  const { document, stop } = await openText(api, await put(driver, "one  two_2"));
  const at = (character: number): number[] | undefined => {
    const range = document.getWordRangeAtPosition(new api.Position(0, character));
    return range && numbers(range);
  };
  assert.deepEqual([at(1), at(3), at(4), at(10)], [[0, 0, 0, 3], [0, 0, 0, 3], undefined, [0, 5, 0, 10]]);
  stop();
});

rule("an untitled document has its text and language, is dirty, and belongs to no file", async (api) => {
  const document = await api.workspace.openTextDocument({ content: "# New\n", language: "markdown" });
  assert.deepEqual(
    [document.getText(), document.languageId, document.isUntitled, document.isDirty, document.uri.scheme],
    ["# New\n", "markdown", true, true, "untitled"],
  );
});

rule("a file that is not there is no document", async (api, driver) => {
  const missing = api.Uri.file(path.join(driver.folder, "missing.txt"));
  await assert.rejects(async () => api.workspace.openTextDocument(missing), /cannot open /);
});

rule("a document that gets another language is reported as closed and opened again", async (api, driver) => {
  const { document, heard, stop } = await openText(api, await put(driver, "one\n"));
  const other = await api.languages.setTextDocumentLanguage(document, "markdown");
  await driver.settled();
  assert.equal(other, document);
  assert.equal(document.languageId, "markdown");
  assert.deepEqual(heard, ["closed", "opened"]);
  stop();
});

rule(
  "a document of a content provider is read from it, and again when the provider says so; it is never dirty",
  async (api, driver) => {
    let text = "first\n";
    const changed = new api.EventEmitter<vscode.Uri>();
    const registration = api.workspace.registerTextDocumentContentProvider("contract", {
      onDidChange: changed.event,
      provideTextDocumentContent: () => text,
    });
    const uri = api.Uri.parse("contract:/page.md");
    const document = await api.workspace.openTextDocument(uri);
    await api.window.showTextDocument(document);
    assert.deepEqual([document.getText(), document.languageId, document.isDirty], ["first\n", "markdown", false]);
    text = "second\n";
    changed.fire(uri);
    await driver.until("it follows", () => document.getText() === "second\n");
    assert.equal(document.isDirty, false);
    registration.dispose();
  },
);

// Editors and tabs

rule("an editor that is shown is the active one when showTextDocument resolves", async (api, driver) => {
  const { document, stop } = await openText(api, await put(driver, "one\n"));
  const editor = await api.window.showTextDocument(document, { selection: new api.Range(0, 1, 0, 2) });
  assert.equal(api.window.activeTextEditor, editor);
  assert.deepEqual(numbers(editor.selection), [0, 1, 0, 2]);
  assert.ok(api.window.visibleTextEditors.includes(editor));
  stop();
});

rule("TextEditor.edit resolves with true, its change has been reported by then", async (api, driver) => {
  const { document, heard, stop } = await openText(api, await put(driver, "one\n"));
  const editor = await api.window.showTextDocument(document);
  const isDone = await editor.edit((builder) => builder.insert(new api.Position(0, 3), "!"));
  assert.deepEqual([isDone, document.getText(), heard[0]], [true, "one!\n", 'changed ["!"]']);
  stop();
});

rule("a document that was opened in an editor is closed with its tab", async (api, driver) => {
  const file = api.Uri.file(await put(driver, "one\n"));
  const closed: string[] = [];
  const hearing = api.workspace.onDidCloseTextDocument(({ uri }) => closed.push(String(uri)));
  await api.commands.executeCommand("vscode.open", file);
  await driver.until("it is open", () => String(api.window.activeTextEditor?.document.uri) === String(file));
  const document = api.window.activeTextEditor?.document;
  await api.commands.executeCommand("workbench.action.closeActiveEditor");
  await driver.until("it is closed", () => closed.includes(String(file)));
  assert.equal(document?.isClosed, true);
  assert.ok(!api.workspace.textDocuments.includes(document));
  hearing.dispose();
});

rule("an editor that was closed cannot be edited", async (api, driver) => {
  const { document, stop } = await openText(api, await put(driver, "one\n"));
  const editor = await api.window.showTextDocument(document);
  await api.commands.executeCommand("workbench.action.closeActiveEditor");
  await driver.until("no editor", () => api.window.activeTextEditor !== editor);
  await assert.rejects(async () => editor.edit((builder) => builder.insert(new api.Position(0, 0), "!")));
  stop();
});

rule("a text's tab has its uri, and is gone when it was closed", async (api, driver) => {
  const { document, stop } = await openText(api, await put(driver, "one\n"));
  const find = (): vscode.Tab | undefined =>
    api.window.tabGroups.all
      .flatMap(({ tabs }) => tabs)
      .find(({ input }) => input instanceof api.TabInputText && String(input.uri) === String(document.uri));
  const tab = find();
  assert.ok(tab);
  assert.deepEqual([tab.isActive, tab.isDirty, tab.label], [true, false, path.basename(document.fileName)]);
  assert.equal(await api.window.tabGroups.close(tab), true);
  assert.equal(find(), undefined);
  stop();
});

// Files by WorkspaceEdit

rule(
  "createFile makes a file that is not there, and is refused where one is, unless it is to be ignored",
  async (api, driver) => {
    const uri = api.Uri.file(path.join(driver.folder, "made.txt"));
    const create = async (options?: { ignoreIfExists?: boolean; overwrite?: boolean; contents?: Uint8Array }) => {
      const edit = new api.WorkspaceEdit();
      edit.createFile(uri, options);
      return api.workspace.applyEdit(edit);
    };
    const text = async (): Promise<string> => readFile(uri.fsPath, "utf8");
    assert.equal(await create({ contents: Buffer.from("first") }), true);
    assert.equal(await text(), "first");
    assert.equal(await create({ contents: Buffer.from("second") }), false);
    assert.equal(await create({ ignoreIfExists: true, contents: Buffer.from("second") }), true);
    assert.equal(await text(), "first");
    assert.equal(await create({ overwrite: true, contents: Buffer.from("second") }), true);
    assert.equal(await text(), "second");
  },
);

rule("deleteFile is refused where none is, unless that is to be ignored", async (api, driver) => {
  const uri = api.Uri.file(await put(driver, "one\n"));
  const remove = async (options?: { ignoreIfNotExists?: boolean }) => {
    const edit = new api.WorkspaceEdit();
    edit.deleteFile(uri, options);
    return api.workspace.applyEdit(edit);
  };
  assert.equal(await remove(), true);
  await assert.rejects(readFile(uri.fsPath));
  assert.equal(await remove(), false);
  assert.equal(await remove({ ignoreIfNotExists: true }), true);
});

rule("renameFile moves the file, and is refused where one is", async (api, driver) => {
  const [from, taken] = [api.Uri.file(await put(driver, "one\n")), api.Uri.file(await put(driver, "two\n"))];
  const to = api.Uri.file(path.join(driver.folder, "deep", "moved.txt"));
  const rename = async (target: vscode.Uri) => {
    const edit = new api.WorkspaceEdit();
    edit.renameFile(from, target);
    return api.workspace.applyEdit(edit);
  };
  assert.equal(await rename(taken), false);
  assert.equal(await rename(to), true);
  assert.deepEqual([await readFile(to.fsPath, "utf8"), await readFile(taken.fsPath, "utf8")], ["one\n", "two\n"]);
  await assert.rejects(readFile(from.fsPath));
});

// workspace.fs

const codeOf = (error: unknown): unknown => (error instanceof Error && "code" in error ? error.code : error);

rule("workspace.fs says by a code what is wrong", async ({ workspace: { fs }, Uri, FileSystemError }, driver) => {
  const file = Uri.file(await put(driver, "one\n"));
  const folder = Uri.file(driver.folder);
  const missing = Uri.file(path.join(driver.folder, "missing"));
  const codes: unknown[] = [];
  const attempts: (() => Thenable<unknown>)[] = [
    () => fs.stat(missing),
    () => fs.readFile(missing),
    () => fs.delete(missing),
    () => fs.readDirectory(missing),
    () => fs.readFile(folder),
    () => fs.readDirectory(file),
  ];
  for (const attempt of attempts) {
    try {
      await attempt();
      codes.push("nothing");
    } catch (error) {
      assert.ok(error instanceof FileSystemError);
      codes.push(codeOf(error));
    }
  }
  assert.deepEqual(codes, [
    ...["FileNotFound", "FileNotFound", "FileNotFound", "FileNotFound"],
    ...["FileIsADirectory", "FileNotADirectory"],
  ]);
});

rule(
  "workspace.fs renames and copies onto no file, unless it is to overwrite it",
  async ({ workspace: { fs }, Uri }, driver) => {
    const [one, two] = [Uri.file(await put(driver, "one\n")), Uri.file(await put(driver, "two\n"))];
    const failed = async (work: Thenable<unknown>): Promise<unknown> => work.then(() => "nothing", codeOf);
    assert.equal(await failed(fs.rename(one, two)), "FileExists");
    assert.equal(await failed(fs.copy(one, two)), "FileExists");
    await fs.copy(one, two, { overwrite: true });
    assert.equal(await readFile(two.fsPath, "utf8"), "one\n");
  },
);

rule(
  "workspace.fs writes a file with the folders above it; a folder that is there may be made again",
  async ({ workspace: { fs }, Uri, FileType }, driver) => {
    const folder = Uri.file(path.join(driver.folder, "a", "b"));
    const file = Uri.joinPath(folder, "c.txt");
    await fs.writeFile(file, Buffer.from("text"));
    await fs.createDirectory(folder);
    assert.deepEqual(await fs.readDirectory(folder), [["c.txt", FileType.File]]);
    const { type, size } = await fs.stat(file);
    assert.deepEqual([type, size], [FileType.File, 4]);
    assert.equal(Buffer.from(await fs.readFile(file)).toString(), "text");
  },
);

rule("workspace.fs deletes a folder with files only if it is told to", async ({ workspace: { fs }, Uri }, driver) => {
  const folder = Uri.file(path.join(driver.folder, "full"));
  await fs.writeFile(Uri.joinPath(folder, "c.txt"), Buffer.from("text"));
  await assert.rejects(async () => fs.delete(folder, { recursive: false }));
  await fs.delete(folder, { recursive: true });
  assert.equal(await fs.stat(folder).then(() => "there", codeOf), "FileNotFound");
});

rule(
  "findFiles finds by pattern below a folder, without what is excluded, and no more than the limit",
  async ({ workspace, RelativePattern }, driver) => {
    await mkdir(path.join(driver.folder, "in", "node_modules"), { recursive: true });
    for (const name of ["a.find", "in/b.find", "in/c.other", "in/d.find"])
      await writeFile(path.join(driver.folder, ...name.split("/")), "x");
    const base = driver.folder;
    const find = async (exclude?: string, limit?: number): Promise<string[]> =>
      (await workspace.findFiles(new RelativePattern(base, "**/*.find"), exclude, limit))
        .map(({ fsPath }) => path.relative(base, fsPath).split(path.sep).join("/"))
        .sort();
    assert.deepEqual(await find(), ["a.find", "in/b.find", "in/d.find"]);
    assert.deepEqual(await find("**/b.find"), ["a.find", "in/d.find"]);
    assert.equal((await find(undefined, 2)).length, 2);
  },
  { needsPrograms: true },
);

// Settings, memory, commands

rule(
  "a setting: the workspace's wins over the user's, that over the default; undefined takes it away; each is reported",
  async ({ workspace, ConfigurationTarget }, driver) => {
    const heard: boolean[][] = [];
    const hearing = workspace.onDidChangeConfiguration((change) =>
      heard.push(
        ["diffEditor.ignoreTrimWhitespace", "diffEditor", "diffEditor.other"].map((id) =>
          change.affectsConfiguration(id),
        ),
      ),
    );
    const read = (): unknown => workspace.getConfiguration("diffEditor").get("ignoreTrimWhitespace");
    const write = async (value: unknown, target: vscode.ConfigurationTarget): Promise<void> => {
      await workspace.getConfiguration("diffEditor").update("ignoreTrimWhitespace", value, target);
    };
    assert.equal(read(), true);
    await write(false, ConfigurationTarget.Global);
    assert.equal(read(), false);
    await write(true, ConfigurationTarget.Workspace);
    assert.equal(read(), true);
    const found = workspace.getConfiguration("diffEditor").inspect("ignoreTrimWhitespace");
    assert.deepEqual(
      [found?.key, found?.defaultValue, found?.globalValue, found?.workspaceValue],
      ["diffEditor.ignoreTrimWhitespace", true, false, true],
    );
    await write(undefined, ConfigurationTarget.Workspace);
    assert.equal(read(), false);
    await write(undefined, ConfigurationTarget.Global);
    assert.equal(read(), true);
    await driver.settled();
    hearing.dispose();
    assert.deepEqual(heard.at(0), [true, true, false]);
  },
);

rule(
  "a configuration is a snapshot: one that was read before a change keeps its values",
  async ({ workspace, ConfigurationTarget }) => {
    const before = workspace.getConfiguration("diffEditor");
    await before.update("ignoreTrimWhitespace", false, ConfigurationTarget.Global);
    const seen = [before, workspace.getConfiguration("diffEditor")].map((one) => one.get("ignoreTrimWhitespace"));
    await workspace
      .getConfiguration("diffEditor")
      .update("ignoreTrimWhitespace", undefined, ConfigurationTarget.Global);
    assert.deepEqual(seen, [true, false]);
  },
);

rule("a setting that nobody has declared cannot be written", async ({ workspace, ConfigurationTarget }) => {
  await assert.rejects(async () =>
    workspace.getConfiguration("contract").update("unknown", 1, ConfigurationTarget.Global),
  );
});

rule(
  "a memento has a value at once, takes it away by undefined, and has a fallback",
  async (_api, { memory: { globalState } }) => {
    const writing = globalState.update("contract", { list: [1, undefined] });
    assert.ok(globalState.keys().includes("contract"));
    await writing;
    assert.deepEqual(globalState.get("contract"), { list: [1, null] });
    await globalState.update("contract", undefined);
    assert.deepEqual([globalState.get("contract"), globalState.get("contract", 7)], [undefined, 7]);
    assert.ok(!globalState.keys().includes("contract"));
  },
);

rule("a secret is stored, read, deleted, and each change reported by its key", async (_api, driver) => {
  const { secrets } = driver.memory;
  const heard: string[] = [];
  const hearing = secrets.onDidChange(({ key }) => heard.push(key));
  assert.equal(await secrets.get("contract"), undefined);
  await secrets.store("contract", "value");
  assert.equal(await secrets.get("contract"), "value");
  await driver.until("it is reported", () => heard.length === 1);
  await secrets.delete("contract");
  assert.equal(await secrets.get("contract"), undefined);
  await driver.until("that it is gone is reported", () => heard.length === 2);
  hearing.dispose();
  assert.deepEqual(heard, ["contract", "contract"]);
});

rule("a command that nobody has rejects by its name", async ({ commands }) => {
  await assert.rejects(async () => commands.executeCommand("contract.nobody"), /command 'contract\.nobody' not found/);
});

rule(
  "a command: its arguments are the same objects, its result and its error come back; one name, one command",
  async ({ commands }) => {
    const argument = { list: [1] };
    const seen: unknown[] = [];
    const registration = commands.registerCommand("contract.run", (...given: readonly unknown[]) => {
      seen.push(...given);
      if (given.length === 0) throw new Error("no argument");
      return Promise.resolve("done");
    });
    assert.throws(() => commands.registerCommand("contract.run", () => undefined), /already exists/);
    assert.equal(await commands.executeCommand("contract.run", argument, 2), "done");
    assert.equal(seen[0], argument);
    await assert.rejects(async () => commands.executeCommand("contract.run"), /no argument/);
    assert.ok((await commands.getCommands()).includes("contract.run"));
    registration.dispose();
    await assert.rejects(async () => commands.executeCommand("contract.run", 1), /not found/);
    commands.registerCommand("contract.run", () => undefined).dispose();
  },
);

// Webviews

rule(
  "a webview's panel is visible and active; another editor before it takes both; each is reported",
  async (api, driver) => {
    const panel = api.window.createWebviewPanel("contract", "Contract", api.ViewColumn.One);
    const heard: string[] = [];
    panel.onDidChangeViewState(({ webviewPanel: { visible, active } }) => heard.push(`${visible} ${active}`));
    panel.onDidDispose(() => heard.push("disposed"));
    await driver.until("it is visible and active", () => panel.visible && panel.active);
    await driver.settled();
    heard.length = 0;
    const { document, stop } = await openText(api, await put(driver, "one\n"));
    await driver.until("it is covered", () => !panel.visible);
    assert.equal(panel.active, false);
    assert.equal(api.window.activeTextEditor?.document, document);
    panel.reveal();
    await driver.until("it is back", () => panel.visible && panel.active);
    await driver.settled();
    assert.deepEqual(heard, ["false false", "true true"]);
    assert.equal(api.window.activeTextEditor, undefined);
    panel.dispose();
    await driver.settled();
    assert.deepEqual(heard.slice(2), ["disposed"]);
    stop();
  },
);

rule("a panel that was disposed throws when it is used", async (api, driver) => {
  const panel = api.window.createWebviewPanel("contract", "Contract", api.ViewColumn.One);
  await driver.until("it is visible", () => panel.visible);
  panel.dispose();
  await driver.settled();
  assert.throws(() => panel.reveal(), /disposed/);
  assert.throws(() => panel.webview, /disposed/);
});

// Uri, places, events

rule("a Uri is written with what is not plain encoded, and read back", ({ Uri }) => {
  const uri = Uri.file("/a b/ü#?%.txt");
  assert.equal(String(uri), "file:///a%20b/%C3%BC%23%3F%25.txt");
  assert.deepEqual(
    [uri.path, Uri.parse(String(uri)).path, uri.fragment, uri.query],
    ["/a b/ü#?%.txt", "/a b/ü#?%.txt", "", ""],
  );
  assert.equal(String(Uri.parse("http://EXAMPLE.com/a?b=c&d#e")), "http://example.com/a?b%3Dc%26d#e");
  assert.equal(Uri.parse("http://example.com/a?b=c#e").toString(true), "http://example.com/a?b=c#e");
  assert.equal(String(Uri.parse("http://127.0.0.1:8080/a")), "http://127.0.0.1:8080/a");
  assert.equal(String(Uri.parse("http://example.com")), "http://example.com/");
  assert.equal(String(Uri.from({ scheme: "sluice", path: "/x:y" })), "sluice:/x%3Ay");
  return Promise.resolve();
});

rule("a Uri: joinPath goes up and down, with changes one part, and no change gives the same object", ({ Uri }) => {
  const uri = Uri.parse("scheme://host/a/b?q#f");
  assert.equal(String(Uri.joinPath(uri, "..", "c", "./d")), "scheme://host/a/c/d?q#f");
  assert.equal(String(uri.with({ path: "/z", query: "" })), "scheme://host/z#f");
  assert.equal(uri.with({ path: uri.path }), uri);
  assert.throws(() => Uri.parse("no scheme", true), /UriError/);
  assert.throws(() => Uri.from({ scheme: "a b" }), /UriError/);
  return Promise.resolve();
});

rule("ranges put their ends in order, selections remember the direction", ({ Range, Position, Selection }) => {
  assert.deepEqual(numbers(new Range(2, 1, 0, 3)), [0, 3, 2, 1]);
  const selection = new Selection(2, 1, 0, 3);
  assert.deepEqual([selection.isReversed, selection.active.line, selection.anchor.line], [true, 0, 2]);
  const range = new Range(1, 0, 3, 0);
  assert.equal(range.contains(new Position(3, 0)), true);
  assert.equal(range.intersection(new Range(4, 0, 5, 0)), undefined);
  assert.deepEqual(numbers(range.union(new Range(0, 2, 1, 1))), [0, 2, 3, 0]);
  assert.equal(range.with({ start: range.start }), range);
  assert.throws(() => new Position(-1, 0), /line must be non-negative/);
  assert.throws(() => new Position(1, 0).translate(-2), Error);
  return Promise.resolve();
});

rule(
  "listeners hear in the order in which they came; one that throws stops no other; one that is disposed hears no more",
  ({ EventEmitter, Disposable }) => {
    const emitter = new EventEmitter<number>();
    const heard: string[] = [];
    const first = emitter.event((value) => heard.push(`first ${value}`));
    const kept: vscode.Disposable[] = [];
    emitter.event((value) => heard.push(`second ${value}`), undefined, kept);
    emitter.fire(1);
    first.dispose();
    emitter.fire(2);
    assert.equal(kept.length, 1);
    Disposable.from(...kept).dispose();
    emitter.fire(3);
    emitter.event((value) => heard.push(`third ${value}`));
    emitter.dispose();
    emitter.fire(4);
    assert.deepEqual(heard, ["first 1", "second 1", "second 2"]);
    return Promise.resolve();
  },
);

rule("a listener that is added while an event is reported does not hear that event", ({ EventEmitter }) => {
  const emitter = new EventEmitter<number>();
  const heard: string[] = [];
  emitter.event((value) => {
    heard.push(`first ${value}`);
    if (value === 1) emitter.event((later) => heard.push(`later ${later}`));
  });
  emitter.fire(1);
  emitter.fire(2);
  assert.deepEqual(heard, ["first 1", "first 2", "later 2"]);
  return Promise.resolve();
});

rule(
  "cancelling is reported once and at once; who listens afterwards hears it in a later turn",
  async ({ CancellationTokenSource }, driver) => {
    const source = new CancellationTokenSource();
    const heard: string[] = [];
    source.token.onCancellationRequested(() => heard.push("early"));
    assert.equal(source.token.isCancellationRequested, false);
    source.cancel();
    source.cancel();
    assert.deepEqual([source.token.isCancellationRequested, heard], [true, ["early"]]);
    source.token.onCancellationRequested(() => heard.push("late"));
    assert.deepEqual(heard, ["early"]);
    await driver.until("the late one hears it", () => heard.includes("late"));
    source.dispose();
  },
);

rule("a source that is disposed without being cancelled cancels nobody", ({ CancellationTokenSource }) => {
  const source = new CancellationTokenSource();
  const heard: string[] = [];
  source.token.onCancellationRequested(() => heard.push("cancelled"));
  source.dispose();
  assert.deepEqual([heard, source.token.isCancellationRequested], [[], false]);
  return Promise.resolve();
});

export const editorContract: readonly EditorRule[] = rules;
