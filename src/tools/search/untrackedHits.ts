/** Whether the hits of a search quote a file that git does not track (A4). */
import { join, relative } from "node:path";
import { TimeSlices } from "../../base/async/timeSlices";
import type { CallEffects } from "../../domain/tools/tool";
import type { ReadableWorkspace } from "../../domain/tools/workspace";
import { locate } from "../gate/locate";
import { findUntracked } from "../gate/trackedFiles";

/** For a call with that result. */
export async function reportUntrackedHits(
  workspace: ReadableWorkspace,
  found: string,
  signal: AbortSignal,
  effects: CallEffects | undefined,
): Promise<void> {
  const untracked = await findUntrackedHit(workspace, found, signal, effects);
  if (untracked !== undefined) effects?.untrusted?.(untracked);
}

/** `found`: lines of `path:12: text`. The path of the first such file that no tool of the chat made, as it is written there. */
async function findUntrackedHit(
  workspace: ReadableWorkspace,
  found: string,
  signal: AbortSignal,
  effects: CallEffects | undefined,
): Promise<string | undefined> {
  const names = new Map<string, string>();
  const seen = new Set<string>();
  for (const [, name = "", plain] of found.matchAll(/^((?:"[^\n]*"|([^\n":]+))):\d+: /gm)) {
    // A name in quotation marks is an unusual one, which is not looked up.
    if (plain === undefined) return name;
    if (seen.has(plain)) continue;
    seen.add(plain);
    const [{ root, path }] = locate(workspace.roots(), plain);
    if (await effects?.wrote?.(path)) continue;
    names.set(join(await workspace.realPath(root.path), relative(root.path, path)), name);
  }
  const untracked = await findUntracked(workspace, [...names.keys()], new TimeSlices(signal));
  return untracked === undefined ? undefined : names.get(untracked);
}
