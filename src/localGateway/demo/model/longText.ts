/** Long Markdown of the built-in model: headings, lists, tables, code and paragraphs from fixed phrases, chosen by seed. */
import type { SeededRandom } from "../seededRandom";

type Words = readonly [string, ...string[]];

const subjects: Words = [
  "The harbour",
  "A tide gate",
  "The upper reservoir",
  "Each lock",
  "The keeper",
  "A spring flood",
  "The old canal",
  "The measuring post",
];
const deeds: Words = [
  "holds back",
  "lets through",
  "measures",
  "shares out",
  "keeps count of",
  "slows",
  "remembers",
  "waits for",
];
const objects: Words = [
  "what the river brings",
  "more water than it shows",
  "every boat that passes",
  "the night's rain",
  "the level of the day before",
  "three channels at once",
  "what nobody asked for",
  "the first light",
];
const ends: Words = [
  "without hurry",
  "and writes it down",
  "until the level is even",
  "as it has always done",
  "before anyone notices",
  "so that nothing is lost",
  "and opens again at dusk",
  "with one hand on the wheel",
];

function sentence(random: SeededRandom): string {
  return `${random.pick(subjects)} ${random.pick(deeds)} ${random.pick(objects)} ${random.pick(ends)}.`;
}

function paragraph(random: SeededRandom): string {
  return Array.from({ length: random.integer(3, 6) }, () => sentence(random)).join(" ");
}

export function paragraphs(count: number, random: SeededRandom): string {
  return Array.from({ length: count }, () => paragraph(random)).join("\n\n");
}

/** Each section has a paragraph, a list, a table, code and a quotation. */
export function longMarkdown(random: SeededRandom, sections: number): string {
  const parts = ["# On gates and water", paragraph(random)];
  for (let section = 1; section <= sections; section += 1) {
    parts.push(`## ${section}. ${random.pick(subjects)}`, paragraph(random));
    parts.push(`### What to look at`, list(random), `### In numbers`, table(random));
    parts.push(`### As code`, code(random), `> ${sentence(random)}`, paragraph(random));
  }
  parts.push(
    "---",
    "Filler text of the demonstrator: **it means nothing**, and _it is the same each time_ for the same messages and seed.",
  );
  return parts.join("\n\n");
}

function list(random: SeededRandom): string {
  const items = Array.from({ length: 4 }, (_, index) => {
    const inner =
      index === 1 ? `\n   - ${sentence(random)}\n   - with \`inline code\` and a [link](https://example.org/)` : "";
    return `${index + 1}. **${random.pick(objects)}**: ${sentence(random)}${inner}`;
  });
  return [...items, "", "- [x] measured", "- [ ] written down"].join("\n");
}

function table(random: SeededRandom): string {
  const rows = Array.from({ length: 4 }, (_, index) => {
    const level = random.between(0.4, 4.2).toFixed(2);
    return `| Gate ${index + 1} | ${level} m | ${random.integer(10, 900)} | ${random.pick(["open", "shut", "half open"])} |`;
  });
  return ["| Gate | Level | Boats | State |", "|:--|--:|--:|:-:|", ...rows].join("\n");
}

function code(random: SeededRandom): string {
  const limit = random.integer(2, 9);
  return [
    "```ts",
    "interface Gate {",
    "  readonly level: number; // metres",
    "  readonly open: boolean;",
    "}",
    "",
    `/** Opens when the water stands higher than ${limit} m. */`,
    "export function step(gate: Gate, inflow: number): Gate {",
    "  const level = Math.max(0, gate.level + inflow - (gate.open ? 0.5 : 0));",
    `  return { level, open: level > ${limit} };`,
    "}",
    "```",
  ].join("\n");
}
