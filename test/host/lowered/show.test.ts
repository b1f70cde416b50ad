/** The calls that make VS Code show text, with VS Code's own objects: foreign text is gated in each of them. */
import assert from "node:assert/strict";
import * as vscode from "vscode";
import type { createTree } from "../../../src/vscode/interface/show";
import { createPick, createRow, shownItem, type ShownItem } from "../../../src/vscode/interface/show";
import { shownLine } from "../../../src/vscode/interface/shownText";
import { eventually } from "../../support/eventually";
import { type ExtensionInside, openExtension } from "../../support/extensionApp";

const hostile = "Pay [here](command:workbench.action.terminal.new)\n$(check) \u202Etuo dedaol";
const literal = "Pay [here] (command:workbench.action.terminal.new) $ (check) ⟨U+202E⟩tuo dedaol";

describe("what VS Code is given to show", () => {
  let inside: ExtensionInside;
  before(async () => {
    inside = await openExtension();
    await eventually("the local gateway", () => inside.connections.current.current.state === "ready");
  });

  it("T11 (finding S2): a task's row, its tooltip and its sentence for a screen reader hold the prompt as text", async () => {
    const prompt = `[slow] ${hostile}`;
    const [id] = await (await inside.app.openOutbox()).submit([{ type: "async-image", model: hostile, prompt }]);
    assert.ok(id);
    const element = { kind: "task", id } as const;
    const item = inside.tree.getTreeItem(element);
    assert.equal(item.label, "[slow] Pay [here] (command:workbench.action.terminal.new)");
    assert.doesNotMatch(item.accessibilityInformation?.label ?? "", /\]\(|\$\(|\u202E/);
    const { tooltip } = inside.tree.resolveTreeItem(item, element);
    // A string: VS Code reads no Markdown in it.
    assert.equal(typeof tooltip, "string");
    // The gateway refuses the model: the sentence with its id is one line, the money the next.
    assert.match(tooltip ?? "", /\n\nThe gateway does not know this: .*\n\nNot charged \(play money\)\.\n\n/);
    assert.ok(tooltip?.includes(`\n\nImage · “${literal}” · `), tooltip);
    assert.doesNotMatch(tooltip ?? "", /\]\(|\$\(|\u202E/);
  });

  it("T11 (finding S2): an event's message is a label of one line", () => {
    const event = { id: "e", type: "failed", state: "failed", rawStatus: "5", message: hostile } as const;
    const item = inside.tree.getTreeItem({ kind: "event", task: "t", event });
    assert.equal(item.label, literal);
  });

  it("T11 (finding S2): rows and the items of picks gate each of their texts; an icon is ours only", () => {
    const row = createRow({ label: hostile, description: hostile, spoken: hostile });
    assert.deepEqual([row.label, row.description, row.accessibilityInformation?.label], [literal, literal, literal]);
    const item = shownItem({ icon: "edit", label: hostile, description: hostile, detail: hostile });
    assert.deepEqual([item.label, item.description, item.detail], [`$(edit) ${literal}`, literal, literal]);
  });

  it("T11 (finding S2): raw text is an error of types where VS Code keeps what it shows", () => {
    const pick = createPick<ShownItem>();
    // @ts-expect-error A title is gated.
    pick.title = hostile;
    // @ts-expect-error A placeholder too.
    pick.placeholder = hostile;
    // @ts-expect-error And the items.
    pick.items = [{ label: hostile }];
    pick.title = shownLine(hostile);
    assert.equal(pick.title, literal);
    pick.dispose();
    const row = createRow({ label: "x" });
    // @ts-expect-error A tooltip is gated.
    row.tooltip = hostile;
    // @ts-expect-error And never Markdown.
    row.tooltip = new vscode.MarkdownString(hostile);
    // @ts-expect-error A view's message is gated.
    const say = (view: ReturnType<typeof createTree>): void => void (view.message = hostile);
    assert.equal(typeof say, "function");
  });
});
