/** The request for a summary fits into what it is to make room in. */
import assert from "node:assert/strict";
import { summaryRequest } from "../../../../src/chat/request/summaryRequest";
import { smallModel, textOfMessage } from "../../../support/summarizedChats";

describe("request for a summary", () => {
  it("A6: whatever the size of the context, the request for a summary is no larger than that", () => {
    const entries = Array.from({ length: 2000 }, (_, at) => {
      return { type: "user", id: `u${at}`, text: "漢".repeat(50), at: 0 } as const;
    });
    const coverage = { until: "u1999", before: undefined, entries };
    const lengths = [0, 1, 100, 1000].map(
      (size) => summaryRequest(smallModel, coverage, size).messages.map(textOfMessage).join("").length,
    );
    const [least = 0] = lengths;
    assert.ok(
      lengths.every((length, at) => length - least <= [0, 1, 100, 1000][at]! * 4),
      lengths.join(),
    );
    assert.ok(least < 1000, lengths.join());
  });
});
