// Packages, circles of files and the ways between src and the rest. The folders have a check of their own: scripts/layers.mjs.
const only = (name, packages, folders, comment) => ({
  name,
  comment,
  severity: "error",
  from: { path: "^src/", pathNot: `^src/(${folders.join("|")})` },
  to: { path: `^(${packages.map((p) => `node_modules/${p}/|${p}$`).join("|")})` },
});

module.exports = {
  forbidden: [
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
      name: "lab-by-a-switch",
      comment: "faults and the movable clock are loaded with the switch that asks for them",
      severity: "error",
      from: { path: "^src/", pathNot: "^src/localGateway/lab/" },
      to: { path: "^src/localGateway/lab/", dependencyTypesNot: ["type-only", "dynamic-import"] },
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
