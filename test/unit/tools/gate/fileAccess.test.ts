/** What a model can learn of files, or do to them, without a person's yes: the four tools on hostile folders. */
import assert from "node:assert/strict";
import { link, readFile, rename, rm, symlink } from "node:fs/promises";
import { ToolRefusal } from "../../../../src/domain/tools/tool";
import type { OpenFile, ReadableWorkspace } from "../../../../src/domain/tools/workspace";
import { openRegularFile } from "../../../../src/tools/gate/fileAccess";
import { readText } from "../../../../src/tools/gate/fileGate";
import { createToolFolder, reasonsOf, titleOf, type ToolFolder } from "../../../support/toolFolder";

describe("files that need a yes", () => {
  let folder: ToolFolder;
  beforeEach(async () => {
    folder = await createToolFolder();
    await folder.put("src/app.ts", "export const app = 1;\n");
    await folder.put(".env", "TOKEN=canary-1234\nTOKEN=canary-1234\n");
    await folder.put(".gitignore", "build/\n");
    await folder.put("build/out.js", "canary-1234\n");
  });
  afterEach(() => folder.remove());

  for (const path of [".env", "build/out.js", "named.txt", "harmless.txt"]) {
    it(`A4 (finding S1): an edit of ${path} asks before its first byte is read, and quotes nothing before the yes`, async () => {
      await link(folder.at(".env"), folder.at("named.txt"));
      await symlink(folder.at(".env"), folder.at("harmless.txt"));
      // Found once or twice, not found, the same text, no text file: the answer is the same question.
      const asked = [];
      for (const oldText of ["zzz", "canary", "TOKEN=canary-1234\nTOKEN", "\0"]) {
        const call = await folder.prepare("edit_file", { path, old_text: oldText, new_text: "x" });
        assert.ok(call.reasons);
        assert.equal(call.change, undefined);
        asked.push(`${titleOf(call)} ${reasonsOf(call)}`);
      }
      assert.equal(new Set(asked).size, 1, asked.join("\n"));
      assert.doesNotMatch(asked.join("\n"), /canary/);
    });
  }

  it("A4 (finding S1): after a yes to reading, the change itself is asked for, with its diff", async () => {
    await folder.put(".env", "TOKEN=one\n");
    const first = await folder.prepare("edit_file", { path: ".env", old_text: "one", new_text: "two" });
    assert.equal(titleOf(first), "Read .env to prepare an edit");
    assert.equal(reasonsOf(first), "may hold a secret");
    const second = await first.run(new AbortController().signal);
    assert.ok(typeof second !== "string");
    assert.equal(titleOf(second), "Edit .env: 1 line changed");
    assert.deepEqual(second.change?.preview.hunks[0]?.lines, ["-TOKEN=one", "+TOKEN=two"]);
    assert.equal(await readFile(folder.at(".env"), "utf8"), "TOKEN=one\n");
    await second.run(new AbortController().signal);
    assert.equal(await readFile(folder.at(".env"), "utf8"), "TOKEN=two\n");
  });

  it("A4 (finding S1): after a yes to reading, a refusal may quote", async () => {
    assert.match(
      await folder.refusal("edit_file", { path: ".env", old_text: "TOKEN=canary-5", new_text: "y" }),
      /canary-1234/,
    );
  });

  it("A4 (finding S1): neither list_files nor find_text tells of secrets, ignored files, links or files that are no files", async () => {
    await folder.put("src/.npmrc", "canary-1234");
    await folder.put("id_rsa", "canary-1234");
    await symlink(folder.at(".env"), folder.at("harmless.txt"));
    await symlink(folder.at("build"), folder.at("source"));
    await folder.command("mkfifo", folder.at("pipe.txt"));
    assert.equal(await folder.run("list_files", {}), ".gitignore\nsrc/app.ts");
    assert.equal(await folder.run("find_text", { text: "canary" }), "(no hits)");
  });

  it("A4 (finding S15): another name of a file on this disk (hard link) asks, and is not searched", async () => {
    await link(folder.at("src/app.ts"), folder.at("src/twin.ts"));
    const call = await folder.prepare("read_file", { path: "src/twin.ts" });
    assert.equal(reasonsOf(call), "has another name on this disk (hard link)");
    assert.equal(await folder.run("find_text", { text: "export" }), "(no hits)");
  });

  it("A4: a folder that asks is searched after the yes, except for secrets in it", async () => {
    await folder.put("build/.env", "canary-1234");
    assert.equal(reasonsOf(await folder.prepare("list_files", { path: "build" })), "git ignores it");
    assert.equal(await folder.run("list_files", { path: "build" }), "out.js");
    assert.equal(await folder.run("find_text", { text: "canary", path: "build" }), "build/out.js:1: canary-1234");
  });
});

