/** The words for trouble with the file of tasks: what happened, what it means for the money, what to do. */
import assert from "node:assert/strict";
import { DatabaseFailure, type DatabaseFailureKind } from "../../../../src/base/database/failure";
import { describeUnwritten } from "../../../../src/domain/words/describeError";
import {
  describeReplacedFile,
  describeStorage,
  describeStorageRemedy,
} from "../../../../src/domain/words/describeStorage";
import { storageError } from "../../../../src/domain/errors/appError";

const foreign = "/home/jane/tasks.db [x](command:y)";
const kinds: readonly (readonly [DatabaseFailureKind, RegExp, RegExp, string])[] = [
  ["full", /disk of this machine is full/, /Free some space/, "retry"],
  ["read-only", /can't be written/, /writable/, "retry"],
  ["newer", /newer version of Sluice/, /Reload the window/, "reload-window"],
  ["busy", /Another program holds/, /tries again by itself/, "retry"],
  ["corrupt", /damaged/, /keeps the damaged one/, "retry"],
  ["missing-runtime", /no SQLite/, /Update VS Code/, "retry"],
  ["unsupported-locking", /does not support file locks/, /local drive/, "retry"],
  ["cannot-open", /can't be opened/, /Remove what is in its place/, "retry"],
  ["io", /could not write/, /tries again/, "retry"],
];

describe("words for the file of tasks", () => {
  for (const [kind, happened, remedy, action] of kinds) {
    it(`T1 (finding 9): ${kind}: what happened, what it means for the money, and what to do`, () => {
      const { error } = storageError(new DatabaseFailure(kind, foreign));
      assert.match(describeStorage(error), happened);
      assert.match(describeStorageRemedy(error), remedy);
      const idle = describeUnwritten(0, error);
      assert.match(idle.title, happened);
      assert.match(idle.meaning, /Nothing paid is lost/);
      assert.match(idle.meaning, remedy);
      assert.equal(idle.action.id, action);
      const paid = describeUnwritten(2, error);
      assert.match(`${paid.title} ${paid.meaning}`, /2 accepted tasks are not on disk yet.*without paying twice/);
      assert.equal(paid.action.id, "retry", "a reload would forget them");
    });
  }

  it("T1 (finding 9): a damaged file that was replaced: how many tasks are left, and where it is kept", () => {
    const words = describeReplacedFile({ setAside: "/s/tasks.db.corrupt-1", tasks: 38, expected: 40, fromBackup: 3 });
    assert.match(words, /38 of 40 tasks are in the list/);
    assert.match(words, /3 of them are from the last backup/);
    assert.match(words, /paid task that is missing goes on at the gateway/);
    assert.match(words, /kept as “\/s\/tasks\.db\.corrupt-1”/);
  });
});
