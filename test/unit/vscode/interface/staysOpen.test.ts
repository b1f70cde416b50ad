import assert from "node:assert/strict";
import { Emitter } from "../../../../src/base/event";
import { keepOpenWithText, staysOpen } from "../../../../src/vscode/interface/pickRules";

describe("lists when the focus moves", () => {
  it("P6: one stays that would lose what was given, and one that was only looked at closes", () => {
    const position = { step: 1, totalSteps: 2 };
    assert.equal(staysOpen({ position }, ""), true);
    assert.equal(staysOpen({ typed: () => ({ label: "" }) }, ""), true);
    assert.equal(staysOpen({ staysOpen: true }, ""), true);
    assert.equal(staysOpen({}, "lighthouse"), true);
    assert.equal(staysOpen({}, ""), false);
  });

  it("P6: a list stays while there is text in it", () => {
    const changed = new Emitter<string>();
    const pick = { value: "", ignoreFocusOut: true, onDidChangeValue: changed.event };
    const kept = keepOpenWithText(pick);
    assert.equal(pick.ignoreFocusOut, false);
    changed.fire("l");
    assert.equal(pick.ignoreFocusOut, true);
    changed.fire("");
    assert.equal(pick.ignoreFocusOut, false);
    kept.dispose();
    changed.fire("l");
    assert.equal(pick.ignoreFocusOut, false);
  });
});
