/**
 * The program of the thread that looks through a project: reads its documents with synchronous calls, which take a third of the time, and posts their
 * references.
 */
import { parentPort, workerData } from "node:worker_threads";
import type { ReadableWorkspace } from "../../domain/tools/workspace";
import { syncDiskFiles } from "../../node/syncDiskFiles";
import { readDocuments } from "../../tools/search/readDocuments";
import { findMediaReferences, isSearchedDocument } from "./findReferences";
import type { LookJob, LookMessage } from "./lookThrough";
import { type PlacedReference, withPlaces } from "./placedReferences";

/** Documents that are posted at once. */
const batchSize = 200;

const { roots, personalIgnoreFile, excluded } = workerData as LookJob;
const workspace: ReadableWorkspace = {
  ...syncDiskFiles,
  roots: () => roots,
  shownText: () => undefined,
  unsavedTexts: () => [],
  personalIgnoreFile: () => Promise.resolve(personalIgnoreFile),
};
let batch: [string, readonly PlacedReference[]][] = [];
const post = (message: LookMessage): void => parentPort?.postMessage(message);
const { files } = await readDocuments(workspace, {
  excluded,
  signal: new AbortController().signal,
  isWanted: isSearchedDocument,
  take(path, text) {
    const found = findMediaReferences(path.replaceAll("\\", "/"), text);
    if (found.length === 0) return;
    batch.push([path, withPlaces(text, found)]);
    if (batch.length < batchSize) return;
    post({ batch });
    batch = [];
  },
  onVisited: () => undefined,
});
post({ batch });
post({ documents: files });
