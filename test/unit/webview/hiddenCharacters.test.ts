/** What a person decides on shows every character that it holds. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { revealHidden } from "../../../src/base/text/revealHidden";
import { revealAll, revealLine, revealName } from "../../../src/webview/hiddenCharacters";
import { textLines } from "../../../src/chat/page/rows/changeLines";
import { anyCharacter } from "../../support/anyCharacter";
import { runsOf } from "../../support/runs";

const shown = (line: string, continued = false): string =>
  revealLine(line, continued)
    .map((part) => (typeof part === "string" ? part : part.shown))
    .join("");

describe("hidden characters", () => {
  it("A3: characters that can't be seen are made visible, others kept", () => {
    assert.equal(revealAll("a\u202eb\u200bc\u0007"), "a⟨U+202E⟩b⟨U+200B⟩c⟨U+0007⟩");
    assert.equal(revealAll("\ttab\nzeile ä 漢 🎬 e\u0301"), "\ttab\nzeile ä 漢 🎬 e\u0301");
  });

  it("A3 (finding S15): whatever looks like a blank or like nothing is shown with its code", () => {
    const codes = [
      ...[
        0x00, 0x0b, 0x0d, 0x7f, 0x85, 0xa0, 0xad, 0x34f, 0x61c, 0x115f, 0x1160, 0x1680, 0x17b4, 0x2800, 0x3000, 0x3164,
      ],
      ...[
        0x180b, 0x180c, 0x180d, 0x180e, 0x180f, 0x2028, 0x2029, 0x202a, 0x202e, 0x202f, 0x205f, 0x2060, 0x2066, 0x206f,
      ],
      ...Array.from({ length: 16 }, (_, at) => 0x2000 + at),
      ...[0xd800, 0xdfff, 0xe000, 0xfe00, 0xfe0f, 0xfeff, 0xffa0, 0xfff9, 0xfffc, 0xffff],
      ...[0x16fe4, 0x1d159, 0x1d173, 0xe0001, 0xe0020, 0xe007f, 0xe0100, 0xe01ef, 0xe0fff, 0xf0000, 0x10ffff],
    ];
    for (const code of codes) {
      const expected = `a⟨U+${code.toString(16).toUpperCase().padStart(4, "0")}⟩b`;
      const text = `a${String.fromCodePoint(code)}b`;
      assert.equal(shown(text), expected);
      assert.equal(revealAll(text), expected);
      assert.equal(revealName(text), expected);
    }
  });

  it("A3: a joiner beside a picture that Unicode has not assigned yet is shown, as that is, so that a second look changes nothing", () => {
    const once = revealHidden("\u{1f094}\u200d👩 👩\u200d\u{1f094}");
    assert.equal(once, "⟨U+1F094⟩⟨U+200D⟩👩 👩⟨U+200D⟩⟨U+1F094⟩");
    assert.equal(revealHidden(once), once);
    assert.equal(revealHidden("👩🏽\u200d💻"), "👩🏽\u200d💻");
  });

  it("A3 (finding S15): a marker has a name that can be read aloud", () => {
    assert.deepEqual(revealLine("a\u202eb"), [
      "a",
      { shown: "⟨U+202E⟩", name: "right-to-left override U+202E", kind: "hidden" },
      "b",
    ]);
    assert.deepEqual(revealLine("\u3164"), [{ shown: "⟨U+3164⟩", name: "hidden character U+3164", kind: "hidden" }]);
  });

  it("A3 (finding S5): a long run of blanks within a line is counted, also of blanks that look like the usual one", () => {
    assert.equal(shown(`let a = 1;${" ".repeat(300)}evil();`), "let a = 1;·····⟨300 blanks⟩evil();");
    assert.equal(shown(`a;${"\u00a0".repeat(300)}evil();`), "a;⟨U+00A0 ×300⟩evil();");
    assert.equal(shown(`a;${" \t".repeat(5)}evil();`), "a;·····⟨10 blanks⟩evil();");
    assert.equal(shown("a        b"), "a        b");
  });

  it("A3 (finding S5): an indent is kept, a very long one counted; a tab elsewhere and blanks at the end are marked", () => {
    assert.equal(shown("    \tif (x) {"), "    \tif (x) {");
    assert.equal(shown(`${" ".repeat(300)}evil();`), "·····⟨300 blanks⟩evil();");
    assert.equal(shown("a\tb"), "a→b");
    assert.equal(shown("a  "), "a··");
    assert.equal(shown("a\t "), "a→·");
    assert.equal(shown(" ".repeat(9)), "·····⟨9 blanks⟩");
    assert.equal(shown(" ".repeat(12) + "b", true), "·····⟨12 blanks⟩b");
  });

  it("A3 (finding S15): a line break in a name does not end the line, and marks don't pile up over it", () => {
    assert.equal(revealName("a.ts\nAllow\tb"), "a.ts⟨U+000A⟩Allow⟨U+0009⟩b");
    assert.equal(shown(`a${"\u0301".repeat(50)}`), `a${"\u0301".repeat(4)}⟨U+0301 ×46⟩`);
  });

  it("A3 (finding S5): nothing of any line is lost, and nothing invisible is left", () => {
    const character = fc.oneof(
      fc.constantFrom(" ", " ", "\t", "a", "b", "\u00a0", "\u2800", "\u202e", "\r", "\u0301", "\ud800", "🎬"),
      fc.string({ unit: anyCharacter, minLength: 1, maxLength: 1 }),
    );
    fc.assert(
      fc.property(fc.array(character, { maxLength: 60 }), (characters) => {
        const line = characters.join("").replaceAll("\n", "");
        let kept = "";
        for (const part of revealLine(line)) {
          if (typeof part === "string") {
            assert.doesNotMatch(part, /[^\P{C}\t]|[\p{Zl}\p{Zp}\u2800\u3164\u00a0]/u);
            kept += part;
          } else assert.notEqual(part.name, "");
        }
        const visible = line.replace(
          /[\s\p{C}\p{M}\p{Default_Ignorable_Code_Point}\u2800\ufffc\u{13441}\u{13442}\u{1d159}]/gu,
          "",
        );
        assert.equal(kept.replace(/[\s\p{M}]/gu, ""), visible);
      }),
      { numRuns: runsOf(3000) },
    );
  });

  it("A3 (finding S5): arguments of one very long line are laid out in pieces, none within a character", () => {
    const lines = textLines("🎬".repeat(5000));
    assert.ok(lines.length > 1 && lines.every(({ text }) => text.length <= 4000));
    assert.equal(lines.map(({ text }) => text).join(""), "🎬".repeat(5000));
    assert.deepEqual(
      lines.map(({ continued }) => continued === true),
      [false, ...lines.slice(1).map(() => true)],
    );
  });

  it("A3: an indent is measured in columns, and blank hieroglyphs are marked", () => {
    assert.equal(shown(`${"\t".repeat(20)}run()`), `${"\t".repeat(20)}run()`);
    assert.match(shown(`${"\t".repeat(21)}run()`), /⟨21 blanks⟩run\(\)$/);
    assert.equal(shown("a\u{13441}b"), "a⟨U+13441⟩b");
    assert.equal(revealHidden("a\u{13442}b"), "a⟨U+13442⟩b");
  });

  it("A3: a right-to-left name is isolated, so that the count behind it stays behind it", () => {
    assert.equal(revealName("Edit \u05d0\u05d1: 3 lines changed"), "Edit \u2068\u05d0\u05d1\u2069: 3 lines changed");
  });
});
