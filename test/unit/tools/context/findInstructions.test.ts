/** Which files are instructions of a project: a table of discovery, and the bounds. */
import assert from "node:assert/strict";
import { link, symlink } from "node:fs/promises";
import { findInstructions, findInstructionsAbove, readAllowed } from "../../../../src/tools/context/findInstructions";
import { createDiskWorkspace } from "../../../support/diskWorkspace";
import { createToolFolder, type ToolFolder } from "../../../support/toolFolder";

const { signal } = new AbortController();

describe("files of instructions", () => {
  let folder: ToolFolder;
  let own = "";
  let allowed: string[] = [];
  const rules = (): Parameters<typeof findInstructions>[0] => ({
    workspace: folder.workspace,
    own: () => own,
    isAllowed: (real) => allowed.includes(real),
  });
  const found = async (): Promise<unknown> => {
    const { instructions, offered } = await findInstructions(rules(), signal);
    return [instructions.map(({ path }) => path), offered];
  };
  const above = async (path: string, known: readonly string[] = []): Promise<unknown> => {
    const sizes = new Map(known.map((one) => [one, 1]));
    const { instructions, offered } = await findInstructionsAbove(rules(), path, sizes, signal);
    return [instructions.map((one) => one.path), offered];
  };

  beforeEach(async () => {
    [own, allowed] = ["", []];
    folder = await createToolFolder({ inside: "root" });
    await folder.command("git", "init", "-q", "root");
    await folder.put("outside/AGENTS.md", "outside");
  });
  afterEach(() => folder.remove());

  const table: readonly {
    readonly what: string;
    readonly put: readonly string[];
    /** Not added to git's index. */
    readonly untracked?: readonly string[];
    readonly used: readonly string[];
    readonly offered?: readonly string[];
  }[] = [
    { what: "nothing", put: [], used: [] },
    { what: "AGENTS.md", put: ["AGENTS.md"], used: ["AGENTS.md"] },
    { what: "AGENTS.md before its relatives", put: ["AGENTS.md", "CLAUDE.md", "GEMINI.md"], used: ["AGENTS.md"] },
    { what: "CLAUDE.md without AGENTS.md", put: ["CLAUDE.md", "GEMINI.md"], used: ["CLAUDE.md"] },
    { what: "GEMINI.md alone", put: ["GEMINI.md"], used: ["GEMINI.md"] },
    {
      what: "Copilot's beside any of them",
      put: ["CLAUDE.md", ".github/copilot-instructions.md"],
      used: ["CLAUDE.md", ".github/copilot-instructions.md"],
    },
    { what: "one in a folder inside", put: ["packages/a/AGENTS.md"], used: [] },
    { what: "an untracked one is offered", put: [], untracked: ["AGENTS.md"], used: [], offered: ["AGENTS.md"] },
    {
      what: "an untracked one hides no tracked one",
      put: ["CLAUDE.md"],
      untracked: ["AGENTS.md"],
      used: ["CLAUDE.md"],
      offered: ["AGENTS.md"],
    },
    { what: "an untracked one after a tracked one", put: ["AGENTS.md"], untracked: ["CLAUDE.md"], used: ["AGENTS.md"] },
    { what: "a folder of that name", put: ["AGENTS.md/x"], used: [] },
  ];
  for (const { what, put, untracked = [], used, offered = [] } of table) {
    it(`A9: ${what}`, async () => {
      for (const path of put) await folder.put(`root/${path}`, "Use tabs.");
      await folder.command("git", "-C", "root", "add", "-A");
      for (const path of untracked) await folder.put(`root/${path}`, "Use blanks.");
      assert.deepEqual(await found(), [used, offered]);
    });
  }

  it("A9: an offered one is used once the person has allowed it, wherever git is", async () => {
    await folder.put("root/AGENTS.md", "Use tabs.");
    assert.deepEqual(await found(), [[], ["AGENTS.md"]]);
    const read = await readAllowed(rules(), "AGENTS.md", new Map());
    assert.equal(read?.instructions.text, "Use tabs.");
    allowed = [read.real];
    assert.deepEqual(await found(), [["AGENTS.md"], []]);
  });

  it("A9 (finding S9): those of a submodule are offered, whether it tracks them or not", async () => {
    await folder.command("git", "init", "-q", "root/lib");
    await folder.put("root/lib/AGENTS.md", "Use tabs.");
    await folder.put("root/lib/x.ts", "x");
    await folder.command("git", "-C", "root/lib", "add", "-A");
    const name = ["-c", "user.name=a", "-c", "user.email=a@b"];
    await folder.command("git", "-C", "root/lib", ...name, "commit", "-qm", "first");
    await folder.command("git", "-C", "root", "-c", "advice.addEmbeddedRepo=false", "add", "lib");
    assert.deepEqual(await above("lib/x.ts"), [[], ["lib/AGENTS.md"]]);
    await folder.put("root/lib/deep/AGENTS.md", "Use tabs.");
    assert.deepEqual(await above("lib/deep/x.ts"), [[], []], "nothing is there to read");
    await folder.put("root/lib/deep/x.ts", "x");
    assert.deepEqual(await above("lib/deep/x.ts"), [[], ["lib/AGENTS.md", "lib/deep/AGENTS.md"]]);
  });

  it("A9: outside of a repository each is offered first", async () => {
    await folder.command("rm", "-r", "root/.git");
    await folder.put("root/AGENTS.md", "Use tabs.");
    assert.deepEqual(await found(), [[], ["AGENTS.md"]]);
  });

  it("A9, R4: nothing that leads out, may hold a secret, has another name or is no file is used or can be allowed", async () => {
    await folder.put("root/.env", "TOKEN=canary");
    await symlink(folder.at("outside/AGENTS.md"), folder.at("root/AGENTS.md"));
    await symlink(".env", folder.at("root/CLAUDE.md"));
    await folder.command("mkfifo", "root/GEMINI.md");
    await folder.command("git", "-C", "root", "add", "AGENTS.md", "CLAUDE.md");
    assert.deepEqual(await found(), [[], []]);
    for (const path of ["AGENTS.md", "CLAUDE.md", "GEMINI.md", "../outside/AGENTS.md", ".env"])
      assert.equal(await readAllowed(rules(), path, new Map()), undefined, path);
    await folder.command("rm", "root/AGENTS.md");
    await link(folder.at("outside/AGENTS.md"), folder.at("root/AGENTS.md"));
    assert.deepEqual(await found(), [[], ["AGENTS.md"]]);
  });

  it("A9: a link inside of the root stands for its target", async () => {
    await folder.put("root/docs/agents.md", "Use tabs.");
    await symlink("docs/agents.md", folder.at("root/CLAUDE.md"));
    await folder.command("git", "-C", "root", "add", "-A");
    assert.deepEqual(await found(), [["docs/agents.md"], []]);
  });

  it("A9: 32 KB each and 64 KB in all, cut between characters, with the size of the whole", async () => {
    own = "ü".repeat(20_000);
    await folder.put("root/AGENTS.md", "x".repeat(50_000));
    await folder.put("root/.github/copilot-instructions.md", "y".repeat(10));
    await folder.command("git", "-C", "root", "add", "-A");
    const { instructions } = await findInstructions(rules(), signal);
    assert.deepEqual(
      instructions.map(({ path, text, cutFrom }) => [path, Buffer.byteLength(text), cutFrom]),
      [
        ["", 32 * 1024, 40_000],
        ["AGENTS.md", 32 * 1024, 50_000],
      ],
    );
    assert.ok(!instructions[0]?.text.includes("\ufffd"));
    const known = new Map([["AGENTS.md", 64 * 1024 - 4]]);
    await folder.put("root/a/AGENTS.md", "z".repeat(10));
    await folder.command("git", "-C", "root", "add", "-A");
    const nested = await findInstructionsAbove(rules(), "a/AGENTS.md", known, signal);
    assert.deepEqual(nested.instructions, []);
    await folder.put("root/a/x.ts", "x");
    const cut = await findInstructionsAbove(rules(), "a/x.ts", known, signal);
    assert.deepEqual(cut.instructions, [{ path: "a/AGENTS.md", text: "zzzz", cutFrom: 10 }]);
  });

  it("A9: above a file those of each folder below the root, unless the chat has them", async () => {
    for (const path of ["AGENTS.md", "a/AGENTS.md", "a/b/AGENTS.md", "a/b/x.ts", "a/y.ts", "x.ts"])
      await folder.put(`root/${path}`, "x");
    await folder.command("git", "-C", "root", "add", "-A");
    await folder.put("root/a/c/AGENTS.md", "x");
    await folder.put("root/a/c/z.ts", "x");
    assert.deepEqual(await above("x.ts"), [[], []]);
    assert.deepEqual(await above("a/y.ts"), [["a/AGENTS.md"], []]);
    assert.deepEqual(await above("a/b/x.ts"), [["a/AGENTS.md", "a/b/AGENTS.md"], []]);
    assert.deepEqual(await above("a/b/x.ts", ["a/AGENTS.md"]), [["a/b/AGENTS.md"], []]);
    assert.deepEqual(await above("a/c/z.ts"), [["a/AGENTS.md"], ["a/c/AGENTS.md"]]);
    for (const path of ["none.ts", "../outside/AGENTS.md", "a"]) assert.deepEqual(await above(path), [[], []], path);
  });

  it("A9: of several roots each has its own, by the names that tools use", async () => {
    await folder.put("root/AGENTS.md", "one");
    await folder.put("root/a/AGENTS.md", "nested");
    await folder.put("root/a/x.ts", "x");
    await folder.command("git", "-C", "root", "add", "-A");
    await folder.put("outside/CLAUDE.md", "two");
    await folder.command("git", "init", "-q", "outside");
    await folder.command("git", "-C", "outside", "add", "CLAUDE.md");
    const two = { ...rules(), workspace: createDiskWorkspace(folder.at("root"), folder.at("outside")) };
    const { instructions, offered } = await findInstructions(two, signal);
    assert.deepEqual(
      instructions.map(({ path }) => path),
      ["root/AGENTS.md", "outside/CLAUDE.md"],
    );
    assert.deepEqual(offered, ["outside/AGENTS.md"]);
    const nested = await findInstructionsAbove(two, "root/a/x.ts", new Map(), signal);
    assert.deepEqual(nested.instructions, [{ path: "root/a/AGENTS.md", text: "nested" }]);
  });

  it("A9: without roots, as in Restricted Mode, only the person's own", async () => {
    own = "  Answer in rhymes.\n";
    const { instructions } = await findInstructions({ ...rules(), workspace: createDiskWorkspace() }, signal);
    assert.deepEqual(instructions, [{ path: "", text: "Answer in rhymes." }]);
  });
});
