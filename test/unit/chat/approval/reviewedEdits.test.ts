/** *Allow Edits, I Review Them After*: which edits land at once by that choice, and that everything else asks as before (A16). */
import assert from "node:assert/strict";
import { createGuard, type GuardedFolder } from "../../../support/guardedFolder";

const edit = (path: string, from: string, to: string) => ({
  name: "edit_file",
  input: { path, old_text: from, new_text: to },
});
const plain = ["a.ts", "b.ts", "README.md"];
const others = ["data.json", "tsconfig.json", ".env", "hard.ts", "dist/built.ts", "untracked.ts"];

describe("edits that are reviewed after they have landed", () => {
  let over: GuardedFolder;
  beforeEach(async () => {
    over = await createGuard();
    for (const name of [...plain, "data.json", "tsconfig.json", ".env"]) await over.put(name, "one two three\n");
    await over.put(".gitignore", "dist\n");
    await over.git("init", "-q");
    await over.git("add", "--force", ".");
    await over.put("dist/built.ts", "one two three\n");
    await over.put("untracked.ts", "one two three\n");
    await over.link("data.json", "hard.ts");
  });
  afterEach(() => over.remove());
  const offered = (): boolean => over.questions.at(-1)?.offers?.some(({ scope }) => scope === "review") === true;

  it("A16: after the choice edits of plain files that git tracks ask nothing, in each chat and window, until it is taken back", async () => {
    const { session, rules } = over.open();
    await over.turn(session, [[edit("a.ts", "one", "1")], [edit("README.md", "one", "1")]], ["review"]);
    assert.deepEqual(over.allowed(session), ["call", "workspace"]);
    const next = over.openWindow();
    const later = next.open().session;
    assert.equal(await over.turn(later, [[edit("README.md", "two", "2")], [edit("a.ts", "two", "2")]], []), 0);
    assert.equal(await rules.reviewsEdits(), true);
    await next.rules.setReviewsEdits(false);
    assert.equal(await over.turn(session, [[edit("a.ts", "three", "3")]], ["once"]), 1);
    assert.ok(offered(), "it can be chosen again");
  });

  for (const path of others) {
    it(`A16, A4: ${path} asks as before, and its question does not offer the choice`, async () => {
      const { session } = over.open();
      await over.turn(session, [[edit("a.ts", "one", "1")]], ["review"]);
      assert.ok((await over.turn(session, [[edit(path, "one", "1")]], ["once", "once"])) > 0);
      assert.equal(offered(), false);
    });
  }

  it("A16, A4: a new file, a rename, a deletion and an edit that adds an address ask as before", async () => {
    const { session } = over.open();
    await over.turn(session, [[edit("a.ts", "one", "1")]], ["review"]);
    const calls = [
      { name: "create_file", input: { path: "new.ts", content: "x\n" } },
      { name: "rename_file", input: { path: "a.ts", new_path: "c.ts" } },
      { name: "delete_file", input: { path: "README.md" } },
      edit("README.md", "three", "![](https://example.com/x.png)"),
    ];
    for (const call of calls) {
      assert.equal(await over.turn(session, [[call]], ["no"]), 1, call.name);
      assert.equal(offered(), false, call.name);
    }
  });

  it("A16, A15: while the model is given text that others may have written, each edit asks", async () => {
    const { session } = over.open();
    await over.turn(session, [[edit("a.ts", "one", "1")]], ["review"]);
    await over.turn(session, [[{ name: "read_file", input: { path: "untracked.ts" } }]], []);
    assert.equal(await over.turn(session, [[edit("a.ts", "two", "2")]], ["once"]), 1);
    assert.equal(offered(), false);
    assert.ok(over.questions.at(-1)?.after?.includes("untracked.ts"), "the question says why");
  });

  it("A16, A3: what landed by the choice is listed before a rule lets a command run", async () => {
    const { session } = over.open();
    const test = { name: "run", input: { argv: ["npm", "test"] } };
    await over.turn(session, [[test], [edit("a.ts", "one", "1")]], ["session", "review"]);
    assert.equal(await over.turn(session, [[edit("a.ts", "two", "2")], [test]], ["once"]), 1);
    assert.deepEqual(over.questions.at(-1)?.changed, ["a.ts"]);
  });
});
