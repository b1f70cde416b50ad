/** The one place that an edit means. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { TimeSlices } from "../../../../src/base/async/timeSlices";
import { ToolRefusal } from "../../../../src/domain/tools/tool";
import { replaceOnce as replaceInSlices } from "../../../../src/tools/edit/replaceOnce";

const replaceOnce = (content: string, oldText: string, newText: string): Promise<string> =>
  replaceInSlices(content, oldText, newText, new TimeSlices(new AbortController().signal));

describe("replaceOnce", () => {
  it("A2: replaces the exact text", async () => {
    assert.equal(await replaceOnce("a\nb\nc\n", "b", "B"), "a\nB\nc\n");
  });

  it("A2: a text that stands twice is refused", async () => {
    await assert.rejects(replaceOnce("x = 1\nx = 1\n", "x = 1", "x = 2"), /more than once/);
    await assert.rejects(replaceOnce("aaa", "aa", "b"), /more than once/);
  });

  it("A2: keeps the file's line ends", async () => {
    assert.equal(
      await replaceOnce("a\r\nb\r\nc\r\n", "a\nb", "a\nB\nbb"),
      "a\r\nB\r\nbb\r\nc\r\n".replace("a\r\nB", "a\r\nB"),
    );
  });

  it("A2: other white space around lines is tolerated, and the file's indentation is kept", async () => {
    const content = "class A {\n    run() {\n        return 1;\n    }\n}\n";
    const after = await replaceOnce(content, "run() {\n  return 1;\n}", "run() {\n  return 2;\n}");
    assert.equal(after, "class A {\n    run() {\n      return 2;\n    }\n}\n");
  });

  it("A2: a text that is not there is refused with the text as it stands", async () => {
    await assert.rejects(
      replaceOnce("one\ntwo\nthree\n", "two\ntwelve", "2"),
      (error: ToolRefusal) => error instanceof ToolRefusal && error.message.includes("one\ntwo\nthree"),
    );
  });

  it("A2: for any content, a unique piece is replaced and nothing else changes", async () => {
    const piece = fc.string({ minLength: 1, maxLength: 20 }).filter((text) => !/[\r\n]/.test(text));
    await fc.assert(
      fc.asyncProperty(
        fc.array(piece, { minLength: 1, maxLength: 12 }),
        fc.nat(),
        piece,
        async (lines, at, replacement) => {
          const content = lines.join("\n");
          const old = lines[at % lines.length]!;
          const first = content.indexOf(old);
          if (old === replacement || content.includes(old, first + 1)) return;
          assert.equal(
            await replaceOnce(content, old, replacement),
            content.slice(0, first) + replacement + content.slice(first + old.length),
          );
        },
      ),
    );
  });
});
