/** Long Markdown of the built-in model: headings, lists, tables, code and paragraphs from fixed phrases, chosen by seed. */
import type { SeededRandom } from "../seededRandom";
import type { FillerWords } from "./demoWords";

function sentence(random: SeededRandom, words: FillerWords): string {
  const { subjects, deeds, objects, ends } = words;
  return words.sentence(random.pick(subjects), random.pick(deeds), random.pick(objects), random.pick(ends));
}

function paragraph(random: SeededRandom, words: FillerWords): string {
  return Array.from({ length: random.integer(3, 6) }, () => sentence(random, words)).join(words.blank);
}

export function paragraphs(count: number, random: SeededRandom, words: FillerWords): string {
  return Array.from({ length: count }, () => paragraph(random, words)).join("\n\n");
}

/** Each section has a paragraph, a list, a table, code and a quotation. */
export function longMarkdown(random: SeededRandom, sections: number, words: FillerWords): string {
  const { title, headings, subjects, end } = words;
  const parts = [`# ${title}`, paragraph(random, words)];
  for (let section = 1; section <= sections; section += 1) {
    parts.push(`## ${section}. ${random.pick(subjects)}`, paragraph(random, words));
    parts.push(`### ${headings.look}`, list(random, words), `### ${headings.numbers}`, table(random, words));
    parts.push(`### ${headings.code}`, code(random), `> ${sentence(random, words)}`, paragraph(random, words));
  }
  parts.push("---", end);
  return parts.join("\n\n");
}

function list(random: SeededRandom, words: FillerWords): string {
  const items = Array.from({ length: 4 }, (_, index) => {
    const inner = index === 1 ? `\n   - ${sentence(random, words)}\n   - ${words.inner}` : "";
    return `${index + 1}. **${random.pick(words.objects)}**: ${sentence(random, words)}${inner}`;
  });
  const [done, open] = words.ticks;
  return [...items, "", `- [x] ${done}`, `- [ ] ${open}`].join("\n");
}

function table(random: SeededRandom, { columns, gate, states }: FillerWords): string {
  const rows = Array.from({ length: 4 }, (_, index) => {
    const level = random.between(0.4, 4.2).toFixed(2);
    return `| ${gate} ${index + 1} | ${level} m | ${random.integer(10, 900)} | ${random.pick(states)} |`;
  });
  return [`| ${columns.join(" | ")} |`, "|:--|--:|--:|:-:|", ...rows].join("\n");
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
