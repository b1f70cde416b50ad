// Only what oxlint (.oxlintrc.json) has no rule for: the ways around the gate of foreign text, as patterns of syntax.
import tseslint from "typescript-eslint";

/** Members of VS Code's API that show text, run a command or open something outside of VS Code. */
const interfaceMembers = [
  "show(Error|Warning|Information)Message|setStatusBarMessage|createStatusBarItem|withProgress|withScmProgress",
  "createQuickPick|showQuickPick|createInputBox|showInputBox|showWorkspaceFolderPick|showOpenDialog|showSaveDialog",
  "createTreeView|registerTreeDataProvider|createWebviewPanel|createOutputChannel|createTerminal|sendText|executeCommand|openExternal|appendMarkdown|appendCodeblock|TreeItem|MarkdownString",
].join("|");
/** Texts of VS Code's objects: statusBarItem.text, quickPick.title, treeItem.tooltip, webviewView.badge … */
const interfaceTexts =
  "text|label|title|description|detail|tooltip|message|placeholder|prompt|validationMessage|badge|accessibilityInformation";
const markdownSwitches = "isTrusted|supportHtml|supportThemeIcons";
const wayIn = "Foreign text would reach the interface: use show.ts, runCommand.ts or openOutside.ts.";

const notGated =
  ':not([right.callee.name=/^shown(Line|Paragraphs)$/]):not([right.type="Identifier"][right.name="undefined"])';

/** Text from outside reaches VS Code's interface through src/vscode/interface/show.ts and fileDialogs.ts only. */
const gatedInterface = [
  { selector: `MemberExpression[property.name=/^(${interfaceMembers})$/]`, message: wayIn },
  { selector: `MemberExpression[property.value=/^(${interfaceMembers})$/]`, message: wayIn },
  { selector: `MemberExpression[property.type="TemplateLiteral"]`, message: wayIn },
  { selector: `ObjectPattern > Property[key.name=/^(${interfaceMembers})$/]`, message: wayIn },
  { selector: `ImportSpecifier[imported.name=/^(${interfaceMembers})$/]`, message: wayIn },
  ...["name", "value"].map((key) => ({
    selector: `AssignmentExpression[left.property.${key}=/^(${interfaceTexts})$/]${notGated}`,
    message: "A text that VS Code shows is made by shownLine or shownParagraphs.",
  })),
  { selector: `AssignmentExpression[left.property.name=/^(${markdownSwitches})$/]`, message: wayIn },
  { selector: `Property[key.name=/^(${markdownSwitches})$/]`, message: wayIn },
  {
    selector: ":matches(TSAsExpression, TSTypeAssertion)[typeAnnotation.typeName.name=/^Shown/]",
    message: "Only the gate makes a ShownText.",
  },
];

export default tseslint.config({
  files: ["src/vscode/**/*.ts", "src/*/host/**/*.ts", "src/*.ts"],
  // The gate, what writes the log, and what registers the views before anything is in them.
  ignores: [
    "src/{vscode/{interface/{shownText,show,fileDialogs,runCommand,openOutside},log},agents/host/showQuestion,lazyContributions}.ts",
  ],
  extends: [tseslint.configs.base],
  rules: { "no-restricted-syntax": ["error", ...gatedInterface] },
});