describe("files that are not what they were", () => {
  let folder: ToolFolder;
  const { signal } = new AbortController();
  beforeEach(async () => {
    folder = await createToolFolder({ inside: "project" });
    await folder.put("project/notes.txt", "mine\n");
    await folder.put("project/.env", "mine\n");
    await folder.put("project/src/notes.txt", "mine\n");
    await folder.put("project/.gitignore", "");
    await folder.put("outside/notes.txt", "mine\n");
  });
  afterEach(() => folder.remove());

  const swaps: Record<string, () => Promise<void>> = {
    "a link to the outside": async () => {
      await rm(folder.at("project/notes.txt"));
      await symlink(folder.at("outside/notes.txt"), folder.at("project/notes.txt"));
    },
    "a link to a secret": async () => {
      await rm(folder.at("project/notes.txt"));
      await symlink(folder.at("project/.env"), folder.at("project/notes.txt"));
    },
    "a link to another file inside": async () => {
      await rm(folder.at("project/notes.txt"));
      await symlink(folder.at("project/src/notes.txt"), folder.at("project/notes.txt"));
    },
    "a hard link": async () => {
      await rm(folder.at("project/notes.txt"));
      await link(folder.at("project/.env"), folder.at("project/notes.txt"));
    },
    "a pipe": async () => {
      await rm(folder.at("project/notes.txt"));
      await folder.command("mkfifo", folder.at("project/notes.txt"));
    },
    "a file that git ignores": () => folder.put("project/.gitignore", "notes.txt\n"),
  };
  for (const [what, swap] of Object.entries(swaps)) {
    it(`A4 (finding S15): what became ${what} after the question is neither read nor written`, async () => {
      const read = await folder.prepare("read_file", { path: "notes.txt" });
      const edit = await folder.prepare("edit_file", { path: "notes.txt", old_text: "mine", new_text: "yours" });
      await swap();
      await assert.rejects(async () => read.run(signal), ToolRefusal);
      await assert.rejects(async () => edit.run(signal), ToolRefusal);
      for (const name of ["outside/notes.txt", "project/.env", "project/src/notes.txt"])
        assert.equal(await readFile(folder.at(name), "utf8"), "mine\n");
    });
  }

  it("A4 (finding S15): a folder on the way that became a link after the question is not followed", async () => {
    const read = await folder.prepare("read_file", { path: "src/notes.txt" });
    const list = await folder.prepare("list_files", { path: "src" });
    const find = await folder.prepare("find_text", { text: "mine", path: "src" });
    await rename(folder.at("project/src"), folder.at("project/old"));
    await symlink(folder.at("outside"), folder.at("project/src"));
    await assert.rejects(async () => read.run(signal), ToolRefusal);
    await assert.rejects(async () => list.run(signal), ToolRefusal);
    await assert.rejects(async () => find.run(signal), ToolRefusal);
  });
});

describe("a file that is opened", () => {
  const opened = (isAt: boolean, links = 1): { readonly workspace: ReadableWorkspace; readonly closed: string[] } => {
    const closed: string[] = [];
    const file: OpenFile = {
      status: { kind: "file", size: 4, links, identity: "1" },
      isAt: () => Promise.resolve(isAt),
      read: () => Promise.resolve(Buffer.from("text")),
      close: () => Promise.resolve(void closed.push("closed")),
    };
    const workspace = { open: () => Promise.resolve(file), shownText: () => undefined };
    return { workspace: workspace as unknown as ReadableWorkspace, closed };
  };

  it("A4 (finding S15): is not read where its path leads elsewhere by then: a folder on the way became a link", async () => {
    const { workspace, closed } = opened(false);
    await assert.rejects(openRegularFile(workspace, "/w/src/a.ts", "src/a.ts"), /replaced while it was opened/);
    assert.deepEqual(closed, ["closed"]);
    await openRegularFile(opened(true).workspace, "/w/src/a.ts", "src/a.ts");
  });

  it("A4 (finding S15): is not read without a question where it has another name on the disk by then", async () => {
    const gated = { given: "a.ts", path: "/w/a.ts", real: "/w/a.ts", label: "a.ts", cautions: [] };
    const { workspace, closed } = opened(true, 2);
    await assert.rejects(readText(workspace, gated, 100), /a\.ts has another name on this disk by now/);
    assert.deepEqual(closed, ["closed"]);
    const { text } = await readText(workspace, { ...gated, cautions: ["hard-link"] }, 100);
    assert.equal(text, "text", "the person was asked about it");
  });
});

