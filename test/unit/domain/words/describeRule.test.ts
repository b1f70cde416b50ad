/** What a longer yes says that it covers: a person decides by these words. */
import assert from "node:assert/strict";
import { describeRule } from "../../../../src/domain/words/describeRule";

describe("words of a rule", () => {
  it("A3 (finding H2): both offers, for files and for commands, say that a command asks after files were changed by a rule", () => {
    assert.match(
      describeRule({ type: "plain-files" }),
      /The next command outside of the sandbox asks too, and lists the changed files$/,
    );
    for (const folder of [".", "src"]) {
      const command = { type: "command", argv: ["npm", "test"], folder } as const;
      for (const subject of [command, { ...command, argv: ["npm", "test", "src/a.ts"], places: [2] } as const])
        assert.match(describeRule(subject), /It asks again after files were changed by a rule$/);
    }
  });

  it("A3: one for a command names the words that others may replace", () => {
    const argv = ["npx", "eslint", "--fix", "src/a.ts", "src/b c.ts"];
    assert.match(
      describeRule({ type: "command", argv, folder: ".", places: [3, 4] }),
      /^Run “npx eslint --fix src\/a.ts "src\/b c.ts"” in the workspace folder, also with other source files and documents that git tracks in place of src\/a.ts, "src\/b c.ts"\./,
    );
    assert.match(describeRule({ type: "command", argv, folder: "." }), /^Run exactly “npx eslint/);
  });

  it("A3 (finding H11): one for paid tasks names model and options", () => {
    const tasks = { type: "submit-task", taskType: "video", model: "small", options: {}, left: 5 } as const;
    assert.match(
      describeRule(tasks),
      /^Submit up to 5 more tasks of the type video by small, without options; each is/,
    );
    assert.match(
      describeRule({ ...tasks, left: 1, options: { seconds: 4 } }),
      /^Submit 1 more task of the type video by small, with options no larger than {"seconds":4}; it is paid$/,
    );
  });
});
