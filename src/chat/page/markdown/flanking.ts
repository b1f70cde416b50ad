/**
 * Where emphasis and struck text may begin and end beside Chinese, Japanese and Korean: CommonMark takes a full-width sign for the punctuation of a
 * sentence with spaces, so that `**注意：**请` shows its stars. By the amendment that parsers for these languages share, the signs and letters of these
 * scripts hinder no mark, and count as a space beside another sign.
 */
import type { Tokenizer } from "marked";

type Rules = Tokenizer["rules"];

/** Letters and signs of these scripts, as part of a character class with the flag `u`. The wide space is a space. */
export const cjk = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\u3001-\u303f\u30fb\u30fc\uff01-\uff60\uffe0-\uffe6`;

/** The rules of the library with those of `*` and `~` replaced. Each pattern has the groups of the one that it replaces. */
export function withCjkFlanking(rules: Rules): Rules {
  return {
    ...rules,
    inline: {
      ...rules.inline,
      emStrongLDelim: pattern(String.raw`^\*+(?:((?!\*)(?!~)${other})|([^\s*]))?`),
      emStrongRDelimAst: closing(
        String.raw`\*`,
        String.raw`\*+`,
        String.raw`^[^_*]*?__[^_*]*?\*[^_*]*?(?=__)|[^*]+(?=[^*])`,
        "~",
      ),
      delLDelim: pattern(String.raw`^~~?(?:((?!~)${other})|[^\s~])`),
      delRDelim: closing("~", "~~?", "[^~]+(?=[^~])", ""),
      punctuation: pattern(String.raw`^((?![*_])[\s\p{P}\p{S}${cjk}])`),
    },
  };
}

/** A sign of another script. */
const other = String.raw`(?![${cjk}])[\p{P}\p{S}]`;

/** The runs of a mark, by what they may do: end (1, 2), begin (3, 4), or both (5, 6). `before`: what is skipped. `letter`: a sign that counts as a letter. */
function closing(mark: string, run: string, before: string, letter: string): RegExp {
  const sign = letter === "" ? String.raw`(?!${mark})${other}` : String.raw`(?!${mark})(?!${letter})${other}`;
  const plain = String.raw`[^\s\p{P}\p{S}${cjk}]`;
  const word = letter === "" ? plain : String.raw`(?:${plain}|${letter})`;
  const wide = `[${cjk}]`;
  const end = String.raw`(?=\s|$)`;
  const forms = [
    `(?:${sign}|${wide})(${run})${end}`,
    String.raw`${word}(${run})(?!${mark})(?=\s|${sign}|$)`,
    String.raw`(?:\s(?=${run}(?:${word}|${wide}))|${sign}(?=${run}${word}))(${run})`,
    String.raw`\s(${run})(?!${mark})(?=${sign})`,
    `(?:${sign}(?=${run}(?:${sign}|${wide}))|${wide}(?=${run}(?:${sign})))(${run})(?!${mark})`,
    `(?:${word}|${wide})(${run})(?=${word}|${wide})`,
  ];
  return pattern(`${before}|${forms.join("|")}`, "gu");
}

function pattern(source: string, flags = "u"): RegExp {
  return new RegExp(source, flags);
}
