/** What a person is asked about a call that changes several files, and what a longer yes to it covers. */
import assert from "node:assert/strict";
import { partId } from "../../../../src/domain/chat/chat";
import { createGuard, type GuardedFolder } from "../../../support/guardedFolder";

const command = (...argv: string[]) => ({ name: "run", input: { argv } });

describe("a question about a patch", () => {
  let over: GuardedFolder;
  beforeEach(async () => {
    over = await createGuard();
    for (const name of ["a.ts", "b.ts"]) await over.put(name, "one two three\n");
    await over.put("package.json", '{ "name": "x" }');
  });
  afterEach(() => over.remove());

  it("A3, A10: a patch of several files is one question with the diff of each; a longer yes covers the next one, and its files are listed", async () => {
    const { session } = over.open();
    const patch = (from: string, to: string) => ({
      name: "apply_patch",
      input: {
        input: [
          "*** Begin Patch",
          ...["a.ts", "b.ts"].flatMap((path) => [`*** Update File: ${path}`, "@@", `-${from}`, `+${to}`]),
          "*** End Patch",
        ].join("\n"),
      },
    });
    const diffs: unknown[] = [];
    const listening = session.onDidEmit((event) => {
      if (event.type !== "tool-progress" || event.progress.state !== "waiting") return;
      const { approval, changes = [] } = event.progress;
      const paths = changes.map(({ change }) => change?.path);
      setImmediate(() => diffs.push([paths]));
      for (const at of [0, 1]) diffs.push(session.approvals.changeOf(approval.id, partId(event.call, at))?.after);
    });
    assert.equal(await over.turn(session, [[patch("one two three", "1")]], ["session"]), 1);
    listening.dispose();
    assert.deepEqual(diffs.slice(0, 2), ["1\n", "1\n"]);
    assert.deepEqual(diffs[2], [["a.ts", "b.ts"]]);
    assert.equal(await over.turn(session, [[patch("1", "2")]], []), 0);
    assert.deepEqual(over.allowed(session), ["session"]);
    await over.turn(session, [[command("npm", "test")]], ["once"]);
    assert.deepEqual(over.questions.at(-1)?.changed, ["a.ts", "b.ts"]);
  });
});
