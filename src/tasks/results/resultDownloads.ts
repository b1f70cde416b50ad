/**
 * Downloads results and checks them (T8): nothing but a whole picture or video is kept, and for a dead link the task is read again once. Concurrent
 * requests for a result share one download.
 */
import { isAbort, abortable } from "../../base/async/abort";
import type { Clock } from "../../base/clock";
import { definedFields } from "../../base/definedFields";
import { type AppError, AppFailure, isDiskFull, noRoomCode, storageError } from "../../domain/errors/appError";
import type { Asset, Connections, Gateway, Log } from "../../domain/ports";
import { acceptedOf, hasSucceeded } from "../../domain/task/phase";
import type { AcceptedSubmission, RemoteTask, ResultAssets, Task } from "../../domain/task/task";
import { resultUrlOf } from "../../domain/task/resultAssets";
import type { TaskBoard } from "../board/board";
import { type FetchTerms, overLimit, isResultFile, hasResult } from "./resultFile";
import { type MediaType, readMediaType, sniffedLength } from "./mediaType";
import { PartialFile, removeOldParts } from "./partialFile";
import { readMarked, refuseHeldBack } from "./readMarks";
import { makePrivateFolder } from "../../base/privateFile";
import { findRowPicture, fetchThumbnail } from "./thumbnail";
import { fileStem, removeOthers } from "./resultNames";
import type { Disposable } from "../../base/disposable";

export interface ResultOptions {
  readonly board: TaskBoard;
  readonly connections: Connections;
  readonly clock: Clock;
  readonly log: Log;
  /** The results folder; created when first needed. */
  readonly folder: string;
  /** Bytes that the disk of a folder has left; `undefined` where that is not known. */
  readonly freeSpace: (folder: string) => Promise<number | undefined>;
}

/** The largest result, in bytes. */
const sizeCap = 2 * 1024 ** 3;
/** Bytes that a download leaves free: tasks and chats are stored on the same disk. */
const reserve = 50 * 1024 ** 2;
/** Bytes received after which the free space is read again: other downloads and programs use the same disk. */
const roomCheckInterval = 16 * 1024 ** 2;
/** The most downloads in a row. Each goes on where the one before was cut. */
const maxAttempts = 3;

/**
 * Resolves with the path of the result, which it fetches where it is not here or is wanted anew. Rejects with an `AppFailure`, an `AbortError`, or
 * the file system's error.
 */
async function fetchResult(
  options: ResultOptions,
  id: string,
  terms: FetchTerms,
  signal: AbortSignal,
): Promise<string> {
  const { board, connections, clock, folder } = options;
  const task = board.all.get(id);
  if (!task || !hasResult(task)) throw noResult();
  await makePrivateFolder(folder);
  const { saved, taskId, remote } = task.submission;
  if (!terms.anew && saved !== undefined && (await isResultFile(folder, saved.path))) return saved.path;
  if (!hasSucceeded(task)) throw noResult();
  if (!terms.isAsked) await refuseHeldBack(folder, id);
  const gateway = await connections.find(task.intent.home);
  const fetching: Fetching = { options, gateway, task, terms, signal };
  try {
    return await fetchFrom(fetching, remote);
  } catch (failure) {
    if (!(failure instanceof AppFailure) || !mayBeDeadLink(failure.error)) throw failure;
    // The link may have expired, or the gateway has moved: a read gives a fresh one.
    const fresh = await gateway.getTask(taskId, signal);
    await board.applyThenWrite({ type: "task-read", id, at: clock.now(), remote: fresh });
    if (fresh.state !== "succeeded") throw noResult();
    return await fetchFrom(fetching, fresh);
  }
}

interface Fetching {
  readonly options: ResultOptions;
  readonly gateway: Gateway;
  readonly task: Task;
  readonly terms: FetchTerms;
  readonly signal: AbortSignal;
}

/** Whether the error may mean that the link is dead. A busy service or a lost connection says nothing of the link. */
function mayBeDeadLink({ kind, status, notSent, code }: AppError): boolean {
  if (status !== undefined && status >= 400) return [401, 403, 404, 410].includes(status);
  return (kind === "malformed" && code !== overLimit) || (kind === "unreachable" && notSent === true);
}

