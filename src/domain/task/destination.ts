/** Makes names of results in the project: from the prompt, and free. */

/** Joins letters and digits of the prompt's first words, also of other scripts; what a file system or a shell could misread is left out. */
export function nameFromPrompt(prompt: string): string {
  const words = prompt
    .normalize("NFC")
    .toLowerCase()
    .match(/[\p{L}\p{N}\p{M}]+/gu);
  let name = "";
  for (const word of words ?? []) {
    if (name !== "" && name.length + word.length > 40) break;
    name = name === "" ? Array.from(word).slice(0, 40).join("") : `${name}-${word}`;
  }
  return isDeviceName(name) ? `${name}-1` : name || "result";
}

/** The names if none of them is taken, else all of them with the first number, from `-2` on, with which none is. */
export function freeNames(names: readonly string[], isTaken: (name: string) => boolean): readonly string[] {
  if (!names.some(isTaken)) return names;
  const { bases, number: last } = countedNames(names, isTaken);
  for (let number = last + 1; ; number += 1) {
    const free = bases.map((base) => `${base}-${number}`);
    if (!free.some(isTaken)) return free;
  }
}

/**
 * Takes off the number that `freeNames` gave the names before, so that it is counted up. All smaller numbers are taken then; if one is free, as of
 * `icon-32`, the number belongs to the name.
 */
function countedNames(
  names: readonly string[],
  isTaken: (name: string) => boolean,
): { readonly bases: readonly string[]; readonly number: number } {
  const [, ending = "", digits = ""] = /(-([1-9]\d{0,3}))$/.exec(names[0] ?? "") ?? [];
  const own = { bases: names, number: 1 };
  if (Number(digits) < 2 || !names.every((name) => name.endsWith(ending))) return own;
  const bases = names.map((name) => name.slice(0, -ending.length));
  for (let number = 1; number < Number(digits); number += 1)
    if (!bases.some((base) => isTaken(number === 1 ? base : `${base}-${number}`))) return own;
  return { bases, number: Number(digits) };
}

/** Returns why a typed path can't be a destination: it has to lead to a file inside of the workspace folder. */
export function destinationProblem(path: string): "empty" | "outside" | "name" | undefined {
  if (path.trim() === "") return "empty";
  const parts = path.split(/[\\/]/);
  if (/^(?:[\\/~]|[A-Za-z]:)/.test(path) || parts.includes("..")) return "outside";
  if (parts.some((part) => isGitFolder(part) || isDeviceName(part) || /[<>:"|?*\u0000-\u001f]/.test(part)))
    return "name";
  // Windows drops dots and spaces at the end of a name: the reference in the document would name a file that is not there.
  if (parts.some((part) => part !== "." && /[. ]$/.test(part))) return "name";
  return (parts.at(-1) ?? "").replaceAll(".", "").trim() === "" ? "name" : undefined;
}

/** Whether Windows takes the name for a device, with any ending. */
function isDeviceName(name: string): boolean {
  return /^(?:con|prn|aux|nul|conin\$|conout\$|clock\$|(?:com|lpt)[\d¹²³]) *(?:\.|$)/i.test(name);
}

/** Whether a file system may take the name for `.git`: some ignore case, and Windows ignores dots and spaces at the end. */
function isGitFolder(part: string): boolean {
  return /^(?:\.git|git~\d)[. ]*$/i.test(part);
}
