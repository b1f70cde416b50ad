// The answers that the bench streams: five kinds of Markdown of any length, the same in every run.

/** @typedef {"document" | "table" | "list" | "code block" | "paragraph"} Kind */

/** @type {readonly Kind[]} */
export const kinds = ["document", "table", "list", "code block", "paragraph"];

const words =
  "the gateway keeps each hold open until a task settles and then releases what was not used while readers poll for a result that may arrive late or never so every write names its revision".split(
    " ",
  );

/** A linear congruential generator gives numbers from 0 to `below` - 1. @param {number} seed */
function createRandom(seed) {
  let state = seed;
  return (/** @type {number} */ below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** @typedef {ReturnType<typeof createRandom>} Random */

/** @param {Random} random @param {number} count */
function phrase(random, count) {
  return Array.from({ length: count }, () => words[random(words.length)]).join(" ");
}

/** @param {Random} random */
function sentence(random) {
  const start = phrase(random, 4 + random(6));
  const middle = [`**${phrase(random, 2)}**`, `\`${phrase(random, 1)}()\``, `*${phrase(random, 1)}*`][random(9)];
  return `${start.charAt(0).toUpperCase()}${start.slice(1)} ${middle ?? phrase(random, 2)} ${phrase(random, 3)}.`;
}

/** @param {Random} random @param {number} count */
function sentences(random, count) {
  return Array.from({ length: count }, () => sentence(random)).join(" ");
}

/** @param {Random} random */
const row = (random) =>
  `| ${random(10_000)} | ${phrase(random, 3)} | \`${phrase(random, 1)}\` | ${phrase(random, 2)} |\n`;
/** @param {Random} random */
const item = (random) =>
  `- ${sentence(random)}\n${random(3) === 0 ? `  - ${phrase(random, 5)}\n  - **${phrase(random, 1)}** ${phrase(random, 3)}\n` : ""}`;
/** @param {Random} random */
const code = (random) =>
  `${"  ".repeat(random(4))}const ${phrase(random, 1)}${random(100)} = await read("${phrase(random, 2)}", ${random(1000)}); // ${phrase(random, 3)}\n`;
const header = "| number | words | code | more |\n|---:|---|---|:-:|\n";

/** @param {(random: Random) => string} part @param {Random} random @param {number} count */
const repeat = (part, random, count) => Array.from({ length: count }, () => part(random)).join("");

/** @param {Random} random */
function section(random) {
  return [
    `## ${phrase(random, 4)}\n`,
    `${sentences(random, 5)}\n`,
    `${sentences(random, 3)} See [the guide](https://example.com/guide/${random(1000)}).\n`,
    repeat(item, random, 4),
    `\`\`\`ts\n${repeat(code, random, 6)}\`\`\`\n`,
    header + repeat(row, random, 4),
    `> ${sentences(random, 2)}\n`,
  ].join("\n");
}

/** Returns an answer of at least so many characters, up to the end of its last part. @param {Kind} kind @param {number} size */
export function createText(kind, size) {
  const random = createRandom(12);
  const parts = { document: section, table: row, list: item, "code block": code, paragraph: sentence };
  const starts = { document: "", table: header, list: "", "code block": "```ts\n", paragraph: "" };
  let text = starts[kind];
  while (text.length < size)
    text += parts[kind](random) + (kind === "document" ? "\n" : kind === "paragraph" ? " " : "");
  return kind === "code block" ? `${text}\`\`\`\n` : `${text.trimEnd()}\n`;
}

/** Cuts the text into chunks of 8 to 32 characters, as tokens arrive. @param {string} text */
export function cutText(text) {
  const random = createRandom(7);
  /** @type {string[]} */
  const chunks = [];
  for (let at = 0; at < text.length;) {
    const end = at + 8 + random(25);
    chunks.push(text.slice(at, end));
    at = end;
  }
  return chunks;
}
