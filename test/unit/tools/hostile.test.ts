/** A hostile repository and a hostile model against the file tools: bounds of time and length, and no result with anything from outside of the roots. */
import assert from "node:assert/strict";
import { mkdir, rename, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { OpenFile, Workspace } from "../../../src/domain/tools/workspace";
import { assertLinear } from "../../support/growth";
import { createDiskWorkspace } from "../../support/diskWorkspace";
import { createToolFolder, reasonsOf, titleOf, type ToolFolder, toolsOver } from "../../support/toolFolder";

const never = new AbortController().signal;

describe("file tools under attack", () => {
  let folder: ToolFolder;
  const reasonFor = async (tool: string, input: unknown): Promise<string | undefined> =>
    reasonsOf(await folder.prepare(tool, input));

  beforeEach(async () => {
    folder = await createToolFolder({ inside: "root" });
  });
  afterEach(() => folder.remove());

  it("R6 (finding S4): 10,000 rules in each of 60 folders ask instead of being matched", async () => {
    const rules = "zz\n".repeat(10_000);
    let path = "";
    for (let depth = 0; depth < 60; depth += 1) {
      await folder.put(join("root", path, ".gitignore"), rules);
      path = join(path, "a");
    }
    await folder.put(join("root", path, "file"), "x");
    assert.match((await reasonFor("read_file", { path: join(path, "file") })) ?? "", /git ignores can't be read/);
  });

  it("R6 (finding S4): rules that take too many steps for a path ask", async () => {
    await folder.put("root/.gitignore", `${"*a".repeat(500)}b\n`.repeat(200));
    await folder.put(`root/${"a".repeat(250)}`, "x");
    assert.match((await reasonFor("read_file", { path: "a".repeat(250) })) ?? "", /git ignores can't be read/);
    await folder.put("root/short", "x");
    assert.equal(await reasonFor("read_file", { path: "short" }), undefined);
  });

  it("R6 (finding S3): an edit of nothing but line ends is linear", async () => {
    await folder.put("root/a.txt", "a\n\nb");
    await assertLinear(12_500, (length) => {
      const call = { path: "a.txt", old_text: "\r".repeat(length), new_text: "x" };
      return () => folder.prepare("edit_file", call);
    });
  });

  it("A4: huge arguments do not come back in the refusal", async () => {
    const keys = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`key-${index}`, 1]));
    const inputs = [{ path: "a/".repeat(1_000_000) }, { path: "../".repeat(100_000) }, { path: "a", ...keys }];
    for (const input of inputs) assert.ok((await folder.refusal("read_file", input)).length < 3000);
  });

  it("H15, A4: very many unknown arguments, and very deep ones, are refused in linear time", async () => {
    const inputs: readonly ((count: number) => unknown)[] = [
      (count) => ({
        path: "a",
        ...Object.fromEntries(Array.from({ length: count }, (_, index) => [`key-${index}`, 1])),
      }),
      (count) => ({ path: "a", list: Array(count).fill(1) }),
      (count) => ({ path: JSON.parse(`${"[".repeat(count)}${"]".repeat(count)}`) as unknown }),
    ];
    for (const inputOf of inputs) {
      const refused = /^The arguments are nested too deeply, or have too many/;
      assert.match(await folder.refusal("read_file", inputOf(100_000)), refused);
      await assertLinear(12_500, (count) => {
        const input = inputOf(count);
        return () => folder.refusal("read_file", input);
      });
    }
  });

  it("A4: a list of long odd names ends at the length of what a file is read to", async () => {
    const deep = Array.from({ length: 12 }, () => "\u0001".repeat(240)).join("/");
    for (let index = 0; index < 60; index += 1) {
      await folder.put(`root/${deep}/${"\u0001".repeat(200)}${index}`, "needle");
    }
    assert.ok((await folder.run("list_files", {})).length < 300_000);
    assert.ok((await folder.run("find_text", { text: "needle" })).length < 300_000);
  });

  it("A4 (finding S11): a folder's empty .git does not end the rules around it", async () => {
    await folder.command("git", "init", "-q", "root");
    await folder.put("root/.gitignore", "*.log\n");
    await mkdir(folder.at("root/folder/.git"), { recursive: true });
    await folder.put("root/file/.git", "");
    for (const path of ["folder/x.log", "file/x.log"]) {
      await folder.put(`root/${path}`, "x");
      assert.match((await reasonFor("read_file", { path })) ?? "", /git ignores it/);
    }
  });

  it("A4 (finding S11): the repository's own settings count: case and a file of rules", async () => {
    await folder.command("git", "init", "-q", "root");
    await folder.put("root/.gitignore", "*.log\n");
    await folder.put("root/X.LOG", "x");
    await folder.put("root/x.own", "x");
    await folder.put("root/own-rules", "*.own\n");
    await folder.command("git", "-C", "root", "config", "core.ignorecase", "true");
    await folder.command("git", "-C", "root", "config", "core.excludesfile", folder.at("root/own-rules"));
    for (const path of ["X.LOG", "x.own"]) assert.match((await reasonFor("read_file", { path })) ?? "", /ignores it/);
  });

  it("A4: a file outside is not read as rules, for what is listed would show its lines", async () => {
    await folder.command("git", "init", "-q", "root");
    await folder.put("pin.txt", "1234\n");
    await folder.put("root/1234", "x");
    await folder.put("root/1235", "x");
    await folder.command("rm", "root/.git/info/exclude");
    await symlink(folder.at("pin.txt"), folder.at("root/.git/info/exclude"));
    for (const path of ["1234", "1235"]) assert.match((await reasonFor("read_file", { path })) ?? "", /can't be read/);
    await folder.command("rm", "root/.git/info/exclude");
    await folder.command("git", "-C", "root", "config", "core.excludesfile", folder.at("pin.txt"));
    for (const path of ["1234", "1235"]) assert.match((await reasonFor("read_file", { path })) ?? "", /can't be read/);
  });

  it("A4: a link does not tell what exists outside", async () => {
    await folder.put("outside/there", "x");
    await mkdir(folder.at("root/in"));
    await symlink(folder.at("outside"), folder.at("root/in/link"));
    await symlink(folder.at("outside/gone"), folder.at("root/dangling"));
    await symlink(folder.at("outside/there"), folder.at("root/leading"));
    const pairs = [
      ["in/link/there", "in/link/gone"],
      ["in/link/there", "in/link/there/below"],
      ["leading", "dangling"],
    ];
    for (const [there = "", gone = ""] of pairs) {
      const said = await folder.refusal("read_file", { path: there });
      assert.equal((await folder.refusal("read_file", { path: gone })).replace(gone, ""), said.replace(there, ""));
    }
    assert.match(await folder.refusal("read_file", { path: "in/none" }), /There is no none/);
  });

  it("A4: a secret by its folders stays one where a search or a list begins between them", async () => {
    for (const path of [".config/gh/hosts.yml", ".m2/settings.xml", ".pip/pip.conf"])
      await folder.put(`root/${path}`, "oauth_token: canary\n");
    await folder.put("root/.config/plain.yml", "oauth_token: none\n");
    for (const path of [".config", ".m2", ".pip"]) {
      for (const [tool, input] of [
        ["list_files", { path }],
        ["find_text", { path, text: "canary" }],
        ["find_files", { path, name: "*" }],
      ] as const) {
        assert.doesNotMatch(await folder.run(tool, input), /hosts|settings|pip\.conf|canary/, `${tool} ${path}`);
      }
    }
    assert.match(await folder.run("find_text", { path: ".config", text: "oauth" }), /plain\.yml/);
  });

  it("A3: the title of a search that asks names the folder", async () => {
    await folder.put("root/node_modules/a.js", "x");
    const call = await folder.prepare("find_text", { text: "key", path: "node_modules" });
    assert.equal(titleOf(call), "Find “key” in node_modules");
  });

  it("A3: two roots of one name are told apart, in titles and in paths", async () => {
    await folder.put("one/app/x", "one");
    await folder.put("two/app/x", "two");
    const roots = createDiskWorkspace(folder.at("one/app"), folder.at("two/app"));
    const read = toolsOver(roots).find(({ declaration }) => declaration.name === "read_file");
    const call = await read?.prepare({ path: folder.at("two/app/x") }, never);
    assert.equal(call && titleOf(call), "Read app (2)/x");
    assert.equal(await (await read?.prepare({ path: "app (2)/x" }, never))?.run(never), "two\n(lines 1 to 1 of 1)");
    assert.equal(await (await read?.prepare({ path: "app/x" }, never))?.run(never), "one\n(lines 1 to 1 of 1)");
  });

  describe("with a folder that is swapped for a link while it is read", () => {
    const swap = async (): Promise<void> => {
      await rename(folder.at("root/sub"), folder.at("aside"));
      await rename(folder.at("link"), folder.at("root/sub"));
    };
    const swapBack = async (): Promise<void> => {
      await rename(folder.at("root/sub"), folder.at("link"));
      await rename(folder.at("aside"), folder.at("root/sub"));
    };
    const whileSwapped = async <T>(work: () => Promise<T>): Promise<T> => {
      await swap();
      try {
        return await work();
      } finally {
        await swapBack();
      }
    };

    beforeEach(async () => {
      const swapping = (workspace: Workspace): Workspace => ({
        ...workspace,
        async open(path): Promise<OpenFile> {
          if (!path.includes("/sub/file")) return workspace.open(path);
          return await whileSwapped(() => workspace.open(path));
        },
        async list(path, limit) {
          if (!path.endsWith("/sub")) return workspace.list(path, limit);
          return await whileSwapped(() => workspace.list(path, limit));
        },
      });
      await folder.remove();
      folder = await createToolFolder({ inside: "root", over: swapping });
      await folder.put("root/sub/file", "inside");
      await folder.put("outside/file", "OUTSIDE");
      await folder.put("outside/only-outside", "OUTSIDE");
      await writeFile(folder.at("root/other"), "x");
      await symlink(folder.at("outside"), folder.at("link"));
    });

    it("A4 (finding S15): nothing outside is read, found or listed", async () => {
      assert.doesNotMatch(await folder.refusal("read_file", { path: "sub/file" }), /OUTSIDE/);
      assert.equal(await folder.run("find_text", { text: "outside" }), "(no hits)");
      assert.equal(await folder.run("list_files", {}), "other");
    });
  });
});
