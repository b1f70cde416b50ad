// Type-checked lint for everything that ships or tests; scripts and configuration get the untyped rules.
import tseslint from "typescript-eslint";

const namedExports = {
  selector: "ExportDefaultDeclaration",
  message: "Named exports only: a name that can be searched.",
};

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

/** Text from outside reaches VS Code's interface through src/vscode/show.ts and fileDialogs.ts only. */
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

export default tseslint.config(
  { ignores: ["dist/", ".vscode-test/", "test-results/", "node_modules/", "media/"] },
  {
    files: ["src/**/*.ts", "test/**/*.ts", "bench/**/*.ts"],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/switch-exhaustiveness-check": "error",
      "@typescript-eslint/explicit-module-boundary-types": "error",
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true, allowBoolean: true }],
      "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true }],
      "@typescript-eslint/consistent-type-definitions": "off",
      // There is no enum here, and none of VS Code's is assigned from a number; these two took a quarter of the time.
      "@typescript-eslint/no-unsafe-enum-assignment": "off",
      "@typescript-eslint/no-unsafe-class-instance-assignment": "off",
      "@typescript-eslint/prefer-nullish-coalescing": ["error", { ignorePrimitives: { string: true } }],
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_", ignoreRestSiblings: true }],
      "max-lines": ["error", { max: 300 }],
      "no-restricted-syntax": ["error", namedExports],
      eqeqeq: ["error", "always"],
    },
  },
  {
    files: ["src/vscode/**/*.ts", "src/compose/**/*.ts", "src/extension.ts"],
    // The gate, what writes the log, and what registers the views before anything is in them.
    ignores: ["src/vscode/{shownText,show,agents/showQuestion,fileDialogs,runCommand,openOutside,log,firstUse}.ts"],
    rules: { "no-restricted-syntax": ["error", namedExports, ...gatedInterface] },
  },
  {
    files: ["src/**/*.ts"],
    rules: { "max-lines-per-function": ["error", { max: 60, skipBlankLines: true, skipComments: true }] },
  },
  {
    // mocha's and node:test's callbacks, and assertions on values known to be there.
    files: ["test/**/*.ts"],
    rules: {
      "@typescript-eslint/no-non-null-assertion": "off",
      "@typescript-eslint/no-floating-promises": ["error", { allowForKnownSafeCalls: [] }],
      "@typescript-eslint/no-unused-expressions": "off",
    },
  },
  {
    files: ["**/*.mjs"],
    extends: [tseslint.configs.base],
    rules: { "max-lines": ["error", { max: 300 }], eqeqeq: ["error", "always"] },
  },
);
