/** Saves results (T8): downloads the picture or video before it is opened; an expired link is renewed once. */
import { extname } from "node:path";
import { isAbort } from "../base/abort";
import type { Clock } from "../base/clock";
import { GatewayFailure } from "../domain/errors";
import type { Connections, Gateway } from "../domain/ports";
import type { RemoteTask, Task } from "../domain/task";
import type { TaskBoard } from "./board";
import { isResultFile, openResultFolder, writeResult } from "./resultFolder";

export interface ResultPorts {
  readonly board: TaskBoard;
  readonly connections: Connections;
  readonly clock: Clock;
  /** The results folder; created when first needed. */
  readonly folder: string;
}

/** The largest result, in bytes. */
const sizeCap = 2 * 1024 ** 3;

/** The path of the saved result; downloads it unless it is there already. Rejects with a `GatewayFailure` or an `AbortError`. */
export async function saveResult(ports: ResultPorts, id: string, signal?: AbortSignal): Promise<string> {
  const { board, connections, clock, folder } = ports;
  const task = board.tasks.get(id);
  if (task?.submission.state !== "accepted" || task.submission.remote.state !== "succeeded") {
    throw new GatewayFailure({ kind: "not-found", message: "The task has no result." });
  }
  const { savedAs, taskId, remote } = task.submission;
  await openResultFolder(folder);
  if (savedAs !== undefined && (await isResultFile(folder, savedAs))) return savedAs;
  const gateway = await connections.find(task.intent.home);
  const path = await download(ports, gateway, task, remote, signal).catch(async (failure: unknown) => {
    if (isAbort(failure)) throw failure;
    // The link may have expired, or the gateway has moved: a read gives a fresh one.
    const fresh = await gateway.getTask(taskId, signal);
    await board.keep({ type: "task-read", id, at: clock.now(), remote: fresh });
    return download(ports, gateway, task, fresh, signal);
  });
  await board.keep({ type: "task-saved", id, at: clock.now(), path });
  return path;
}

async function download(
  { folder }: ResultPorts,
  gateway: Gateway,
  task: Task,
  { assets }: RemoteTask,
  signal: AbortSignal | undefined,
): Promise<string> {
  if (assets?.kind !== "assets") {
    const raw = assets?.raw ?? "";
    throw new GatewayFailure({
      kind: "malformed",
      message: "The result can't be read.",
      firstBytes: raw.slice(0, 500),
    });
  }
  const url = assets.videoUrl ?? assets.imageUrl ?? assets.thumbnailUrl;
  if (url === undefined) throw new GatewayFailure({ kind: "malformed", message: "The result names no file." });
  const asset = await gateway.downloadAsset(url, signal);
  return writeResult(folder, `${fileStem(task)}${extensionOf(asset.mimeType, url)}`, capped(asset.body), signal);
}

async function* capped(body: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > sizeCap) throw new GatewayFailure({ kind: "too-large", message: "The result is larger than 2 GB." });
    yield chunk;
  }
}

/** The prompt's first words and a part of the task's id: recognisable and unique. */
function fileStem({ intent }: Task): string {
  const words = intent.prompt
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, "-")
    .replaceAll(/^-+|-+$/g, "");
  // By code points: not every file system accepts half of a surrogate pair.
  const first = Array.from(words).slice(0, 40).join("");
  return `${first || intent.type}-${intent.id.replaceAll(/[^0-9a-z]/gi, "").slice(0, 8)}`;
}

const extensions: Readonly<Record<string, string>> = {
  "image/png": ".png",
  "image/apng": ".png",
  "image/jpeg": ".jpg",
  "image/webp": ".webp",
  "image/gif": ".gif",
  "image/svg+xml": ".svg",
  "video/mp4": ".mp4",
  "video/webm": ".webm",
};

/** What the service says it is counts; a foreign or missing type falls back to the URL's own ending, if that is a plain one. */
function extensionOf(mimeType: string, url: string): string {
  const known = extensions[mimeType.split(";")[0]?.trim().toLowerCase() ?? ""];
  if (known !== undefined) return known;
  const ending = extname(URL.canParse(url) ? new URL(url).pathname : "").toLowerCase();
  return Object.values(extensions).includes(ending) ? ending : ".bin";
}
