/** The gate for foreign text: what comes out is shown by VS Code as it is written. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { shownLine, shownParagraphs } from "../../../../src/vscode/interface/shownText";
import { anyCharacter } from "../../../support/anyCharacter";
import { runsOf } from "../../../support/runs";
import { assertConstant } from "../../../support/growth";

/** What VS Code makes a link or an icon of (parseLinkedText and renderLabelWithIcons of 1.106 to 1.139). */
const linkOf = /\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^)\s]+)(?: (["'])(.+?)(\3))?\)/i;
const iconOf = /\$\([A-Za-z0-9]+(?:-[A-Za-z0-9]+)*(?:~[A-Za-z0-9]+)?\)/;
const unseen =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u2800\u3164\ufeff\u{e0000}-\u{e007f}]/u;

const hostile = [
  "[Verify](command:runCommands?%7B%22commands%22%3A%5B%22x%22%5D%7D)",
  "[a](https://evil.example 'b')",
  "[a]\u200b(command:x)",
  "[a]\u0000(command:x)",
  "[a](\ncommand:x)",
  "[a][b](command:x)](command:y)",
  "]($(check)",
  "$(check) Paid. $($(x)",
  "$\u00ad(check)",
  "\u202Egnp.exe",
  "\u001b]8;;https://evil.example\u0007here\u001b]8;;\u0007",
  "\u001b[2J\u009b31m",
  "a\r\nb\u2028c\u2029d\u0085e\vf",
  "\u{e0041}\u{e0042}hidden",
  "\u2800\u3164\u115f\uffa0",
  "a" + "\u0301".repeat(500),
  "\ud83d lone \udc00",
  " ".repeat(100_000) + "after the blanks",
  "👩\u200d💻".repeat(500),
  "<img src=x onerror=alert(1)> **bold** `code` ![i](https://evil.example/i.png)",
];

describe("shown text", () => {
  const check = (shown: string, limit: number): void => {
    assert.doesNotMatch(shown, linkOf);
    assert.doesNotMatch(shown, iconOf);
    assert.doesNotMatch(shown, unseen);
    assert.ok(Array.from(shown).length <= limit, `${Array.from(shown).length} characters`);
    assert.equal(shown.isWellFormed(), true);
  };

  it("T11 (finding S2): no link, no icon and nothing unseen comes out of the gate, in a line or in paragraphs", () => {
    for (const text of hostile) {
      for (const composed of [text, `The gateway rejected the request: ${text} Nothing is paid.`, `${text}${text}`]) {
        check(shownLine(composed), 200);
        assert.doesNotMatch(shownLine(composed), /[\r\n\t]/);
        check(shownParagraphs(composed), 2000);
      }
    }
  });

  it("T11 (finding S2): of any text, cut anywhere, and a second pass changes nothing", () => {
    const piece = fc.oneof(
      fc.constantFrom(
        "[",
        "](",
        ")",
        "command:x",
        "$(",
        "check",
        ")",
        " ",
        "\n",
        "\u200d",
        "\ufe0f",
        "👩",
        "💻",
        "🏽",
        "\u0301",
      ),
      fc.constantFrom(...hostile.filter((text) => text.length < 100)),
      fc.string({ unit: anyCharacter, maxLength: 5 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), fc.integer({ min: 2, max: 120 }), (pieces, limit) => {
        for (const gate of [shownLine, shownParagraphs]) {
          const once = gate(pieces.join(""), limit);
          check(once, limit);
          assert.equal(gate(once, limit), once);
        }
      }),
      { numRuns: runsOf(2000) },
    );
  });

  it("A4 (finding S15): what is hidden is revealed, so that two names that look alike do not", () => {
    assert.equal(shownLine("invoice\u202Efdp.exe"), "invoice⟨U+202E⟩fdp.exe");
    assert.equal(shownLine("a\u2800b"), "a⟨U+2800⟩b");
    assert.equal(shownLine("tag\u{e0041}"), "tag⟨U+E0041⟩");
    assert.equal(shownLine("one\ntwo   three\u00a0four"), "one two three four");
    assert.equal(shownLine("\ud83d"), "⟨U+D83D⟩");
    assert.equal(shownLine(`a${"\u0301".repeat(6)}`), `a${"\u0301".repeat(4)}⟨U+0301⟩⟨U+0301⟩`);
  });

  it("A4 (finding S15): what people write is left as it is", () => {
    for (const text of [
      "A lighthouse at dusk, 3 × 4 (wide) [cut] costs $5",
      "👩‍💻 and 👩🏽‍🚀, ❤️, 1️⃣",
      "می‌خواهم",
      "क्‍ष",
      "שלום العالم",
      "Bonjour\u0301 é",
    ]) {
      assert.equal(shownLine(text), text);
      assert.equal(shownParagraphs(text), text);
    }
    assert.equal(shownParagraphs("first\n\nsecond  \r\n\n\n\nthird"), "first\n\nsecond\n\nthird");
  });

  it("A4 (finding S15): a cut falls between characters and is marked", () => {
    assert.equal(shownLine("x".repeat(201)), `${"x".repeat(199)}…`);
    assert.equal(shownLine("🌊".repeat(10), 4), "🌊🌊🌊…");
    assert.equal(shownLine("one two", 5), "one…");
  });

  it("A4 (finding S15): a long text costs no more time than its shown beginning", async () => {
    await assertConstant(100_000, (count) => {
      const huge = "[a](command:x) ".repeat(count);
      return () => check(shownLine(huge, 900), 900);
    });
  });
});
