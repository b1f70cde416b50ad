/** Names of tools that fit all three families, and the way back from them. */
import type { ToolDeclaration } from "../../../domain/message";

export interface ToolNames {
  /** Each name once: the first that has it. */
  readonly tools: readonly ToolDeclaration[];
  toWire(name: string): string;
  /** What the tool is called here; a name that was never sent stays as it is. */
  fromWire(name: string): string;
}

const longestName = 64;

export function createToolNames(tools: readonly ToolDeclaration[]): ToolNames {
  const wireNames = new Map<string, string>();
  const names = new Map<string, string>();
  // A name that fits keeps itself, whatever the others turn into.
  const ordered = [...tools].sort(
    (one, other) => Number(fit(other.name) === other.name) - Number(fit(one.name) === one.name),
  );
  for (const { name } of ordered) {
    if (wireNames.has(name)) continue;
    const fitting = fit(name);
    let wire = fitting;
    for (let again = 2; names.has(wire); again++) wire = `${fitting.slice(0, longestName - 4)}_${again}`;
    wireNames.set(name, wire);
    names.set(wire, name);
  }
  return {
    tools: tools.filter(({ name }, at) => tools.findIndex((tool) => tool.name === name) === at),
    toWire: (name) => wireNames.get(name) ?? fit(name),
    fromWire: (name) => names.get(name) ?? name,
  };
}

function fit(name: string): string {
  const plain = name.replace(/[^A-Za-z0-9_-]/g, "_");
  return (/^[A-Za-z_]/.test(plain) ? plain : `_${plain}`).slice(0, longestName);
}
