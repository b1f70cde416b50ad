/** Sentences over several rows of a quick pick: nothing is lost, and no row is too long. */
import assert from "node:assert/strict";
import { wrapWords } from "../../../../src/base/text/wrapWords";

const columns = (line: string): number => Array.from(line).reduce((sum, one) => sum + (one > "\u2e7f" ? 2 : 1), 0);

describe("wrapped words", () => {
  const english = "Compare the name with the gateway's console. In a company network a VPN or a proxy may be needed.";
  const chinese = "其颁发者既不在 VS Code 自带的证书中，也不在这台计算机的证书中；未设置 NODE_EXTRA_CA_CERTS。";

  it("C3: words stay whole, and no line is longer than the width", () => {
    for (const width of [12, 20, 33, 82]) {
      const lines = wrapWords(english, width);
      assert.equal(lines.join(" "), english);
      assert.ok(lines.every((line) => columns(line) <= width));
    }
  });

  it("C3: Chinese breaks between characters, and no line begins with a full stop or a comma", () => {
    for (const width of [24, 30, 40]) {
      const lines = wrapWords(chinese, width);
      assert.equal(lines.join("").replaceAll(" ", ""), chinese.replaceAll(" ", ""));
      assert.ok(
        lines.every((line) => columns(line) <= width && !/^[，。；]/.test(line)),
        lines.join("|"),
      );
    }
  });

  it("C3: a word that is longer than a line is broken; nothing makes no line", () => {
    assert.deepEqual(wrapWords("see https://gateway.example", 10), ["see", "https://ga", "teway.exam", "ple"]);
    assert.deepEqual(wrapWords("  ", 10), []);
  });
});