async function fetchFrom(fetching: Fetching, remote: RemoteTask): Promise<string> {
  const { options, task, signal } = fetching;
  const { board, clock, folder } = options;
  const assets = readableAssets(remote);
  const url = resultUrlOf(assets, task.intent.type);
  if (url === undefined) throw malformed("The result names no file.");
  const { path, type, size } = await download(fetching, url);
  const save = async (thumbnail?: string): Promise<void> => {
    const icon = await findRowPicture([thumbnail, path]);
    const saved = { mimeType: type.mimeType, size, ...definedFields({ thumbnail, icon }) };
    await board.applyThenWrite({ type: "task-saved", id: task.intent.id, at: clock.now(), path, saved });
  };
  // The window may end while the thumbnail is fetched, and the next one may find the link dead, so the result is on record first.
  await save();
  const thumbnail = await fetchThumbnail(options, fetching.gateway, { stem: fileStem(task), url, assets }, signal);
  if (thumbnail !== undefined) await save(thumbnail);
  await removeOthers(folder, task, [path, thumbnail]);
  return path;
}

type ReadableAssets = Extract<ResultAssets, { kind: "assets" }>;

function readableAssets({ assets }: RemoteTask): ReadableAssets {
  if (assets?.kind === "assets") return assets;
  throw malformed("The result can't be read.", assets?.raw.slice(0, 500));
}

interface Downloaded {
  readonly path: string;
  readonly type: MediaType;
  readonly size: number;
}

/**
 * Downloads the file, and goes on where the connection was lost. The first loss is always followed by another try, a later one only where its
 * download has brought more of the file.
 */
async function download(fetching: Fetching, url: string): Promise<Downloaded> {
  const { options, task, signal } = fetching;
  for (let attempt = 1; ; attempt += 1) {
    const part = await PartialFile.open(options.folder, task.intent.id);
    const before = part.size;
    try {
      const type = await receive(fetching, url, part);
      const { size } = part;
      return { path: await part.finish(`${fileStem(task)}${type.ending}`), type, size };
    } catch (failure) {
      const error = storageError(failure).error;
      // On a full disk the part is removed: it would keep the disk full, so that no task can be stored.
      const isBad = error.kind === "malformed" || error.kind === "too-large" || isDiskFull(error);
      const isCut = error.kind === "unreachable" || error.kind === "timed-out";
      // The first connection may be lost before anything of the file has come through.
      const isHopeful = part.size > before || attempt === 1;
      if (isAbort(failure) ? fetching.terms.keepsPart : !isBad) await part.leave();
      else await part.discard();
      if (signal.aborted || isAbort(failure) || !isCut || !isHopeful || attempt === maxAttempts) throw failure;
      options.log.info("A result was cut and is continued.", { task: task.intent.id, bytes: part.size });
    }
  }
}

/** Receives the body; resolves with the type of the file when all of it is there. */
async function receive(fetching: Fetching, url: string, part: PartialFile): Promise<MediaType> {
  const { gateway, terms, signal } = fetching;
  const asset = await gateway.downloadAsset(url, signal, part.rangeFor(url));
  checkSize(asset.size ?? 0, terms);
  await checkRoom(fetching, (asset.size ?? asset.offset) - asset.offset);
  await part.begin(url, asset);
  let lookedAt = part.size;
  let type: MediaType | undefined;
  for await (const chunk of asset.body) {
    checkSize(part.size + chunk.length, terms);
    if (part.size + chunk.length - lookedAt > roomCheckInterval) {
      await checkRoom(fetching, Math.max(chunk.length, (asset.size ?? 0) - part.size));
      lookedAt = part.size;
    }
    await part.append(chunk);
    // An error page in the place of the file is recognised by its first bytes, so the rest of it is not received.
    if (part.size >= sniffedLength) type ??= await checkType(fetching, part, asset);
  }
  if (part.size === 0) throw malformed("The result is empty.");
  if (asset.size !== undefined && part.size < asset.size) {
    const message = `The connection ended after ${part.size} of ${asset.size} bytes.`;
    throw new AppFailure({ kind: "unreachable", message });
  }
  if (asset.size !== undefined && part.size > asset.size) throw malformed("The result is longer than it should be.");
  return type ?? (await checkType(fetching, part, asset));
}

async function checkType({ options, task }: Fetching, part: PartialFile, { mimeType }: Asset): Promise<MediaType> {
  const start = await part.readStart();
  const type = await readMarked(options.folder, task.intent.id, () => readMediaType(start, mimeType));
  if (type) return type;
  const text = new TextDecoder().decode(start.subarray(0, 500));
  throw malformed(`There is a page of type ${mimeType} in the place of the result.`, text);
}

function checkSize(size: number, { limit }: FetchTerms): void {
  if (size > sizeCap) throw new AppFailure({ kind: "too-large", message: "The result is larger than 2 GB." });
  if (size <= limit) return;
  const megabytes = Math.floor(limit / 1024 ** 2);
  const message = `The result is larger than ${megabytes} MB.`;
  throw new AppFailure({ kind: "too-large", code: overLimit, message });
}

