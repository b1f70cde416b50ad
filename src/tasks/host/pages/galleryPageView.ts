/** A task's result as a row of the gallery. Pure, so that it can be tested without an editor; it looks at no file, because there may be ten thousand. */
import { isAbsolute, relative } from "node:path";
import { definedFields } from "../../../base/definedFields";
import { cutText } from "../../../base/text/cutText";
import { judgementOf } from "../../../domain/task/judgement";
import { mediaFacts, mediaKindOf, mediaOf } from "../../../domain/task/taskTypes";
import type { Task } from "../../../domain/task/task";
import { originWords } from "../../../domain/words/gatewayWords";
import { galleryActions, type GalleryRow, type ResultOption } from "../../contract/galleryPageContract";
import { hasResult, resultFile } from "../../results/resultFile";
import { actionsOf } from "../../view/taskActions";
import { acceptedOf } from "../../../domain/task/phase";

/** Characters of a prompt that are sent to the page and searched there. */
const searchedLength = 4000;

/** The tasks that have a result, newest first. */
export function resultsOf(tasks: Iterable<Task>): Task[] {
  return [...tasks].filter(hasResult).sort((one, other) => other.intent.createdAt - one.intent.createdAt);
}

/** `folder`: the results folder. */
export function galleryRow(task: Task, folder: string): GalleryRow {
  const { id, prompt, createdAt, type, model, home, batch, variant } = task.intent;
  const { rating, choice } = judgementOf(task);
  const local = resultFile(task);
  const file = local && addressIn(folder, local.path);
  const thumbnail = local?.thumbnail === undefined ? undefined : addressIn(folder, local.thumbnail);
  const kind = local ? mediaKindOf(local.path) : mediaOf(type);
  const isShown = kind !== undefined && mediaFacts(kind).preview !== "name";
  const offered = actionsOf(task);
  return {
    id,
    prompt: cutText(prompt, searchedLength),
    at: createdAt,
    type,
    model,
    gateway: originWords(home.origin),
    kind: isShown ? kind : "other",
    offers: galleryActions.reduce((bits, action, place) => (offered.includes(action) ? bits | (1 << place) : bits), 0),
    ...definedFields({
      batch,
      variant,
      file,
      thumbnail,
      isRehearsed: task.intent.isRehearsal,
      rating: rating === 0 ? undefined : rating,
      choice: choice === "none" ? undefined : choice,
    }),
  };
}

/** A file outside the folder can't be loaded by the page: its address is empty. */
function addressIn(folder: string, path: string): string {
  const inside = relative(folder, path);
  if (inside === "" || isAbsolute(inside) || inside.startsWith("..")) return "";
  return inside.split(/[/\\]/).map(encodeURIComponent).join("/");
}

// Lists the options of a result other than prompt and model, for the pages that compare results: those of the request, and the seed that the
// gateway used.

/** `asked`: the options of the request. Its seed may be missing or differ, so the seed that the gateway reports replaces it. */
export function resultOptions(task: Task, asked: readonly ResultOption[] = []): readonly ResultOption[] {
  const assets = acceptedOf(task)?.remote.assets;
  const seed = assets?.kind === "assets" ? assets.seed : undefined;
  if (seed === undefined) return asked;
  return [...asked.filter(({ name }) => name !== "seed"), { name: "seed", value: String(seed) }];
}
