/** The request for a summary fits into what it is to make room in. */
import assert from "node:assert/strict";
import type { UserEntry } from "../../../../src/domain/chat/chat";
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

  it("A6: what a started prompt and attached files said is in the request, each shortened, the files to a quarter", () => {
    const prompt: UserEntry = {
      type: "user",
      id: "u",
      text: "/review now",
      at: 0,
      started: { name: "review", kind: "prompt", text: `Look for slow loops.${"s".repeat(9000)}` },
      attachments: [
        { type: "text", path: "src/a.ts", text: `const answer = 42;${"a".repeat(9000)}` },
        { type: "unread", path: "src/b.ts", reason: "gone" },
      ],
    };
    const coverage = { until: "u", before: undefined, entries: [prompt] };
    const text = summaryRequest(smallModel, coverage, 100_000).messages.map(textOfMessage).join("");
    const written = text.slice(text.indexOf("Person:"));
    assert.equal(
      written.replaceAll(/([as])\1{9,}/g, (letters, letter: string) => `<${letter} ${letters.length}>`),
      [
        "Person:",
        "(attached: src/a.ts)",
        "```",
        "const answer = 42;<a 1982> (cut)",
        "```",
        "(attached: src/b.ts)",
        "(started the prompt review)",
        "```",
        "Look for slow loops.<s 7980> (cut)",
        "```",
        "/review now",
        "````",
      ].join("\n"),
    );
  });
});
