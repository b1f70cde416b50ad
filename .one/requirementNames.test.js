"use strict";
var __create = Object.create;
var __defProp = Object.defineProperty;
var __getOwnPropDesc = Object.getOwnPropertyDescriptor;
var __getOwnPropNames = Object.getOwnPropertyNames;
var __getProtoOf = Object.getPrototypeOf;
var __hasOwnProp = Object.prototype.hasOwnProperty;
var __copyProps = (to, from, except, desc) => {
  if (from && typeof from === "object" || typeof from === "function") {
    for (let key of __getOwnPropNames(from))
      if (!__hasOwnProp.call(to, key) && key !== except)
        __defProp(to, key, { get: () => from[key], enumerable: !(desc = __getOwnPropDesc(from, key)) || desc.enumerable });
  }
  return to;
};
var __toESM = (mod, isNodeMode, target) => (target = mod != null ? __create(__getProtoOf(mod)) : {}, __copyProps(
  // If the importer is in node compatibility mode or this is not an ESM
  // file that has been converted to a CommonJS file using a Babel-
  // compatible transform (i.e. "__esModule" has not been set), then set
  // "default" to the CommonJS "module.exports" for node compatibility.
  isNodeMode || !mod || !mod.__esModule ? __defProp(target, "default", { value: mod, enumerable: true }) : target,
  mod
));

// test/unit/lint/requirementNames.test.ts
var import_strict = __toESM(require("node:assert/strict"));
var import_node_fs2 = require("node:fs");
var import_node_path = __toESM(require("node:path"));
var import_tinyglobby2 = require("tinyglobby");

// test/loopback/gateway/quirkRows.ts
var quirkRows = {
  "sse.comment": "Q-F1",
  "sse.comment-first": "Q-F2",
  "sse.comment-as-data": "Q-F3",
  "sse.empty-event": "Q-F4",
  "sse.ping-event": "Q-F5",
  "sse.crlf": "Q-F6",
  "sse.cr-split": "Q-F6",
  "sse.single-newline": "Q-F7",
  "sse.bom": "Q-F8",
  "sse.no-space": "Q-F9",
  "sse.multiline": "Q-F10",
  "sse.utf8-split": "Q-F11",
  "sse.drip": "Q-F12",
  "sse.one-packet": "Q-F12",
  "sse.huge-line": "Q-F12",
  "sse.no-final-newline": "Q-F13",
  "sse.extra-fields": "Q-F14",
  "http.sse-type": "Q-F15",
  "http.json-for-stream": "Q-F15",
  "http.html": "Q-F15",
  "http.empty-200": "Q-F16",
  "sse.linger": "Q-F17",
  "sse.bad-json": "Q-F18",
  "chunk.usage-empty-choices": "Q-C1",
  "chunk.choices-null": "Q-C2",
  "chunk.preamble": "Q-C3",
  "chunk.usage-each": "Q-C4",
  "chunk.content-null": "Q-C5",
  "chunk.role-repeat": "Q-C6",
  "chunk.reasoning": "Q-C7",
  "chunk.cumulative": "Q-C8",
  "chunk.no-id": "Q-C9",
  "chunk.message": "Q-C10",
  "tool.no-index": "Q-T1",
  "tool.same-index": "Q-T2",
  "tool.index-flip": "Q-T3",
  "tool.empty-id": "Q-T4",
  "tool.name-repeat": "Q-T5",
  "tool.whole": "Q-T6",
  "tool.args-object": "Q-T7",
  "tool.late-name": "Q-T8",
  "tool.sparse-index": "Q-T9",
  "tool.no-id": "Q-T10",
  "tool.interleave": "Q-T11",
  "tool.prefix-json": "Q-T12",
  "tool.bad-args": "Q-T13",
  "tool.legacy": "Q-T14",
  "tool.null-list": "Q-T15",
  "end.no-done": "Q-E1",
  "end.no-finish": "Q-E2",
  "end.cut": "Q-E3",
  "end.eof": "Q-E3",
  "end.fake-done": "Q-E4",
  "end.empty-finish": "Q-E5",
  "end.variant": "Q-E6",
  "end.late-content": "Q-E7",
  "end.no-message-stop": "Q-E8",
  "err.in-stream": "Q-R1",
  "err.event": "Q-R2",
  "err.number-code": "Q-R3",
  "err.finish-reason": "Q-R4",
  "err.after-text": "Q-R5",
  "err.no-done": "Q-R6",
  "err.first": "Q-R7",
  "err.text": "Q-R8",
  "task.lost-202": "Q-K1",
  "task.same-key": "Q-K2",
  "task.key-reused": "Q-K3",
  "task.read-late": "Q-K4",
  "task.not-exist": "Q-K5",
  "task.status-form": "Q-K6",
  "task.status-order": "Q-K7",
  "task.assets-form": "Q-K8",
  "task.error-form": "Q-K9",
  "task.refunded-later": "Q-K10",
  "task.asset-lost": "Q-K11",
  "task.cancel-form": "Q-K12",
  "task.events-form": "Q-K13",
  "task.time-form": "Q-K14",
  "task.extra-fields": "Q-K15",
  "task.completed-at": "Q-K16",
  "task.slow-read": "Q-K17",
  "task.asset-form": "Q-K18",
  "task.link-life": "Q-K18",
  "task.not-enabled": "Q-K19",
  "task.no-funds": "Q-K20",
  "task.restart": "Q-K21",
  "task.key-rotated": "Q-K22"
};

