/** Facts that the page of a task and its card in a chat both show: the tone of its state, and the file of its result. */
import { basename } from "node:path";
import { definedFields } from "../../base/definedFields";
import { mediaFacts, mediaKindOf } from "../../domain/task/taskTypes";
import { phaseOf } from "../../domain/task/phase";
import type { Task } from "../../domain/task/task";
import type { ShownFile, StateTone } from "../contract/taskPageContract";
import type { LocalResult } from "../results/resultFile";

export function toneOf(task: Task): StateTone {
  switch (phaseOf(task)) {
    case "prepared":
    case "sending":
    case "processing":
      return "running";
    case "created":
    case "queued":
    case "unknown":
      return "waiting";
    case "outcome-unknown":
      return "attention";
    case "succeeded":
      return "succeeded";
    case "not-accepted":
    case "failed":
      return "failed";
    case "withdrawn":
    case "cancelled":
    case "expired":
    case "refunded":
      return "ended";
  }
}

export function shownFileOf({ path, thumbnail }: LocalResult, urlOf: (path: string) => string): ShownFile {
  const kind = mediaKindOf(path);
  const small = definedFields({ thumbnail: thumbnail === undefined ? undefined : urlOf(thumbnail) });
  if (kind !== undefined && mediaFacts(kind).preview !== "name") return { kind, url: urlOf(path), ...small };
  return { kind: "other", name: basename(path) };
}
