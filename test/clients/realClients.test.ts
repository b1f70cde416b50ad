/** Agents of other makers at the local gateway, in each family that they speak, and at the MCP server (L1, V6). Skipped with a word where npm can't be reached. */
import assert from "node:assert/strict";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { ensurePackages, reachesNpm } from "../../scripts/setup.mjs";
import { agentToolNames } from "../../src/agents/tasks/agentToolNames";
import { startForTest, type GatewayUnderTest } from "../loopback/localGateway/support";
import { type Asked, openMcpOverProduct, type McpOverProduct } from "../support/mcpOverProduct";
import { createTemporaryFolder, type TemporaryFolder } from "../support/temporaryFolder";
import { type ClientRun, type RealClient, realClients, runClient } from "./realClient";

/** Milliseconds: a client of a hundred megabytes that is started for the first time on a busy machine. */
const patience = 180_000;

describe("clients of other makers", function () {
  this.timeout(patience);
  let packages: string;
  let folder: TemporaryFolder;

  before(async function () {
    this.timeout(2 * patience);
    if (!(await reachesNpm())) {
      console.log("  NOT PROVEN: clients of other makers. npm can't be reached.");
      this.skip();
    }
    packages = await ensurePackages(resolve("scripts/clients"), "agents of other makers (scripts/clients)");
  });
  beforeEach(async () => {
    folder = await createTemporaryFolder();
  });
  afterEach(() => folder.remove());

  for (const client of realClients)
    describe(`${client.name} in ${client.family}, at the local gateway`, () => {
      let test: GatewayUnderTest;
      before(async () => {
        test = await startForTest();
      });
      after(() => test.end());
      const ask = (prompt: string, key = test.gateway.key): Promise<ClientRun> =>
        runClient(client, packages, folder.path, { gateway: { url: test.gateway.url, key }, prompt });

      it("L1 (strangers L1): a question is answered", async () => {
        const { said, code } = await ask("Hello, who are you?");
        assert.match(said, /I am the demo model/);
        assert.equal(code, 0, said);
      });

      it("L1 (strangers L1, L4, L9): a file is read with the client's own tool, and what it holds comes back", async () => {
        const file = join(folder.path, "project", "notes.md");
        await mkdir(join(folder.path, "project"), { recursive: true });
        await writeFile(file, "The harbour opens at seven.\n");
        const { said, code } = await ask(`Read ${file}`);
        assert.match(said, /The harbour opens at seven/);
        assert.equal(code, 0, said);
      });

      it("L1: a key that is refused is said to be refused, in the words that the client looks for", async () => {
        const { said, code } = await ask("Hello", "sk-of-nobody");
        assert.match(said, /API key/);
        assert.doesNotMatch(said, /I am the demo model/);
        // Two of them end with 0 whatever has happened.
        if (client.name !== "qwen" && client.name !== "opencode") assert.notEqual(code, 0, said);
      });
    });

  // What a client does at an MCP server does not depend on the family of its model.
  for (const client of realClients.filter(
    ({ mcpTool, name }, at) => mcpTool !== undefined && realClients.findIndex((one) => one.name === name) === at,
  ))
    describe(`${client.name} in ${client.family}, at the MCP server`, () => {
      const token = "the-token-of-this-test";
      let product: McpOverProduct;
      let onQuestion: (asked: Asked) => void;
      before(async () => {
        product = await openMcpOverProduct(token, () => ({ hasTrust: true, cap: 0, onQuestion }));
      });
      after(() => product.close());
      const ask = async (tool: string, input: object): Promise<string> => {
        const { over, server } = product;
        const mcp = { url: server.url, headers: { Authorization: `Bearer ${token}` } };
        const prompt = `\`\`\`calls\n${nameAt(client, tool)} ${JSON.stringify(input)}\n\`\`\``;
        const gateway = { url: over.gateway.url, key: over.gateway.key };
        return (await runClient(client, packages, folder.path, { gateway, prompt, mcp })).said;
      };
      const asked = (): Promise<Asked> => new Promise((done) => (onQuestion = done));
      const sent = (): number =>
        product.over.gateway.requests.filter(({ method, path }) => method === "POST" && path === "/v1/tasks").length;

      it("V6: it orders two pictures after a yes, waits for them, compares them, and saves the better one after another yes", async function () {
        // It runs the client for the order, for each of the two pictures, for the comparison and for the save.
        this.timeout(5 * patience);
        const order = asked();
        const options = { n: 2, seed: 5 };
        const ordering = ask(agentToolNames.submit, {
          type: "async-image",
          model: "demo-image",
          prompt: "a pier",
          options,
        });
        const { answer } = await Promise.race([order, endedWithout(ordering)]);
        assert.equal(sent(), 0, "nothing is sent before the yes");
        answer(true);
        const ordered = await ordering;
        const ids = [...new Set([...ordered.matchAll(/\bid: ([\w-]+)/g)].map(([, id = ""]) => id))];
        assert.equal(ids.length, 2, ordered);
        assert.equal(sent(), 2);
        for (const id of ids) {
          const waited = await ask(agentToolNames.get, { id, wait_seconds: 60 });
          assert.match(waited, /succeeded/i);
        }
        const compared = await ask(agentToolNames.compare, { ids });
        assert.match(compared, /A: /);
        const save = asked();
        const saving = ask(agentToolNames.save, { id: ids[1], save_as: "assets/pier" });
        (await Promise.race([save, endedWithout(saving)])).answer(true);
        const saved = await saving;
        const [, file = ""] = /Saved as (assets\/pier\.\w+)/.exec(saved) ?? [];
        assert.ok((await readFile(join(product.over.root, file))).length > 100, saved);
        assert.equal(sent(), 2, "none was ordered twice");
      });
    });
});

/** Rejects when the client has ended, for then nobody was asked. */
async function endedWithout(run: Promise<string>): Promise<never> {
  assert.fail(`no question came: ${await run}`);
}

function nameAt({ mcpTool }: RealClient, tool: string): string {
  assert.ok(mcpTool);
  return mcpTool(tool);
}
