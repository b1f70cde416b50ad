/** The overview of a folder that the built-in model proposes to write: its files by folder, from what the tool listed. */
import type { DemoWords } from "./demoWords";

const maxNames = 12;

/** `listed`: the result of the tool, a path a line. `path`: where it will be written. */
export function writeOverview(listed: string, path: string, words: DemoWords): string {
  const { title, empty, count } = words.overview;
  const paths = listed.split("\n").filter((line) => line !== "" && line !== path && !line.startsWith("("));
  if (paths.length === 0) return `# ${title}\n\n${empty}\n`;
  const folders = new Map<string, string[]>();
  for (const one of paths) {
    const cut = one.lastIndexOf("/") + 1;
    const folder = one.slice(0, cut);
    folders.set(folder, [...(folders.get(folder) ?? []), one.slice(cut)]);
  }
  const lines = [...folders]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map((folder) => describeFolder(folder, words));
  return `# ${title}\n\n${count(paths.length)}\n\n${lines.join("\n")}\n`;
}

function describeFolder([folder, names]: readonly [string, readonly string[]], words: DemoWords): string {
  const shown = names.slice(0, maxNames).map((name) => `\`${name}\``);
  const more = names.length - shown.length;
  const list = shown.join(", ");
  const { top, folder: line } = words.overview;
  return `- ${line(folder === "" ? top : `\`${folder}\``, more > 0 ? words.more(list, more) : list)}`;
}
