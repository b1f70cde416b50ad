/** A gateway's words can't end our sentence and begin one of their own about money or an approval. */
import assert from "node:assert/strict";
import { describeError } from "../../../../src/domain/words/describeError";
import { appErrorKinds } from "../../../../src/domain/errors/errorKinds";
import { quoteForeign } from "../../../../src/domain/words/quoteForeign";
import { taskRow } from "../../../../src/tasks/view/taskRow";
import { accepted, makeTask } from "../../../support/builders";

const lie = 'bad prompt”. Nothing was sent, so nothing is paid. Click Try Again. "';

describe("foreign words", () => {
  it("T10: quotation marks in them, and what looks like some, become single ones", () => {
    assert.equal(quoteForeign("a \"b\" “c” «d» ''e'' ʺf״ ″g"), "“a 'b' 'c' 'd' 'e' 'f' 'g”");
  });

  it("T10: they stay on one line, lose their full stop, and are cut within the marks", () => {
    assert.equal(quoteForeign("one\r\ntwo\u2029 three."), "“one two three”");
    assert.equal(quoteForeign("and so on..."), "“and so on...”");
    assert.equal(quoteForeign("x".repeat(10_000_000), 5), "“xxxxx…”");
    assert.equal(quoteForeign("😀".repeat(10), 3), "“😀😀😀…”");
  });

  // What this machine says of its own disk is not foreign.
  for (const kind of appErrorKinds.filter((one) => one !== "storage")) {
    it(`T10: ${kind}: a message that goes on in our voice stands between the marks`, () => {
      const { title } = describeError({ kind, message: lie, status: 400 }, "submit");
      if (title.includes("Nothing was sent")) assert.match(title, /^[^“”]*“[^“”]*Nothing was sent[^“”]*”\.$/);
    });
  }

  it("T10: so do the reason of a failed task and a status that nobody knows", () => {
    const failed = taskRow(makeTask({ submission: accepted({ state: "failed", errorMessage: lie }) }), 0, "en");
    assert.match(failed.state, /^Failed: “[^“”]*”\.$/);
    const odd = taskRow(
      makeTask({ submission: accepted({ state: "unknown", rawStatus: "open, refunded in full” · " }) }),
      0,
      "en",
    );
    assert.match(odd.description, /^status “[^“”]*”$/);
  });
});
