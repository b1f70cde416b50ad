/** What the build puts into the files that are loaded at the start: chat, tools and network come with their first use. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { filesOf } from "../support/startChunks";

type Outputs = Record<
  string,
  {
    /** Of a part that is loaded by need: its path after `part:`. */
    readonly entryPoint?: string;
    readonly inputs: object;
    readonly imports: readonly { readonly path: string; readonly kind: string }[];
  }
>;

describe("the build", () => {
  const later =
    /node_modules\/(undici|socks|ip-address|eventsource-parser|diff|lowlight|highlight\.js)\/|^src\/(chat|tools\/(?!host\/)|webview|localGateway|\w+\/page)\/|^src\/gateway\/(http|stream|families|tasks)\//;
  const strangers = (part: string): readonly string[] => filesOf(part).inputs.filter((input) => later.test(input));

  it("F5: the entry holds only what registers commands and views", () => {
    const { inputs } = filesOf("extension");
    assert.deepEqual(
      inputs.filter(
        (input) =>
          !/^src\/(extension|lazyContributions|base\/[\w/]+|tasks\/polling\/idleMark|chat\/host\/(codeActions|lazyPlanFiles)|vscode\/(ids|storagePaths)|agents\/(host\/registerAgents|tasks\/agentToolNames))\.ts$/.test(
            input,
          ),
      ),
      [],
    );
  });

  it("F5: the first part holds nothing of chat, tools and network", () => {
    assert.deepEqual(strangers("mountTasks"), []);
    assert.ok(filesOf("mountTasks").inputs.includes("src/tasks/board/board.ts"));
  });

  it("F5: the network is in a part of its own", () => {
    const { inputs } = filesOf("httpGateway");
    assert.ok(inputs.some((input) => input.endsWith("undici/lib/dispatcher/pool.js")));
  });

  it("V6, F5: only the MCP server's own part holds the MCP SDK, and it is loaded by need", () => {
    const outputs = (JSON.parse(readFileSync("dist/meta.json", "utf8")) as { outputs: Outputs }[]).flatMap((one) =>
      Object.entries(one.outputs),
    );
    const holders = outputs.filter(
      ([file, { inputs }]) =>
        !file.startsWith("dist/test/") && Object.keys(inputs).some((input) => input.includes("modelcontextprotocol")),
    );
    assert.deepEqual(
      holders.map(([, { entryPoint }]) => path.relative(process.cwd(), entryPoint?.replace("part:", "") ?? "")),
      [path.join("src", "agents", "mcp", "mcpServer.ts")],
    );
    const own = holders[0]?.[0];
    const kinds = outputs.flatMap(([, { imports }]) =>
      imports.filter((one) => one.path === own).map(({ kind }) => kind),
    );
    assert.deepEqual([...new Set(kinds)], ["dynamic-import"]);
  });

  it("F5: the page loads the highlighter with the first code block", () => {
    const outputs = JSON.parse(readFileSync("dist/meta.json", "utf8")) as {
      outputs: Record<string, { inputs: object }>;
    }[];
    const page = outputs
      .flatMap((one) => Object.entries(one.outputs))
      .find(([file]) => file === "dist/webview/chat.mjs");
    assert.ok(page);
    assert.deepEqual(
      Object.keys(page[1].inputs).filter((input) => /lowlight|highlight\.js/.test(input)),
      [],
    );
  });

  it("F5: a page is one file at its start, beside esbuild's own helpers", () => {
    const outputs = new Map(
      (JSON.parse(readFileSync("dist/meta.json", "utf8")) as { outputs: Outputs }[]).flatMap((one) =>
        Object.entries(one.outputs),
      ),
    );
    const pages = [...outputs].filter(
      ([file, { entryPoint }]) => file.startsWith("dist/webview/") && entryPoint?.startsWith("src/"),
    );
    assert.ok(pages.length > 8);
    const more = pages.flatMap(([file, { imports }]) =>
      imports
        .filter(({ path: other, kind }) => {
          const { inputs = {} } = outputs.get(other) ?? {};
          return kind === "import-statement" && Object.keys(inputs).length > 0;
        })
        .map((one) => [file, one.path]),
    );
    assert.deepEqual(more, []);
  });
});
