/** What a call is said to do: a person decides by these words. */
import assert from "node:assert/strict";
import { describeAction } from "../../../../src/domain/words/describeTool";

describe("words of a call", () => {
  const created = (count: number): { readonly type: "create-file"; readonly path: string }[] =>
    Array.from({ length: count }, (_, at) => ({ type: "create-file", path: `${at}.txt` }));
  const listed = { type: "more-files", count: 100 } as const;

  it("A13: many changes are named up to eight, and the title counts those that it does not name", () => {
    assert.equal(describeAction({ type: "change-files", parts: created(2) }), "2 changes: 0.txt, 1.txt");
    assert.match(
      describeAction({ type: "change-files", parts: created(10) }),
      /^10 changes: 0\.txt, .*7\.txt and 2 more$/,
    );
    assert.match(
      describeAction({ type: "change-files", parts: [...created(2), listed] }),
      /^102 changes: .* and 100 more$/,
    );
    assert.match(
      describeAction({ type: "change-files", parts: [...created(10), listed] }),
      /^110 changes: .* and 102 more$/,
    );
  });

  it("A13: a file that is changed twice is named once, and is none of those that are not named", () => {
    const parts = [...created(9), ...created(9)];
    assert.match(describeAction({ type: "change-files", parts }), /^18 changes: .* and 1 more$/);
  });
});
