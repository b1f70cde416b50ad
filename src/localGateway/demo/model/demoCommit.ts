/** The built-in model's commit message: the names of the changed files, which a client sends one a line. */

/** As Sluice asks for one. `undefined` for any other prompt. */
export function writeDemoCommit(prompt: string): string | undefined {
  if (!prompt.startsWith("Write the message of a git commit ")) return undefined;
  const [, after = ""] = prompt.split("\nChanged files:\n```\n", 2);
  const [list = ""] = after.split("\n```", 1);
  const files = list.split("\n").map((line) => line.slice(line.indexOf(": ") + 2));
  const rest = files.length > 1 ? ` and ${files.length - 1} more` : "";
  return `Change ${files[0] ?? "files"}${rest}\n\nWritten by rules, not by a language model.`;
}
