/** The lint rules that keep raw text away from VS Code's interface: each way around the gate is reported with its line. */
import assert from "node:assert/strict";
import path from "node:path";
import { ESLint, Linter } from "eslint";
import tseslint from "typescript-eslint";
import * as z from "zod/mini";

const settings = z.object({ rules: z.object({ "no-restricted-syntax": z.optional(z.array(z.unknown())) }) });

/** Each would show, run or open what `foreign` says. */
const forbidden = [
  "void vscode.window.showErrorMessage(foreign);",
  "void vscode.window.showWarningMessage(foreign, { modal: true });",
  "void vscode.window.showInformationMessage(foreign);",
  'void vscode.window["showErrorMessage"](foreign);',
  "void vscode.window[`show${kind}Message`](foreign);",
  "const { showErrorMessage } = vscode.window;",
  "const { showErrorMessage: show } = vscode.window;",
  "const show = vscode.window.showErrorMessage;",
  "const { window } = vscode; void window.showErrorMessage(foreign);",
  "vscode.window?.showErrorMessage(foreign);",
  "vscode.window.setStatusBarMessage(foreign);",
  "const item = vscode.window.createStatusBarItem();",
  "void vscode.window.withProgress({ location, title: foreign }, work);",
  "const pick = vscode.window.createQuickPick();",
  "void vscode.window.showQuickPick([foreign]);",
  "void vscode.window.showInputBox({ prompt: foreign });",
  "const box = vscode.window.createInputBox();",
  "void vscode.window.showWorkspaceFolderPick({ placeHolder: foreign });",
  "const view = vscode.window.createTreeView(id, { treeDataProvider });",
  "vscode.window.registerTreeDataProvider(id, provider);",
  "vscode.window.createWebviewPanel(type, foreign, column);",
  "vscode.window.createOutputChannel(foreign);",
  "vscode.window.createTerminal({ name: foreign });",
  "terminal.sendText(foreign);",
  "void vscode.commands.executeCommand(foreign);",
  'void vscode.commands.executeCommand("vscode.diff", a, b, foreign);',
  "void vscode.env.openExternal(vscode.Uri.parse(foreign));",
  "const row = new vscode.TreeItem(foreign);",
  'import { TreeItem } from "vscode";',
  'import { MarkdownString as Text } from "vscode";',
  "class Row extends vscode.TreeItem {}",
  "const text = new vscode.MarkdownString(foreign);",
  "text.appendMarkdown(foreign);",
  "text.appendCodeblock(foreign);",
  "text.isTrusted = true;",
  "text.supportHtml = true;",
  "const text = { value: foreign, isTrusted: true };",
  "const text = { value: foreign, supportThemeIcons: true };",
  "item.text = foreign;",
  "pick.title = t(words, foreign);",
  "pick.placeholder = `${foreign}`;",
  "box.prompt = foreign;",
  "box.validationMessage = foreign;",
  "row.label = foreign;",
  "row.description = foreign;",
  "row.tooltip = foreign;",
  "row.accessibilityInformation = { label: foreign };",
  "this.view.message = foreign;",
  'this.view["message"] = foreign;',
  "view.badge = { value: 1, tooltip: foreign };",
  "const words = foreign as ShownText;",
  "const words = <ShownText>foreign;",
  "const pick = raw as ShownPick<Item>;",
];

const allowed = [
  'import * as vscode from "vscode";',
  "await notifyError(foreign, action);",
  "pick.title = shownLine(foreign);",
  "row.tooltip = shownParagraphs(foreign);",
  "view.message = undefined;",
  "delete view.message;",
  "const element = elements[0];",
  "const item: vscode.TreeItem = row;",
  "const message = error.message;",
  "const first = kept[id];",
];

describe("the lint rules of the gate", () => {
  const root = path.resolve(".");
  const linter = new Linter();
  /** Undefined for a file to which the gate does not apply: ESLint has no other rules. */
  const rulesFor = async (file: string): Promise<unknown[] | undefined> => {
    const config: unknown = await new ESLint({ cwd: root }).calculateConfigForFile(path.join(root, file));
    return config === undefined ? undefined : settings.parse(config).rules["no-restricted-syntax"];
  };
  const reports = (code: string, rule: unknown[]): number =>
    linter.verify(code, {
      languageOptions: { parser: tseslint.parser },
      rules: { "no-restricted-syntax": rule as Linter.RuleEntry },
    }).length;

  let rule: unknown[];
  before("read the configuration", async function () {
    rule = (await rulesFor("src/vscode/interface/dialogs.ts")) ?? [];
  });

  for (const code of forbidden) {
    it(`T11 (finding S2): reports ${code}`, () => assert.ok(reports(code, rule) > 0));
  }

  it("T11 (finding S2): reports nothing of what goes through the gate", () => {
    for (const code of allowed) assert.equal(reports(code, rule), 0, code);
  });

  it("T11 (finding S2): holds in every file that may name VS Code, but for the gate itself", async () => {
    for (const file of ["src/extension.ts", "src/tasks/host/tree/taskTree.ts", "src/vscode/a/new/file.ts"])
      assert.deepEqual(await rulesFor(file), rule, file);
    assert.equal(await rulesFor("src/vscode/interface/show.ts"), undefined);
  });
});
