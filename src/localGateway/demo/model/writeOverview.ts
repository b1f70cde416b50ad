/** The overview of a folder that the built-in model proposes to write: its files by folder, from what the tool listed. */

const maxNames = 12;

/** `listed`: the result of the tool, a path a line. `path`: where it will be written. */
export function writeOverview(listed: string, path: string): string {
  const paths = listed.split("\n").filter((line) => line !== "" && line !== path && !line.startsWith("("));
  if (paths.length === 0) return "# Overview\n\nThere are no files here yet.\n";
  const folders = new Map<string, string[]>();
  for (const one of paths) {
    const cut = one.lastIndexOf("/") + 1;
    const folder = one.slice(0, cut);
    folders.set(folder, [...(folders.get(folder) ?? []), one.slice(cut)]);
  }
  const count = paths.length === 1 ? "1 file" : `${paths.length} files`;
  const lines = [...folders].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(describeFolder);
  return `# Overview\n\n${count}:\n\n${lines.join("\n")}\n`;
}

function describeFolder([folder, names]: readonly [string, readonly string[]]): string {
  const shown = names.slice(0, maxNames).map((name) => `\`${name}\``);
  const more = names.length - shown.length;
  return `- ${folder === "" ? "at the top" : `\`${folder}\``}: ${shown.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