// test/unit/lint/testTitles.ts
var import_node_fs = require("node:fs");
var import_tinyglobby = require("tinyglobby");
var import_typescript = __toESM(require("typescript"));
function readTestTitles() {
  return (0, import_tinyglobby.globSync)("test/**/*.ts").sort().flatMap((file) => titlesOf(file, (0, import_node_fs.readFileSync)(file, "utf8")));
}
function titlesOf(file, source) {
  const root = import_typescript.default.createSourceFile(file, source, import_typescript.default.ScriptTarget.Latest);
  const aliases = aliasesOf(root);
  const titles2 = [];
  const visit = (node, above) => {
    let inside = above;
    const called = import_typescript.default.isCallExpression(node) ? calledName(node.expression) : void 0;
    const kind = called === void 0 ? void 0 : aliases.get(called) ?? called;
    const [title, ...rest] = import_typescript.default.isCallExpression(node) ? node.arguments : [];
    if (title !== void 0 && rest.length > 0 && (kind === "describe" || kind === "it")) {
      inside = [...above, staticText(title)];
      if (kind === "it") titles2.push({ file, full: inside.join(" ") });
    }
    import_typescript.default.forEachChild(node, (child) => visit(child, inside));
  };
  visit(root, []);
  return titles2;
}
function calledName(expression) {
  if (import_typescript.default.isIdentifier(expression)) return expression.text;
  return import_typescript.default.isPropertyAccessExpression(expression) ? calledName(expression.expression) : void 0;
}
function aliasesOf(root) {
  const aliases = /* @__PURE__ */ new Map();
  const standsFor = (value) => {
    if (import_typescript.default.isConditionalExpression(value)) return standsFor(value.whenTrue) ?? standsFor(value.whenFalse);
    const name = import_typescript.default.isCallExpression(value) ? void 0 : calledName(value);
    return name === "it" || name === "describe" ? name : void 0;
  };
  const visit = (node) => {
    if (import_typescript.default.isVariableDeclaration(node) && import_typescript.default.isIdentifier(node.name) && node.initializer) {
      const kind = standsFor(node.initializer);
      if (kind) aliases.set(node.name.text, kind);
    }
    import_typescript.default.forEachChild(node, visit);
  };
  visit(root);
  return aliases;
}
function staticText(title) {
  if (import_typescript.default.isStringLiteralLike(title)) return title.text;
  if (import_typescript.default.isTemplateExpression(title))
    return [title.head.text, ...title.templateSpans.map(({ literal }) => `\u2026${literal.text}`)].join("");
  if (import_typescript.default.isCallExpression(title) && import_typescript.default.isPropertyAccessExpression(title.expression))
    return staticText(title.expression.expression);
  return "\u2026";
}

