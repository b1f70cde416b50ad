/** Closes Markdown marks that are open at the end of a growing text, so that they are not shown as stars until the closing mark arrives. Pure. */
import type { Tokenizer } from "marked";
import type { Inline, MarkdownBlock } from "./tree";

/**
 * Rules for where emphasis and struck text may begin and end next to Chinese, Japanese and Korean. CommonMark treats a full-width sign like the
 * punctuation of a sentence with spaces, so that `**注意：**请` shows its stars. In the amendment that parsers for these languages share, the signs and
 * letters of these scripts hinder no mark, and count as a space next to another sign.
 */
type Rules = Tokenizer["rules"];

/**
 * Letters and signs of these scripts, as part of a character class with the flag `u`. The wide space is not among them, because it counts as a space.
 */
const cjk = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\u3001-\u303f\u30fb\u30fc\uff01-\uff60\uffe0-\uffe6`;

/** The rules of the library with new patterns for `*` and `~`. Each pattern has the groups of the one that it replaces. */
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

/** Matches a sign that is not of these scripts. */
const other = String.raw`(?![${cjk}])[\p{P}\p{S}]`;

/**
 * Matches the runs of a mark by what they can do: end (groups 1, 2), begin (3, 4), or both (5, 6). `before` is skipped. `letter` is a sign that
 * counts as a letter.
 */
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

/** The maximum number of characters after an open mark. A mark with more text after it counts as text, as in `**kwargs`. */
const maxOpen = 200;
/**
 * `opening` matches bold or code that begins at a word, which has no space before it in Chinese and Japanese. `bare` matches a mark without text
 * after it.
 */
const opening = new RegExp(
  String.raw`(?:(?<![\p{L}\p{N}\\*\x60])|(?<=[${cjk}]))(?:\*\*(?=[^\s*])|\x60(?=[^\s\x60]))`,
  "gu",
);
const bare = new RegExp(String.raw`(?<![^\s(\[${cjk}])(?:\*\*?|\x60)$`, "u");

/** Closes the marks of the last block of a growing text. Returns the same object where no mark is open. */
export function closeMarks(block: MarkdownBlock): MarkdownBlock {
  switch (block.type) {
    case "paragraph":
    case "plain":
    case "heading": {
      const children = closeInlines(block.children);
      return children === block.children ? block : { ...block, children };
    }
    case "quote": {
      const children = closeLast(block.children, closeMarks);
      return children === block.children ? block : { ...block, children };
    }
    case "list": {
      const items = closeLast(block.items, (item) => {
        const children = closeLast(item.children, closeMarks);
        return children === item.children ? item : { ...item, children };
      });
      return items === block.items ? block : { ...block, items };
    }
    case "code":
    case "table":
    case "rule":
      return block;
  }
}

function closeLast<T>(all: readonly T[], close: (last: T) => T): readonly T[] {
  const last = all.at(-1);
  if (last === undefined) return all;
  const closed = close(last);
  return closed === last ? all : [...all.slice(0, -1), closed];
}

function closeInlines(children: readonly Inline[]): readonly Inline[] {
  const half = closeHalf(children);
  if (half !== undefined) return half;
  const last = children.at(-1);
  if (last?.type === "text") {
    const text = last.text.replace(bare, "");
    if (text !== last.text) return [...children.slice(0, -1), { type: "text", text }];
  }
  const open = findOpening(children);
  if (open === undefined) return children;
  const { index, text, mark, at } = open;
  const rest: readonly Inline[] = [{ type: "text", text: text.slice(at + mark.length) }, ...children.slice(index + 1)];
  const before = text.slice(0, at);
  return [
    ...children.slice(0, index),
    ...(before === "" ? [] : [{ type: "text", text: before } as const]),
    mark === "`" ? { type: "code", text: textOf(rest) } : { type: "strong", children: closeInlines(rest) },
  ];
}

interface Opening {
  /** `index` is that of the text among its siblings, `at` that of the mark in the text. */
  readonly index: number;
  readonly at: number;
  readonly text: string;
  readonly mark: string;
}

/** The first open mark in the last `maxOpen` characters. Earlier text is not searched. */
function findOpening(children: readonly Inline[]): Opening | undefined {
  let found: Opening | undefined;
  let left = maxOpen;
  for (let index = children.length - 1; index >= 0 && left > 0; index -= 1) {
    const inline = children[index];
    if (inline === undefined) break;
    if (inline.type === "text") {
      opening.lastIndex = Math.max(0, inline.text.length - left);
      const match = opening.exec(inline.text);
      if (match !== null) found = { index, at: match.index, text: inline.text, mark: match[0] };
    }
    left -= textOf([inline]).length;
  }
  return found;
}

/** Reads `**bold*`, whose last star has not arrived, as bold. The library reads it as a star and emphasis. */
function closeHalf(children: readonly Inline[]): readonly Inline[] | undefined {
  const [star, emphasis] = children.slice(-2);
  if (star?.type !== "text" || emphasis?.type !== "emphasis" || !star.text.endsWith("*")) return undefined;
  const before = star.text.slice(0, -1);
  return [
    ...children.slice(0, -2),
    ...(before === "" ? [] : [{ type: "text", text: before } as const]),
    { type: "strong", children: emphasis.children },
  ];
}

function textOf(inlines: readonly Inline[]): string {
  return inlines.map((one) => ("text" in one ? one.text : "children" in one ? textOf(one.children) : "\n")).join("");
}