async function checkRoom({ options }: Fetching, needed: number): Promise<void> {
  const free = await options.freeSpace(options.folder);
  if (free === undefined || free - needed >= reserve) return;
  const message = `The result needs ${needed} bytes, and the disk has ${free} left.`;
  throw new AppFailure({ kind: "storage", code: noRoomCode, message });
}

function malformed(message: string, firstBytes?: string): AppFailure {
  return new AppFailure({ kind: "malformed", message, ...definedFields({ firstBytes }) });
}

function noResult(): AppFailure {
  return new AppFailure({ kind: "not-found", message: "The task has no result." });
}

// Shares the downloads of this window: whoever asks for the same result at the same time waits for the same download (T8).

interface Running {
  readonly path: Promise<string>;
  readonly terms: FetchTerms;
  readonly ended: AbortController;
  /** The number of requests by a person that wait for it. Those of the window itself don't count. */
  people: number;
}

export interface PersonsRequest {
  /** When everybody who asked has cancelled, the download ends and leaves no part of a file. A whole one stays, without its thumbnail. */
  readonly signal?: AbortSignal | undefined;
  /** Downloads it again although it is there. */
  readonly anew?: boolean | undefined;
}

export class ResultDownloads implements Disposable {
  readonly #options: ResultOptions;
  readonly #running = new Map<string, Running>();
  /** The removal of old files that were never downloaded whole, once in this window. */
  #sweep: Promise<void> | undefined;
  #isDisposed = false;

  constructor(options: ResultOptions) {
    this.#options = options;
  }

  /** The path of the result, for a person: without a limit of size. Rejects with an `AppFailure` or an `AbortError`. */
  async get(id: string, { signal, anew = false }: PersonsRequest = {}): Promise<string> {
    signal?.throwIfAborted();
    const running =
      this.#running.get(id) ?? this.#start(id, { limit: Infinity, isAsked: true, keepsPart: false, anew });
    running.terms.limit = Infinity;
    running.terms.isAsked = true;
    running.people += 1;
    try {
      return await (signal === undefined ? running.path : abortable(running.path, signal));
    } finally {
      running.people -= 1;
      if (signal?.aborted && running.people === 0) {
        running.ended.abort();
        // No part of it is to be left on the disk when this ends.
        await running.path.catch(() => undefined);
      }
    }
  }

  /** The path of the result, for the window itself: up to `limit` bytes. */
  getUnasked(id: string, limit: number): Promise<string> {
    const running = this.#running.get(id) ?? this.#start(id, { limit, isAsked: false, keepsPart: false, anew: false });
    return running.path;
  }

  /** Ends all downloads; what arrived is continued by the next window. */
  dispose(): void {
    this.#isDisposed = true;
    for (const { terms, ended } of this.#running.values()) {
      terms.keepsPart = true;
      ended.abort();
    }
  }

  /** Resolves when nothing is being written any more. */
  async close(): Promise<void> {
    this.dispose();
    await Promise.allSettled([...this.#running.values()].map(({ path }) => path));
  }

  #start(id: string, terms: FetchTerms): Running {
    const ended = new AbortController();
    if (this.#isDisposed) ended.abort();
    const running: Running = { path: this.#fetch(id, terms, ended.signal), terms, ended, people: 0 };
    this.#running.set(id, running);
    return running;
  }

  async #fetch(id: string, terms: FetchTerms, signal: AbortSignal): Promise<string> {
    const { board, clock, log } = this.#options;
    const savedNow = (): AcceptedSubmission["saved"] => acceptedOf(board.all.get(id))?.saved;
    const before = savedNow();
    try {
      // After a microtask `#start` has added the download to `#running`; else the `finally` below could remove it too early.
      await Promise.resolve();
      signal.throwIfAborted();
      return await fetchResult(this.#options, id, terms, signal);
    } catch (failure) {
      if (isAbort(failure)) throw failure;
      // It was saved meanwhile, by another window or before this failure, so nothing is missing.
      const saved = savedNow();
      if (saved !== undefined && saved.at !== before?.at) return saved.path;
      const error = storageError(failure).error;
      log.warn("A result could not be fetched.", { task: id, kind: error.kind, status: error.status });
      await board.applyThenWrite({ type: "task-fetch-failed", id, at: clock.now(), error });
      throw failure;
    } finally {
      // Only after the first download, which may have gone on with one of these files.
      await (this.#sweep ??= removeOldParts(this.#options.folder, clock.now()));
      this.#running.delete(id);
    }
  }
}
