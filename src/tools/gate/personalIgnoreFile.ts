/** Finds the file of the user's own ignore rules as git does: `core.excludesFile`, else `git/ignore` in the configuration folder. */
import { readFile, stat } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import { gitSetting } from "../../base/gitSetting";

/** Bytes of a git configuration file; a larger one is not read. */
const sizeCap = 256 * 1024;

export async function findPersonalIgnoreFile(
  home: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<string> {
  const given = environment["XDG_CONFIG_HOME"];
  const configuration = given !== undefined && isAbsolute(given) ? given : join(home, ".config");
  // git reads `~/.gitconfig` last, so its value wins.
  for (const file of [join(home, ".gitconfig"), join(configuration, "git", "config")]) {
    const path = excludesFileOf(await readSmall(file));
    if (path !== undefined) return path.startsWith("~/") ? join(home, path.slice(2)) : path;
  }
  return join(configuration, "git", "ignore");
}

async function readSmall(path: string): Promise<string> {
  try {
    const found = await stat(path);
    return found.isFile() && found.size <= sizeCap ? await readFile(path, "utf8") : "";
  } catch {
    return "";
  }
}

/** An absolute path or one below the home folder; any other is ignored. Included files are not read. */
export function excludesFileOf(configuration: string): string | undefined {
  const value = gitSetting(configuration, "core", "excludesfile");
  return value !== undefined && (value.startsWith("~/") || isAbsolute(value)) ? value : undefined;
}
