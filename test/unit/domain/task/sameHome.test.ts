/** Where a task is at home, and what of that decides whether it may be sent. */
import assert from "node:assert/strict";
import { localOrigin } from "../../../../src/domain/gateway/address";
import type { TaskHome } from "../../../../src/domain/task/task";
import { homeMark, isFreeTask, isOtherHome, isSameHome, otherHomeError } from "../../../../src/domain/task/sameHome";
import { home, makeTask } from "../../../support/builders";

describe("the home of a task", () => {
  it("is the same only with the same origin, account and base URL (T1, C2)", () => {
    assert.ok(isSameHome(home, { ...home }));
    for (const other of [{ origin: "https://other.example" }, { account: "a2" }, { baseUrl: "https://x.example/v2" }])
      assert.ok(!isSameHome(home, { ...home, ...other }), JSON.stringify(other));
  });

  it("is the same for the local gateway whatever its address, and not for another account there (T1, L1)", () => {
    const local: TaskHome = { origin: localOrigin, baseUrl: "http://127.0.0.1:1/v1", account: "a1" };
    assert.ok(isSameHome(local, { ...local, baseUrl: "http://127.0.0.1:2/v1" }));
    assert.ok(!isSameHome(local, { ...local, account: "a2" }));
  });

  it("says whether the task costs anything (T3)", () => {
    assert.ok(!isFreeTask(makeTask()));
    assert.ok(isFreeTask(makeTask({ intent: { home: { ...home, origin: localOrigin } } })));
  });

  it("is kept as one text that differs by origin and by account (C2)", () => {
    const marks = [home, { ...home, origin: "https://other.example" }, { ...home, account: "a2" }].map(homeMark);
    assert.equal(new Set(marks).size, 3);
  });

  it("is another one only where nothing was sent for that reason (T1)", () => {
    assert.ok(isOtherHome(otherHomeError));
    assert.ok(!isOtherHome({ kind: "rejected", message: "", code: otherHomeError.code }));
    assert.ok(!isOtherHome({ kind: "rejected", message: "", code: "400", notSent: true }));
  });
});
