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
      for (const subject of [command, { ...command, open: true } as const])
        assert.match(describeRule(subject), /It asks again after files were changed by a rule$/);
    }
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
