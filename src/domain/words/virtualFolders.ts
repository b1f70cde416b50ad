/** The words about folders of the window that are on no disk of this machine, where the tools for files don't work (V4). */
import { t } from "@vscode/l10n";
import { joinWords } from "./joinWords";

interface Folder {
  readonly name: string;
  readonly uri: { readonly scheme: string };
}

/** `undefined` when all folders are on a disk. */
export function describeVirtualFolders(folders: readonly Folder[] = []): string | undefined {
  const names = folders.filter(({ uri }) => uri.scheme !== "file").map(({ name }) => name);
  if (names.length === 0) return undefined;
  return t("The tools for files don't work in {0}: not on a disk of this machine.", joinWords(names));
}
