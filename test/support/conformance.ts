/** The conformance suite of MCP against a server (V6): each scenario passes, or is named here with the reason why not. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { createServer, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join, resolve } from "node:path";
import { ensurePackages } from "../../scripts/setup.mjs";
import { createTemporaryFolder } from "./temporaryFolder";

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

/** Milliseconds. */
const limit = 180_000;

/** `url`: of the MCP server on this machine. `headers`: what its clients send. */
export async function assertConforms(url: string, headers: Readonly<Record<string, string>>): Promise<void> {
  const home = await ensurePackages(
    resolve("scripts/conformance"),
    "the conformance suite of MCP (scripts/conformance)",
  );
  const proxy = await startProxy(new URL(url), headers);
  const folder = await createTemporaryFolder();
  try {
    const expected = join(folder.path, "inapplicable.yml");
    const names = Object.values(inapplicable).flat();
    await writeFile(expected, `server:\n${names.map((name) => `  - ${name}\n`).join("")}`);
    const program = join(home, "node_modules/@modelcontextprotocol/conformance/dist/index.js");
    const { port } = proxy.address() as AddressInfo;
    const child = spawn(
      process.execPath,
      [program, "server", "--url", `http://127.0.0.1:${port}/mcp`, "--suite", "all", "--expected-failures", expected],
      { stdio: ["ignore", "pipe", "pipe"], cwd: folder.path, timeout: limit },
    );
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (data: Buffer) => (output += data.toString()));
    const [code] = (await once(child, "close")) as [number | null];
    assert.equal(code, 0, output.slice(-4000));
  } finally {
    proxy.closeAllConnections();
    proxy.close();
    await folder.remove();
  }
}

/** The suite sends no token. The host and the page that it names are the proxy's, and are changed to the server's. */
async function startProxy(server: URL, headers: Readonly<Record<string, string>>): Promise<Server> {
  const proxy = createServer((given, response) => {
    const { port } = proxy.address() as AddressInfo;
    const own = (value: string | undefined): string | undefined => value?.replace(String(port), server.port);
    const sent = request(
      { host: server.hostname, port: server.port, path: given.url, method: given.method },
      (answer) => {
        response.writeHead(answer.statusCode ?? 500, answer.headers);
        response.flushHeaders();
        answer.pipe(response);
      },
    );
    const { host, origin } = given.headers;
    for (const [name, value] of Object.entries({ ...given.headers, ...headers, host: own(host), origin: own(origin) }))
      if (value !== undefined) sent.setHeader(name, value);
    sent.on("error", () => response.destroy());
    response.on("close", () => sent.destroy());
    given.pipe(sent);
  }).listen(0, "127.0.0.1");
  await once(proxy, "listening");
  return proxy;
}
