/**
 * A gateway of another maker in front of the local one: an agent of a third maker through it, and Sluice itself through it, in the family that
 * the gateway passes on and in one that it translates. Skipped with a word where npm can't be reached.
 */
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { ensurePackages, reachesNpm } from "../../scripts/setup.mjs";
import { type GatewayUnderTest, startForTest } from "../loopback/localGateway/support";
import { type AppOverGateway, openAppOverGateway } from "../support/appOverGateway";
import { errorOf } from "../support/chatSessions";
import { createTemporaryFolder, type TemporaryFolder } from "../support/temporaryFolder";
import { type GatewayOfClient, realClients, runClient } from "./realClient";

/** Milliseconds: a client of a hundred megabytes that is started for the first time on a busy machine. */
const patience = 180_000;
const program = resolve("dist/test/clients/translatingProgram.mjs");

describe("a gateway of another maker in between", function () {
  this.timeout(patience);
  let packages: string;
  let between: ChildProcess | undefined;

  before(async function () {
    this.timeout(2 * patience);
    if (!(await reachesNpm())) {
      console.log("  NOT PROVEN: a gateway of another maker in between. npm can't be reached.");
      this.skip();
    }
    packages = await ensurePackages(resolve("scripts/clients"), "agents of other makers (scripts/clients)");
  });
  afterEach(() => between?.kill());

  /** With the gateway as it is, and once more with a key that it refuses. Resolves with the address. */
  const startBetween = async ({ url, key }: GatewayOfClient): Promise<string> => {
    const behind = { local: { url, key }, refused: { url, key: "sk-of-nobody" } };
    const child = spawn(process.execPath, [program, packages, JSON.stringify(behind)], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    between = child;
    for await (const line of createInterface(child.stdout)) {
      const [, address] = /^listening on (\S+)$/.exec(line) ?? [];
      if (address !== undefined) return address;
    }
    assert.fail("it ended without an address");
  };

  // No agent is asked with a refused key: this gateway leaves out the header `x-should-retry: false`, with which claude-code stops, so it repeats a
  // 401 for minutes.
  describe("an agent in messages", () => {
    const claude = realClients.find(({ name }) => name === "claude")!;
    let test: GatewayUnderTest;
    let folder: TemporaryFolder;
    beforeEach(async () => {
      test = await startForTest();
      folder = await createTemporaryFolder();
    });
    afterEach(async () => {
      await test.end();
      await folder.remove();
    });
    const ask = async (prompt: string): Promise<string> => {
      const url = await startBetween(test.gateway);
      const gateway = { url, key: "any", model: "local,demo-chat" };
      return (await runClient(claude, packages, folder.path, { gateway, prompt })).said;
    };

    it("L1: a question is answered", async () => {
      assert.match(await ask("Hello, who are you?"), /I am the demo model/);
    });

    it("L1: a file is read with the client's own tool, and what it holds comes back", async () => {
      const file = join(folder.path, "project", "notes.md");
      await mkdir(join(folder.path, "project"), { recursive: true });
      await writeFile(file, "The harbour opens at seven.\n");
      assert.match(await ask(`Read ${file}`), /The harbour opens at seven/);
    });
  });

  for (const family of ["chat-completions", "messages"] as const)
    describe(`Sluice in ${family}`, () => {
      let over: AppOverGateway;
      beforeEach(async () => {
        const model = (provider: string) => ({ id: `${provider},demo-chat`, family, contextTokens: 100_000 });
        over = await openAppOverGateway({ configured: [model("local"), model("refused")] });
        over.baseUrl.set(`${await startBetween(over.gateway)}/v1`);
        await writeFile(join(over.folder, "notes.md"), "The harbour opens at seven.\n");
      });
      afterEach(() => over.close());
      const ask = async (prompt: string, provider = "local"): Promise<{ text: string; error: string | undefined }> => {
        over.app.models.choose(`${provider},demo-chat`);
        const session = over.app.session.current;
        await session.submit(prompt);
        const answers = session.chat.entries.filter((entry) => entry.type === "answer");
        const blocks = answers.flatMap((answer) => answer.blocks);
        return {
          text: blocks.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n"),
          error: answers.map((answer) => errorOf(answer)?.title).find((title) => title !== undefined),
        };
      };

      it("S1: a question is answered", async () => {
        const { text, error } = await ask("Hello, who are you?");
        assert.equal(error, undefined);
        assert.match(text, /I am the demo model/);
      });

      it("S1, A1: a file is read with a tool, and what it holds comes back", async () => {
        const { text, error } = await ask("Read notes.md");
        assert.equal(error, undefined);
        assert.match(text, /The harbour opens at seven/);
      });

      it("S2, C1: a key that is refused behind it is an error that says so", async () => {
        const { text, error } = await ask("Hello", "refused");
        assert.doesNotMatch(text, /I am the demo model/);
        assert.match(error ?? "", /key/i);
      });
    });
});