// test/unit/lint/requirementNames.test.ts
var contributing = (0, import_node_fs2.readFileSync)("CONTRIBUTING.md", "utf8");
var rowsOf = (name) => [...contributing.matchAll(/^\|\s*([\w-]+)\s*\|/gm)].map(([, cell = ""]) => cell).filter((cell) => name.test(cell));
var requirements = new Set(rowsOf(/^[A-Z]\d+$/));
var quirks = new Set(rowsOf(/^Q-[A-Z]\d+$/));
var namesIn = (text) => text.replaceAll(/\(findings? [^)]*\)/g, "").match(/(?<![\w./%-])(?:Q-)?[A-Z]\d{1,2}(?![\w.])/g) ?? [];
var isKnown = (name) => requirements.has(name) || quirks.has(name);
var unknownNames = (text) => namesIn(text).filter((name) => !isKnown(name));
var titles = readTestTitles();
var recordings = ["chat-completions", "messages", "generate-content"].flatMap(
  (family) => (0, import_node_fs2.readdirSync)(import_node_path.default.join("test", "fixtures", family))
);
describe("names of requirements and quirks", () => {
  it("V5: titles are read with their describes, from templates and through constants", () => {
    const source = `
      const onPosix = isWindows ? it.skip : it;
      describe("S1: a", () => {
        describe(name, () => {
          it(\`T1: \${x} b\`, () => {});
          onPosix("c", () => {}).timeout(5);
        });
      });`;
    import_strict.default.deepEqual(
      titlesOf("a.test.ts", source).map(({ full }) => full),
      ["S1: a \u2026 T1: \u2026 b", "S1: a \u2026 c"]
    );
    import_strict.default.deepEqual(unknownNames("T1, K1 (finding S99): X7, Q-T99 and HTTP/1.1"), ["K1", "X7", "Q-T99"]);
  });
  it("V5: the tables and the tests are there", () => {
    import_strict.default.ok(requirements.size >= 60, `${requirements.size} requirements`);
    import_strict.default.ok(quirks.size >= 80, `${quirks.size} quirks`);
    import_strict.default.ok(titles.length >= 800, `${titles.length} tests`);
  });
  it("V5: every test names what it shows", () => {
    const nameless = titles.filter(({ full }) => !namesIn(full).some(isKnown));
    import_strict.default.deepEqual(nameless, []);
  });
  it("V5: no test names a requirement or a quirk that the tables lack", () => {
    const wrong = titles.flatMap(({ file, full }) => unknownNames(full).map((name) => `${name} in ${file}: ${full}`));
    import_strict.default.deepEqual(wrong, []);
    import_strict.default.deepEqual(
      [...Object.values(quirkRows), ...recordings.flatMap(namesIn)].filter((name) => !quirks.has(name)),
      []
    );
  });
  it("V5, R2: every quirk has a test that is named after it", () => {
    const tested = new Set([...titles.map(({ full }) => full), ...Object.values(quirkRows)].flatMap(namesIn));
    for (const recording of recordings) for (const name of namesIn(recording)) tested.add(name);
    import_strict.default.deepEqual(
      [...quirks].filter((name) => !tested.has(name)),
      []
    );
  });
  it("V5: no comment or title names a requirement, a quirk or a document that is not in the repository", () => {
    const files = (0, import_tinyglobby2.globSync)(["{src,test,scripts,bench}/**/*.{ts,mjs,cjs,css}", "*.{mjs,cjs}", ".*.cjs"]);
    import_strict.default.ok(files.length > 300);
    const wrong = files.flatMap(
      (file) => commentsOf((0, import_node_fs2.readFileSync)(file, "utf8")).flatMap((comment) => [
        ...unknownNames(comment).map((name) => `${file}: ${name}`),
        ...foreignDocuments(comment).map((name) => `${file}: ${name}`)
      ])
    );
    import_strict.default.deepEqual(wrong, []);
  });
});
function commentsOf(source) {
  return source.match(/\/\*[\s\S]*?\*\/|(?<![:"'`\w\\])\/\/ .*/g) ?? [];
}
function foreignDocuments(comment) {
  const files = (comment.match(/(?<![*\w./-])[\w./-]+\.md\b/g) ?? []).filter((name) => !(0, import_node_fs2.existsSync)(name));
  return [...files, ...comment.match(/service-spec|\b[Cc]ontract \d|quirk list|\bfinding \w*\d/g) ?? []];
}
//# sourceMappingURL=requirementNames.test.js.map
