/** Tool names that are valid in every family, mapped both ways. */
import type { ToolDeclaration } from "../../../domain/chat/message";
import { uniqueId } from "./uniqueId";

export interface ToolNames {
  /** Without duplicates: the first tool of each name. */
  readonly tools: readonly ToolDeclaration[];
  toWire(name: string): string;
  /** The tool's own name; an unknown one is returned unchanged. */
  fromWire(name: string): string;
}

const maxNameLength = 64;

export function createToolNames(tools: readonly ToolDeclaration[]): ToolNames {
  const wireNames = new Map<string, string>();
  const names = new Map<string, string>();
  const used = new Set<string>();
  // Valid names come first, so that they are kept whatever the others become.
  const ordered = [...tools].sort(
    (one, other) => Number(fit(other.name) === other.name) - Number(fit(one.name) === one.name),
  );
  for (const { name } of ordered) {
    if (wireNames.has(name)) continue;
    const wire = uniqueId(fit(name), used, maxNameLength);
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
  return (/^[A-Za-z_]/.test(plain) ? plain : `_${plain}`).slice(0, maxNameLength);
}