describe("words of the file tools", () => {
  let folder: ToolFolder;
  beforeEach(async () => {
    folder = await createToolFolder();
    await folder.put("src/app.ts", "one\n");
  });
  afterEach(() => folder.remove());

  it("A2 (finding S15): a name can't forge a line of a list", async () => {
    for (const name of [
      "a\nsrc/forged.ts",
      "b\u202Ets.ts",
      "c\u2800d.ts",
      "(no files)",
      '"quoted"',
      "e:1: hit",
      "f\u00a0g",
    ])
      await folder.put(name, "one\n");
    assert.deepEqual((await folder.run("list_files", {})).split("\n"), [
      '"\\"quoted\\""',
      '"(no files)"',
      '"a\\nsrc/forged.ts"',
      '"b\\u202ets.ts"',
      '"c\\u2800d.ts"',
      '"e:1: hit"',
      '"f\\u00a0g"',
      "src/app.ts",
    ]);
    assert.equal((await folder.run("find_text", { text: "one" })).split("\n")[2], '"a\\nsrc/forged.ts":1: one');
  });

  it("S4 (finding S15): what the file system says never shows where on this machine it is", async () => {
    await folder.command("mkfifo", folder.at("pipe"));
    await symlink("loop", folder.at("loop"));
    const told = [
      await folder.refusal("list_files", { path: "src/app.ts" }),
      await folder.refusal("find_text", { text: "x", path: "src/app.ts" }),
      await folder.refusal("read_file", { path: "src" }),
      await folder.refusal("read_file", { path: "src/app.ts/x" }),
      await folder.refusal("read_file", { path: "pipe" }),
      await folder.refusal("edit_file", { path: "pipe", old_text: "a", new_text: "b" }),
      await folder.refusal("read_file", { path: "loop" }),
      await folder.refusal("read_file", { path: "x".repeat(300) }),
      await folder.refusal("read_file", { path: `${"x/".repeat(3000)}x` }),
    ];
    for (const message of told) assert.ok(!message.includes(folder.path), message);
    assert.equal(told[0], "src/app.ts is a file, not a folder.");
    assert.equal(told[2], "src is a folder, not a file.");
    assert.match(told[4] ?? "", /^pipe is a pipe/);
  });

  for (const path of [
    "src/a\u2800pp.ts",
    "src/\u3164.ts",
    "src/a\u00a0b.ts",
    "src/a\u180bb.ts",
    "src/a\ufe0fb.ts",
    "a\u115fb",
    "a\uffa0b",
    "a\u1160b",
    "a\u034fb",
  ])
    it(`A4 (finding S15): refuses ${JSON.stringify(path)} (${path.length} characters)`, async () => {
      assert.match(await folder.refusal("read_file", { path }), /has characters that look like nothing|invisible/);
    });

  it("A2: an emoji's own variation selector is no trick", async () => {
    await folder.put("❤️.md", "one\n");
    assert.equal(await folder.run("read_file", { path: "❤️.md" }), "one\n(lines 1 to 1 of 1)");
  });
});

describe("text in files", () => {
  let folder: ToolFolder;
  beforeEach(async () => {
    folder = await createToolFolder();
  });
  afterEach(() => folder.remove());

  it("A2 (finding S15): read_file gives at most 256 KB at once and says where to go on", async () => {
    const line = "x".repeat(999);
    await folder.put("long.txt", `${line}\n`.repeat(1500));
    const result = await folder.run("read_file", { path: "long.txt" });
    assert.ok(result.length < 257 * 1024, String(result.length));
    assert.match(result, /\n\(lines 1 to 262 of 1500; go on with start_line 263\)$/);
    assert.match(await folder.run("read_file", { path: "long.txt", start_line: 263 }), /\(lines 263 to 524 of 1500/);
  });

  it("A2: a file that is no UTF-8 is shown, with a word, but never written back damaged", async () => {
    const bytes = Buffer.from([0x63, 0x61, 0x66, 0xe9, 0x0a]);
    await folder.put("latin.txt", bytes);
    assert.match(
      await folder.run("read_file", { path: "latin.txt" }),
      /^caf\ufffd\n\(lines 1 to 1 of 1\)\n\(not UTF-8/,
    );
    assert.match(await folder.refusal("edit_file", { path: "latin.txt", old_text: "caf", new_text: "x" }), /not UTF-8/);
    assert.deepEqual(await readFile(folder.at("latin.txt")), bytes);
  });

  it("A2: byte order marks are no part of the text", async () => {
    await folder.put("utf8.txt", "\ufeffone\n");
    await folder.put("utf16.txt", Buffer.from("\ufeffone\n", "utf16le"));
    assert.equal(await folder.run("read_file", { path: "utf8.txt" }), "one\n(lines 1 to 1 of 1)");
    assert.equal(await folder.run("read_file", { path: "utf16.txt" }), "one\n(lines 1 to 1 of 1)");
  });

  it("R6 (finding S3): a file over the cap is refused, whatever the tool, and texts of an edit have one too", async () => {
    await folder.command("truncate", "-s", "1G", folder.at("huge.txt"));
    assert.match(await folder.refusal("read_file", { path: "huge.txt" }), /larger than 10 MB/);
    assert.match(
      await folder.refusal("edit_file", { path: "huge.txt", old_text: "a", new_text: "b" }),
      /larger than 2 MB/,
    );
    assert.equal(await folder.run("find_text", { text: "a" }), "(no hits)");
    await folder.put("small.txt", "a");
    const long = "x".repeat(200_000);
    assert.match(await folder.refusal("edit_file", { path: "small.txt", old_text: long, new_text: "b" }), /old_text/);
    assert.match(await folder.refusal("edit_file", { path: "small.txt", old_text: "a", new_text: long }), /new_text/);
  });
});
