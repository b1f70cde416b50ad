/** The files that the result of a search quotes or names. */
import type { ReadableWorkspace } from "../../domain/tools/workspace";
import type { GatedFolder } from "../gate/fileGate";
import { nameOfListed } from "../gate/pathNames";
import { fileOfPath, type QuotedFile } from "../gate/quotedFiles";

/** `found`: lines of `path:12: text`, or names and notes in brackets. `folders`: those that were searched. */
export async function foundFiles(
  workspace: ReadableWorkspace,
  found: string,
  type: "text" | "names",
  folders: readonly Pick<GatedFolder, "cautions">[],
): Promise<readonly QuotedFile[]> {
  const cautions = folders.flatMap((folder) => folder.cautions);
  const labels = type === "text" ? quotedLabels(found) : namedLabels(found);
  return Promise.all(
    [...new Set(labels)].map(async (label) => ({
      ...(await fileOfPath(workspace, nameOfListed(label), cautions)),
      label,
    })),
  );
}

function quotedLabels(found: string): readonly string[] {
  return [...found.matchAll(/^("(?:[^"\\\n]|\\.)*"|[^\n":]+):\d+: /gm)].map(([, label = ""]) => label);
}

function namedLabels(found: string): readonly string[] {
  return found.split("\n").filter((line) => line !== "" && !/^\(.*\)$/.test(line));
}
