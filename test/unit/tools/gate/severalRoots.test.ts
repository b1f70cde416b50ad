/** A workspace of several folders: where a path leads that names none of them, and what tools say of the whole workspace. */
import assert from "node:assert/strict";
import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { gateFile, gateFolder, gatePlace } from "../../../../src/tools/gate/fileGate";
import { createToolFolder, reasonsOf, titleOf, type ToolFolder } from "../../../support/toolFolder";

describe("several roots", () => {
  let folder: ToolFolder;
  const { signal } = new AbortController();
  const workspace = () => folder.workspace;
  const ask = "Begin the path with the name of its folder: site, shop.";

  beforeEach(async () => {
    folder = await createToolFolder({
      over: (disk) => ({
        ...disk,
        roots: () =>
          disk.roots().flatMap(({ path }) => ["site", "shop"].map((name) => ({ name, path: join(path, name) }))),
      }),
    });
    await folder.put("outside/secret.txt", "secret");
    await folder.put("site/README.md", "site");
    await folder.put("site/src/app.ts", "const app = 1;");
    await folder.put("shop/README.md", "shop");
    await folder.put("shop/src/cart.ts", "const cart = 1;");
    await symlink(folder.at("outside"), folder.at("shop/out"));
  });
  afterEach(() => folder.remove());

  it("V4: a path that names none leads to the only one that has it", async () => {
    assert.equal((await gateFile(workspace(), "src/cart.ts", signal)).label, "shop/src/cart.ts");
    assert.equal((await gateFile(workspace(), "./src/app.ts", signal)).label, "site/src/app.ts");
    assert.equal((await gateFile(workspace(), "./shop/src/cart.ts", signal)).label, "shop/src/cart.ts");
    assert.equal((await gateFolder(workspace(), ".", signal)).label, "site/");
  });

  it("V4: a path that is in two or in none is asked for, with the names", async () => {
    assert.equal(
      await folder.refusal("read_file", { path: "README.md" }),
      `There are site/README.md and shop/README.md. ${ask}`,
    );
    assert.equal(
      await folder.refusal("read_file", { path: "src/gone.ts" }),
      `There is no gone.ts at that path. ${ask}`,
    );
    assert.equal(
      await folder.refusal("edit_file", { path: "README.md", old_text: "s", new_text: "t" }),
      `There are site/README.md and shop/README.md. ${ask}`,
    );
  });

  it("V4, A4: a link of one that leads out answers the same, whether something is there or not", async () => {
    const there = await folder.refusal("read_file", { path: "out/secret.txt" });
    const missing = await folder.refusal("read_file", { path: "out/nothing.txt" });
    assert.equal(missing, there.replaceAll("secret", "nothing"));
  });

  it("V4: a new file needs the name of its folder", async () => {
    await assert.rejects(gatePlace(workspace(), "src/new.ts", signal), { message: ask });
    assert.equal((await gatePlace(workspace(), "shop/src/new.ts", signal)).path, folder.at("shop/src/new.ts"));
  });

  it("A4 (finding H10): a root inside a folder of secrets is as secret as that: its files, lists and new files ask", async () => {
    const kube = await createToolFolder({ inside: "home/.kube" });
    await kube.put("home/.kube/config", "token");
    await kube.put("home/.kube/cache/x.txt", "token");
    for (const [tool, input] of [
      ["read_file", { path: "config" }],
      ["read_file", { path: "cache/x.txt" }],
      ["list_files", {}],
      ["find_text", { text: "token" }],
      ["write_file", { path: "new.txt", text: "x" }],
    ] as const)
      assert.match(reasonsOf(await kube.prepare(tool, input)) ?? "", /may hold a secret/, tool);
    await kube.remove();
  });

  for (const path of [undefined, "."])
    it(`V4: the whole workspace (${path ?? "no path"}) is all of them`, async () => {
      const input = path === undefined ? {} : { path };
      assert.equal(titleOf(await folder.prepare("list_files", input)), "List files");
      assert.equal(
        await folder.run("list_files", input),
        "site/README.md\nsite/src/app.ts\nshop/README.md\nshop/src/cart.ts",
      );
      assert.equal(await folder.run("list_files", { ...input, skip: 3 }), "shop/src/cart.ts");
      const found = await folder.run("find_text", { ...input, text: "const" });
      assert.match(found, /^shop\/src\/cart\.ts:1: .*\nsite\/src\/app\.ts:1: /);
    });

  it("V4: one of them is listed by its own paths", async () => {
    assert.equal(await folder.run("list_files", { path: "shop" }), "README.md\nsrc/cart.ts");
  });
});
