/** The command palette lists by letter what fits the typed words: a command that was named must be the first, in each language. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import * as z from "zod/mini";
import { readLanguages } from "../../scripts/words.mjs";

const manifestSchema = z.object({
  contributes: z.object({
    commands: z.array(z.object({ command: z.string(), title: z.string(), category: z.optional(z.string()) })),
    menus: z.object({ commandPalette: z.array(z.object({ command: z.string(), when: z.string() })) }),
  }),
});
const wordsSchema = z.record(z.string(), z.string());
const { commands, menus } = manifestSchema.parse(JSON.parse(readFileSync("package.json", "utf8"))).contributes;
const hidden = new Set(menus.commandPalette.flatMap(({ command, when }) => (when === "false" ? [command] : [])));

function titlesIn(file: string): readonly string[] {
  const words = wordsSchema.parse(JSON.parse(readFileSync(file, "utf8")));
  return commands
    .filter(({ command }) => !hidden.has(command))
    .map(({ title }) => title.replace(/^%(.+)%$/, (whole, key: string) => words[key] ?? whole));
}

/** As VS Code's: each typed word begins a word of the title, in their order, or the title has the typed text as it is. */
function fits(typed: string, title: string): boolean {
  const [wanted, text] = [typed.toLowerCase(), title.toLowerCase()];
  if (text.includes(wanted)) return true;
  let rest = text.split(/[^\p{L}\p{N}]+/u);
  return wanted.split(/[^\p{L}\p{N}]+/u).every((word) => {
    const at = rest.findIndex((one) => one.startsWith(word));
    rest = rest.slice(at + 1);
    return at >= 0;
  });
}

const firstOf = (typed: string, titles: readonly string[]): string | undefined =>
  titles.filter((title) => fits(typed, title)).toSorted((one, other) => one.localeCompare(other))[0];

describe("the command palette", () => {
  for (const file of ["package.nls.json", ...readLanguages().map(({ manifest }) => manifest)]) {
    it(`V5 (newuser M1): whoever types a whole title of ${file} runs that command`, () => {
      const titles = titlesIn(file);
      assert.ok(titles.length > 40, `${titles.length}`);
      const others = titles.flatMap((title) => {
        const first = firstOf(title.replace(/…$/, ""), titles);
        return first === title ? [] : [`${title}: ${first}`];
      });
      assert.deepEqual(others, []);
    });
  }

  it("V5 (newuser M1): the words of README and documents lead to no command that changes files or spends money unless they name it", () => {
    const titles = titlesIn("package.nls.json");
    const changing = /^(?:Keep|Undo|Redo|Delete|Remove|Clear|Submit|Cancel|Replace|Revoke|Discard|Apply|Allow)\b/;
    const documents = [
      "README.md",
      ...["chat", "tasks", "safety", "models", "agents"].map((name) => `docs/${name}.md`),
    ];
    const named = documents.flatMap((file) =>
      [...readFileSync(file, "utf8").matchAll(/(?:_|\*\*)(?:Sluice: )?([A-Z][^_*\n]{3,50}?)(?:…)?(?:_|\*\*)/g)].map(
        ([, name = ""]) => name,
      ),
    );
    // One word alone is a button or a view.
    const ofWords = named.filter((name) => name.includes(" "));
    assert.ok(named.length > 100, `${named.length}`);
    const wrong = ofWords.flatMap((name) => {
      const first = firstOf(name, titles);
      const isOther =
        first !== undefined &&
        changing.test(first) &&
        !first.toLowerCase().startsWith(name.toLowerCase().split(" ")[0] ?? "");
      return isOther ? [`${name}: ${first}`] : [];
    });
    assert.deepEqual(wrong, []);
  });
});
