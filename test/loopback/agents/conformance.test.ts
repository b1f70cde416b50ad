/** The conformance suite of MCP against the server (V6), in a full run: each scenario passes, or is named here with the reason why not. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { createServer, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join, resolve } from "node:path";
import { ensurePackages } from "../../../scripts/setup.mjs";
import { McpServer } from "../../../src/agents/mcp/mcpServer";
import { createMovedClock } from "../../support/movedClock";
import { noMcpTasks } from "../../support/plainPorts";
import { isFullRun } from "../../support/runs";
import { createTemporaryFolder } from "../../support/temporaryFolder";

const notDeclared = "the server offers neither prompts, resources, completion nor logging, and declares none";
const ownTools = "it calls a tool that only the suite's own server has, and looks at the form of its result";

/** Scenarios that can't pass, by reason. */
const inapplicable: Readonly<Record<string, readonly string[]>> = {
  [notDeclared]: [
    "logging-set-level",
    "completion-complete",
    "resources-list",
    "resources-read-text",
    "resources-read-binary",
    "resources-templates-read",
    "resources-subscribe",
    "resources-unsubscribe",
    "prompts-list",
    "prompts-get-simple",
    "prompts-get-with-args",
    "prompts-get-embedded-resource",
    "prompts-get-with-image",
  ],
  [ownTools]: [
    "tools-call-image",
    "tools-call-audio",
    "tools-call-embedded-resource",
    "tools-call-mixed-content",
    "tools-call-with-logging",
    "tools-call-with-progress",
    "tools-call-sampling",
    "tools-call-elicitation",
    "json-schema-2020-12",
    "elicitation-sep1034-defaults",
    "elicitation-sep1330-enums",
    "server-sse-polling",
  ],
};

describe("the conformance suite of MCP", () => {
  let server: McpServer;
  let proxy: Server;

  before(async function () {
    if (!isFullRun) this.skip();
    const token = "a-token";
    server = await McpServer.start({
      ...{ version: "1", clock: createMovedClock(), token: () => token, port: 0, tasks: noMcpTasks },
      tools: () => [
        {
          name: "sluice_listTasks",
          title: "List tasks",
          description: "The newest tasks.",
          inputSchema: { type: "object", properties: {} },
          annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
        },
      ],
      call: ({ name }) => Promise.resolve({ text: `There is no tool ${name}.`, isError: true }),
    });
    // The suite sends no token. What it says of itself as host and page, it says of the proxy.
    proxy = createServer((given, response) => {
      const { port } = proxy.address() as AddressInfo;
      const own = (value: string | undefined): string | undefined => value?.replace(String(port), String(server.port));
      const headers = { ...given.headers, host: own(given.headers.host), authorization: `Bearer ${token}` };
      if (given.headers.origin !== undefined) headers.origin = own(given.headers.origin);
      const sent = request(
        { host: "127.0.0.1", port: server.port, path: given.url, method: given.method, headers },
        (answer) => {
          response.writeHead(answer.statusCode ?? 500, answer.headers);
          response.flushHeaders();
          answer.pipe(response);
        },
      );
      sent.on("error", () => response.destroy());
      response.on("close", () => sent.destroy());
      given.pipe(sent);
    }).listen(0, "127.0.0.1");
    await once(proxy, "listening");
  });
  after(async () => {
    proxy?.closeAllConnections();
    proxy?.close();
    await server?.close();
  });

  it("V6: each scenario passes that applies, and no other one", async function () {
    this.timeout(180_000);
    const home = await ensurePackages(
      resolve("scripts/conformance"),
      "the conformance suite of MCP (scripts/conformance)",
    );
    const folder = await createTemporaryFolder();
    try {
      const expected = join(folder.path, "inapplicable.yml");
      const names = Object.values(inapplicable).flat();
      await writeFile(expected, `server:\n${names.map((name) => `  - ${name}\n`).join("")}`);
      const program = join(home, "node_modules/@modelcontextprotocol/conformance/dist/index.js");
      const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/mcp`;
      const child = spawn(
        process.execPath,
        [program, "server", "--url", url, "--suite", "all", "--expected-failures", expected],
        { stdio: ["ignore", "pipe", "pipe"], cwd: folder.path },
      );
      let said = "";
      for (const stream of [child.stdout, child.stderr]) stream.on("data", (data: Buffer) => (said += data.toString()));
      const [code] = (await once(child, "close")) as [number];
      assert.equal(code, 0, said.slice(-4000));
    } finally {
      await folder.remove();
    }
  });
});
