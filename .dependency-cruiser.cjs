// The layer table: data flows one way, siblings meet only in domain/ports.ts. `npm run layers` checks it.
const table = {
  base: ["base"],
  domain: ["base", "domain"],
  gateway: ["base", "domain", "gateway"],
  tasks: ["base", "domain", "tasks"],
  models: ["base", "domain", "models"],
  mcp: ["base", "domain", "mcp"],
  prompts: ["base", "domain", "prompts"],
  providedModels: ["base", "domain", "providedModels"],
  chat: ["base", "domain", "chat"],
  tools: ["base", "domain", "tools"],
  protocol: ["base", "domain", "protocol"],
  vscode: ["base", "domain", "models", "prompts", "providedModels", "tasks", "chat", "tools", "protocol", "vscode"],
  webview: ["base", "domain", "protocol", "webview"],
  localGateway: ["base", "domain", "localGateway"],
};
const app = ["base", "domain", "gateway", "models", "tasks", "chat", "tools", "protocol"];
const only = (name, packages, folders, comment) => ({
  name,
  comment,
  severity: "error",
  from: { path: "^src/", pathNot: `^src/(${folders.join("|")})` },
  to: { path: `^(${packages.map((p) => `node_modules/${p}/|${p}$`).join("|")})` },
});

module.exports = {
  forbidden: [
    ...Object.entries(table).map(([folder, allowed]) => ({
      name: `${folder}-imports`,
      comment: `${folder}/ may import ${allowed.join(", ")}`,
      severity: "error",
      from: { path: `^src/${folder}/` },
      to: { path: "^src/", pathNot: `^src/(${allowed.join("|")})/` },
    })),
    {
      name: "app-imports",
      comment: "app.ts and appChats.ts are the product without VS Code",
      severity: "error",
      from: { path: "^src/app(Chats)?\\.ts$" },
      to: { path: "^src/", pathNot: `^src/((${app.join("|")})/|appChats\\.ts$)` },
    },
    only(
      "vscode-only",
      ["vscode"],
      ["vscode/", "compose/", "extension\\.ts"],
      "the editor's API is named in src/vscode/ only",
    ),
    only("wire-only", ["undici", "eventsource-parser"], ["gateway/"], "bytes are read in src/gateway/ only"),
    only("mcp-only", ["@modelcontextprotocol/sdk"], ["mcp/"], "the protocol is spoken in src/mcp/ only"),
    only(
      "dom-only",
      ["lit-html", "marked", "lowlight", "highlight\\.js"],
      ["webview/"],
      "the page's libraries stay in the page",
    ),
    { name: "no-circular", severity: "error", from: { path: "^src/" }, to: { circular: true } },
    {
      name: "tests-are-not-shipped",
      severity: "error",
      from: { path: "^src/" },
      to: { path: "^(test|scripts|bench)/" },
    },
    {
      name: "no-node-in-the-page",
      severity: "error",
      from: { path: "^src/(webview|protocol|domain)/" },
      to: { dependencyTypes: ["core"] },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsConfig: { fileName: "tsconfig.json" },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "require", "node", "default", "types"],
    },
  },
};
