// An oxlint plugin: reports each way around the gate of foreign text, `src/vscode/interface/show.ts`. `.oxlintrc.json` says where it holds.

/** Members of VS Code's API that show text, run a command or open something outside of VS Code. */
const interfaceMembers = [
  "show(Error|Warning|Information)Message|setStatusBarMessage|createStatusBarItem|withProgress|withScmProgress",
  "createQuickPick|showQuickPick|createInputBox|showInputBox|showWorkspaceFolderPick|showOpenDialog|showSaveDialog",
  "createTreeView|registerTreeDataProvider|createWebviewPanel|createOutputChannel|createTerminal|sendText|executeCommand|openExternal|appendMarkdown|appendCodeblock|TreeItem|MarkdownString",
].join("|");
/** Texts of VS Code's objects: `statusBarItem.text`, `quickPick.title`, `treeItem.tooltip`, `webviewView.badge` and others. */
const interfaceTexts =
  "text|label|title|description|detail|tooltip|message|placeholder|prompt|validationMessage|badge|accessibilityInformation";
const markdownSwitches = "isTrusted|supportHtml|supportThemeIcons";
const isGated = "right.callee.name=/^shown(Line|Paragraphs)$/";
const isUndefined = '[right.type="Identifier"][right.name="undefined"]';

const useTheGate = "Foreign text would reach the interface: use show.ts, runCommand.ts or openOutside.ts.";
const makeItShown = "A text that VS Code shows is made by shownLine or shownParagraphs.";

/** The message for each selector of syntax. */
const messages = {
  [`MemberExpression[property.name=/^(${interfaceMembers})$/]`]: useTheGate,
  [`MemberExpression[property.value=/^(${interfaceMembers})$/]`]: useTheGate,
  'MemberExpression[property.type="TemplateLiteral"]': useTheGate,
  [`ObjectPattern > Property[key.name=/^(${interfaceMembers})$/]`]: useTheGate,
  [`ImportSpecifier[imported.name=/^(${interfaceMembers})$/]`]: useTheGate,
  [`AssignmentExpression[left.property.name=/^(${interfaceTexts})$/]:not([${isGated}]):not(${isUndefined})`]:
    makeItShown,
  [`AssignmentExpression[left.property.value=/^(${interfaceTexts})$/]:not([${isGated}]):not(${isUndefined})`]:
    makeItShown,
  [`AssignmentExpression[left.property.name=/^(${markdownSwitches})$/]`]: useTheGate,
  [`Property[key.name=/^(${markdownSwitches})$/]`]: useTheGate,
  ":matches(TSAsExpression, TSTypeAssertion)[typeAnnotation.typeName.name=/^Shown/]":
    "Only the gate makes a ShownText.",
};

export default {
  meta: { name: "gate" },
  rules: {
    "foreign-text": {
      /** @param {{ report(finding: { node: unknown, message: string }): void }} context */
      create: (context) =>
        Object.fromEntries(
          Object.entries(messages).map(([selector, message]) => [
            selector,
            /** @param {unknown} node */ (node) => context.report({ node, message }),
          ]),
        ),
    },
  },
};
