/** What is typed into a terminal for a command that was moved there. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { terminalLine } from "../../../../src/vscode/interface/terminalLine";

describe("command in a terminal", () => {
  it("A2: plain words are run, where the shell is known to read them so", () => {
    const simple = ["npm", "run", "test:unit"];
    for (const shell of ["/bin/zsh", "/usr/bin/fish", "C:\\Windows\\System32\\cmd.exe", "pwsh", ""]) {
      assert.deepEqual(terminalLine({ line: "npm run test:unit", argv: simple }, shell), {
        text: "npm run test:unit",
        outcome: "started",
      });
    }
    const line = "git commit -m 'a b'";
    const argv = ["git", "commit", "-m", "a b"];
    assert.deepEqual(terminalLine({ line, argv }, "/bin/bash"), { text: line, outcome: "started" });
    assert.deepEqual(terminalLine({ line, argv }, "pwsh.exe"), { text: line, outcome: "typed" });
  });

  it("A3, A4: a line that is more is typed and not sent; one with a line break or a key in it is not typed", () => {
    assert.deepEqual(terminalLine({ line: "a | b" }, "/bin/sh"), { text: "a | b", outcome: "typed" });
    for (const line of ["a\nb", "a\rb", "a\tb", "a\u0003b", "a\u001b[A", "a\u0085b"]) {
      assert.deepEqual(terminalLine({ line }, "/bin/sh"), { text: "", outcome: "opened" });
    }
  });

  it("A3: what is sent has the same words in the real sh", function () {
    if (process.platform === "win32") this.skip();
    const word = fc.string({ unit: fc.constantFrom(...Array.from("ab '\"\\$`;&|~=#!*-")) });
    for (const words of fc.sample(fc.array(word, { minLength: 1, maxLength: 4 }), { numRuns: 40, seed: 13 })) {
      const { text, outcome } = terminalLine({ line: "", argv: ["printf", "%s\\0", ...words] }, "/bin/sh");
      assert.equal(outcome, "started");
      const read = execFileSync("/bin/sh", ["-c", text], { encoding: "utf8" });
      assert.deepEqual(read.split("\0").slice(0, -1), words);
    }
  });
});
