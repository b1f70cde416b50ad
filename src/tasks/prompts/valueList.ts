/** A list of values in a directive or in front matter: `[a, "b, c"]`, or a line with `- a` for each. Pure. */

/** Values of one list that can be used. */
export const maxValues = 100;

const flowItem = /"([^"]*)"|'([^']*)'|([^,\s][^,]*)/g;

/** Without those that are empty; of a list that is too long one more than can be used. `undefined` for what is no list. */
export function readList(text: string): readonly string[] | undefined {
  const given = text.trim();
  if (given.startsWith("[") && given.endsWith("]")) {
    const items = given.slice(1, -1).matchAll(flowItem);
    return kept([...items].map(([, double, single, plain]) => double ?? single ?? plain ?? ""));
  }
  const lines = given.split(/\r?\n/);
  if (!lines.every((line) => /^[ \t]*-(?:[ \t]|$)/.test(line))) return undefined;
  return kept(
    lines.map((line) =>
      line
        .trim()
        .slice(1)
        .trim()
        .replace(/^(["'])(.*)\1$/s, "$2"),
    ),
  );
}

function kept(values: readonly string[]): readonly string[] {
  return values
    .map((value) => value.trim())
    .filter((value) => value !== "")
    .slice(0, maxValues + 1);
}
