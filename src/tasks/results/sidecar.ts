/** The files of a result in the results folder: their names, and the sidecar that says where the picture came from. */
import { readdir, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { definedFields } from "../../base/definedFields";
import { acceptedOf, isAccepted } from "../../domain/task/phase";
import type { RemoteTask, Task } from "../../domain/task/task";
import { withoutQuery } from "./partialFile";
import { resultFile } from "./resultFile";
import { writeBeside } from "../../base/privateFile";

/** The prompt's first words and half of the task's id: recognisable and unique. With eight digits a hostile gateway could find ids that lead to the same name. */
export function fileStem({ intent }: Task): string {
  return `${promptWords(intent.prompt) || intent.type}-${intent.id.replaceAll(/[^0-9a-z]/gi, "").slice(0, 16)}`;
}

/** For file names: small letters and digits of every script, joined by hyphens; may be empty. */
export function promptWords(prompt: string): string {
  const words = prompt
    .slice(0, 400)
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, "-")
    .replaceAll(/^-+|(?<!-)-+$/g, "");
  // By code points: not every file system accepts half of a surrogate pair.
  return Array.from(words)
    .slice(0, 40)
    .join("")
    .replace(/(?<!-)-+$/, "");
}

interface Origin {
  readonly task: Task;
  /** The task that it was made from; missing where there is none, or it is not on this machine any more. */
  readonly source?: Task;
  readonly remote: RemoteTask;
  readonly path: string;
  readonly url: string;
  readonly at: number;
  readonly mimeType: string;
  readonly size: number;
  readonly thumbnail?: string;
}

/** `<name>.json`, beside the file. Without the key, and without the query of the URL, which may be a signature. */
export async function writeSidecar(folder: string, origin: Origin): Promise<void> {
  const { task, source, remote, path, url, at, mimeType, size, thumbnail } = origin;
  if (!isAccepted(task)) return;
  const { intent } = task;
  const { taskId, holdId, requestId } = task.submission;
  const time = (moment: number | undefined): string | undefined =>
    moment === undefined ? undefined : new Date(moment).toISOString();
  const facts = {
    task_id: taskId,
    task_type: intent.type,
    model: intent.model,
    remote_model: remote.model,
    prompt: intent.prompt,
    seed: remote.assets?.kind === "assets" ? remote.assets.seed : undefined,
    gateway: intent.home.baseUrl,
    created_at: time(remote.createdAt ?? intent.createdAt),
    completed_at: time(remote.completedAt),
    saved_at: time(at),
    hold_id: holdId,
    request_id: requestId,
    idempotency_key: intent.isWatched ? undefined : intent.idempotencyKey,
    batch: intent.batch,
    variant: intent.variant,
    made_from: source && definedFields(originOf(source)),
    url: url.startsWith("data:") ? "data:" : withoutQuery(new URL(url)),
    file: basename(path),
    mime_type: mimeType,
    size,
    thumbnail: thumbnail === undefined ? undefined : basename(thumbnail),
  };
  const text = `${JSON.stringify(definedFields(facts), null, 2)}\n`;
  await writeBeside(folder, `${fileStem(task)}.json`, text);
}

/** By which a sidecar names another task: the service's id, and the file with its own sidecar beside it. */
function originOf(source: Task): Readonly<Record<string, string | undefined>> {
  const path = resultFile(source)?.path;
  return {
    task_id: acceptedOf(source)?.taskId,
    file: path === undefined ? undefined : basename(path),
    prompt: source.intent.prompt,
  };
}

/** Removes what an earlier download of the same task has left under another ending. */
export async function removeOthers(folder: string, stem: string, kept: readonly (string | undefined)[]): Promise<void> {
  const names = new Set([`${stem}.json`, ...kept.flatMap((path) => (path === undefined ? [] : [basename(path)]))]);
  for (const name of await readdir(folder)) {
    if (name.startsWith(`${stem}.`) && !names.has(name)) await rm(join(folder, name), { force: true });
  }
}
