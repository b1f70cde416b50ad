// Makes edits of real sources with their intended results, and the mistakes that models make in them.

/** @typedef {{ readonly oldText: string, readonly newText: string, readonly content: string, readonly intended: string, readonly line: number }} Edit `line`: index of the first one that it replaces */
/** @typedef {{ readonly name: string, readonly change: (edit: Edit, random: () => number) => Edit | undefined, readonly isRefused?: true }} Mutation `isRefused`: what is wanted is not in the file */

/** Mulberry32. @param {number} seed */
export function seeded(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** @param {() => number} random @param {number} count */
const below = (random, count) => Math.floor(random() * count);

/** Draws some lines that a file has once, and what a person could make of them. @param {string} content @param {() => number} random @returns {Edit | undefined} */
export function drawEdit(content, random) {
  const lines = content.split("\n").slice(0, -1);
  const length = 1 + below(random, 8);
  const line = below(random, Math.max(1, lines.length - length));
  const old = lines.slice(line, line + length);
  const oldText = `${old.join("\n")}\n`;
  if (old.some((one) => one.length > 500) || old[0]?.trim() === "" || old.at(-1)?.trim() === "") return undefined;
  const now = changed(old, lines, random);
  const newText = now.length === 0 ? "" : `${now.join("\n")}\n`;
  const at = content.indexOf(oldText);
  const startsLine = at === 0 || content[at - 1] === "\n";
  if (!startsLine || content.includes(oldText, at + 1) || newText === oldText) return undefined;
  return {
    oldText,
    newText,
    content,
    line,
    intended: content.slice(0, at) + newText + content.slice(at + oldText.length),
  };
}

/** @param {readonly string[]} old @param {readonly string[]} all @param {() => number} random @returns {readonly string[]} */
function changed(old, all, random) {
  const at = below(random, old.length);
  switch (below(random, 4)) {
    case 0:
      return old.map((line, index) => (index === at ? withOtherWord(line, random) : line));
    case 1: {
      // This adds a line that is there elsewhere, as deep as the one before it, or one level deeper where that one opens a block.
      const before = old[at] ?? "";
      const depth = /[{([]$/.test(before) ? `${indentOf(before)}  ` : indentOf(before);
      const fitting = all.filter((line) => line.trim() !== "" && indentOf(line) === depth && !old.includes(line));
      const line = fitting[below(random, fitting.length)] ?? `${depth}done();`;
      return [...old.slice(0, at + 1), line, ...old.slice(at + 1)];
    }
    case 2:
      return old.filter((_, index) => index !== at);
    default:
      return [
        ...old.slice(0, at + 1),
        "",
        `${indentOf(old[at] ?? "")}added(${below(random, 1000)});`,
        ...old.slice(at + 1),
      ];
  }
}

/** @param {string} line */
const indentOf = (line) => /^[ \t]*/.exec(line)?.[0] ?? "";

/** @param {string} line @param {() => number} random */
function withOtherWord(line, random) {
  const words = [...line.matchAll(/[A-Za-z]{3,}/g)];
  const word = words[below(random, words.length)];
  if (!word) return `${line}// changed`;
  return `${line.slice(0, word.index)}renamed${line.slice(word.index + word[0].length)}`;
}

/** Makes a mistake that shows in the old text: one that is made in new lines only looks like what is wanted. @param {Edit} edit @param {(text: string) => string} change @returns {Edit | undefined} */
function shown(edit, change) {
  const [oldText, newText] = [change(edit.oldText), change(edit.newText)];
  const signs = (/** @type {string} */ text) => new Set(text.match(/[“”’\t]|&\w+;|&#39;/g) ?? []);
  const ofOld = signs(oldText);
  return [...signs(newText)].every((sign) => ofOld.has(sign)) && oldText !== edit.oldText
    ? { ...edit, oldText, newText }
    : undefined;
}

/** How many lines of a text are blank. @param {string} text */
const blanksIn = (text) => text.split("\n").filter((line) => line.trim() === "").length;

/** Whether its lines are in the text, however they are indented and spaced: there they may be meant. @param {string} content @param {string} text */
function isSomewhere(content, text) {
  const bare = (/** @type {string} */ whole) =>
    `\n${whole
      .split("\n")
      .map((line) => line.replaceAll(/\s+/g, ""))
      .filter((line) => line !== "")
      .join("\n")}\n`;
  return bare(content).includes(bare(text));
}

/** Changes both texts line by line. A text that is there exactly, at another place, is meant there, which is no mistake. @param {(line: string) => string} change @returns {Mutation["change"]} */
const eachLine = (change) => (edit) => {
  const all = (/** @type {string} */ text) =>
    text
      .split("\n")
      .map((line) => (line === "" ? "" : change(line)))
      .join("\n");
  const made = shown(edit, all);
  return made && `\n${edit.content}`.includes(`\n${made.oldText}`) ? undefined : made;
};

/** @param {Edit} edit @param {(text: string) => string} change */
const both = (edit, change) => ({ ...edit, oldText: change(edit.oldText), newText: change(edit.newText) });

/** The lines of both texts that are not blank. @param {Edit} edit */
const writtenLines = ({ oldText, newText }) => (oldText + newText).split("\n").filter((line) => line.trim() !== "");

const typographic = (/** @type {string} */ text) =>
  text
    .replace(/(^|[\s([{=:,>])"/gm, "$1“")
    .replaceAll('"', "”")
    .replaceAll("'", "’");
const entities = (/** @type {string} */ text) =>
  text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");

/** @type {readonly Mutation[]} */
export const mutations = [
  { name: "none", change: (edit) => edit },
  {
    name: "the common indentation left out",
    change: (edit) => {
      const least = Math.min(...writtenLines(edit).map((line) => indentOf(line).length));
      return least === 0 ? undefined : eachLine((line) => line.slice(least))(edit, Math.random);
    },
  },
  {
    name: "one level more",
    change: (edit, random) => eachLine((line) => (line.trim() === "" ? line : `    ${line}`))(edit, random),
  },
  {
    name: "the first line's indentation left out",
    change: (edit) => shown(edit, (text) => text.replace(/^[ \t]+/, "")),
  },
  {
    name: "tabs for blanks",
    change: eachLine((line) => "\t".repeat(indentOf(line).length / 2) + line.slice(indentOf(line).length)),
  },
  {
    name: "four blanks for two",
    change: eachLine((line) => indentOf(line).repeat(2) + line.slice(indentOf(line).length)),
  },
  { name: "blanks at the end of lines", change: eachLine((line) => `${line} `) },
  { name: "quotes of typography", change: (edit) => shown(edit, typographic) },
  {
    name: "plain quotes in a text of typography",
    change: (edit) => {
      // New lines with quotes that the old text has none of are wanted as they are.
      if (shown(edit, typographic) === undefined) return undefined;
      const written = {
        ...edit,
        ...both(edit, typographic),
        content: typographic(edit.content),
        intended: typographic(edit.intended),
      };
      return { ...written, oldText: edit.oldText, newText: edit.newText };
    },
  },
  { name: "entities", change: (edit) => shown(edit, entities) },
  { name: "escaped as JSON", change: (edit) => both(edit, (text) => JSON.stringify(text).slice(1, -1)) },
  { name: "escaped line ends", change: (edit) => both(edit, (text) => text.replaceAll("\n", "\\n")) },
  {
    name: "blank lines left out",
    change: (edit) => {
      const { oldText, newText } = edit;
      if (blanksIn(oldText) === 0 || blanksIn(oldText) !== blanksIn(newText)) return undefined;
      return both(edit, (text) => text.replace(/\n{2,}/g, "\n"));
    },
  },
  {
    name: "blank lines left out of the old text",
    change: (edit) =>
      // A blank line that is to go can't be both left out and taken away.
      blanksIn(edit.oldText) === 0 || blanksIn(edit.newText) < blanksIn(edit.oldText)
        ? undefined
        : { ...edit, oldText: edit.oldText.replace(/\n{2,}/g, "\n") },
  },
  {
    name: "a blank line more",
    change: (edit) => {
      // The line is added between two lines that follow each other in both texts.
      const lines = edit.oldText.split("\n").slice(0, -1);
      const at = lines.findIndex((line, index) => {
        const pair = `${line}\n${lines[index + 1]}\n`;
        return (
          line !== "" &&
          lines[index + 1] &&
          edit.newText.includes(pair) &&
          edit.newText.indexOf(pair) === edit.newText.lastIndexOf(pair)
        );
      });
      if (at < 0) return undefined;
      const pair = `${lines[at]}\n${lines[at + 1]}\n`;
      return both(edit, (text) => text.replace(pair, () => `${lines[at]}\n\n${lines[at + 1]}\n`));
    },
  },
  {
    name: "two blanks for one within lines",
    change: (edit) => {
      // Only the lines that the model quotes are changed; those that it adds are well spaced.
      const lines = edit.oldText.split("\n");
      const old = new Set(lines);
      const again = edit.newText.split("\n").filter((line) => line !== "" && old.has(line)).length;
      if (again > lines.filter((line) => line !== "").length) return undefined;
      const spaced = (/** @type {string} */ line) =>
        indentOf(line) + line.slice(indentOf(line).length).replaceAll(/(\S) (?=\S)/g, "$1  ");
      return both(edit, (text) =>
        text
          .split("\n")
          .map((line) => (old.has(line) ? spaced(line) : line))
          .join("\n"),
      );
    },
  },
  {
    name: "line ends of Windows in the file",
    change: (edit) => ({
      ...edit,
      content: edit.content.replaceAll("\n", "\r\n"),
      intended: edit.intended.replaceAll("\n", "\r\n"),
    }),
  },
  {
    name: "the common indentation left out, quotes of typography",
    change: (edit) => {
      const least = Math.min(...writtenLines(edit).map((line) => indentOf(line).length));
      return least === 0
        ? undefined
        : shown(
            both(edit, (text) => text.replaceAll(new RegExp(`^ {${least}}`, "gm"), "")),
            typographic,
          );
    },
  },
  {
    name: "a stale word",
    isRefused: true,
    change: (edit, random) => {
      const lines = edit.oldText.split("\n");
      const at = below(random, lines.length - 1);
      const stale = lines
        .map((line, index) => (index === at ? withOtherWord(line, random).replace("renamed", "formerly") : line))
        .join("\n");
      return stale === edit.oldText || isSomewhere(edit.content, stale) ? undefined : { ...edit, oldText: stale };
    },
  },
  {
    name: "a line that was added since",
    isRefused: true,
    change: (edit, random) => {
      const lines = edit.oldText.split("\n");
      if (lines.length < 4) return undefined;
      const at = 1 + below(random, lines.length - 3);
      const stale = lines.filter((line, index) => index !== at || line.trim() === "").join("\n");
      return stale === edit.oldText || isSomewhere(edit.content, stale) ? undefined : { ...edit, oldText: stale };
    },
  },
  {
    name: "a place of two",
    isRefused: true,
    change: (edit) => ({ ...edit, content: `${edit.content}\n${edit.oldText}` }),
  },
];
