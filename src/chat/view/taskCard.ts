/** What the card of a task in the chat shows, in words. Pure. */
import { basename } from "node:path";
import { definedFields } from "../../base/definedFields";
import { mediaFacts } from "../../domain/task/mediaKinds";
import type { Task } from "../../domain/task/task";
import { isCardAction } from "../../domain/task/taskActions";
import type { TaskCardView } from "../contract/taskCardMessages";
import type { ShownFile } from "../../tasks/contract/taskPageContract";
import type { PictureLooks } from "../../tasks/results/pictureState";
import { type LocalResult, resultFile } from "../../tasks/results/resultFile";
import { taskRow } from "../../tasks/view/taskRow";
import { cutLabel } from "../../domain/words/label";
import { taskTypeName } from "../../domain/words/taskTypeWords";
import { stateName } from "../../tasks/view/taskWords";
import { shownFileOf, toneOf } from "../../tasks/view/pageFacts";

export interface TaskCardContext {
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly locale: string;
  /** The address by which the page may load a file of the results folder. */
  readonly urlOf: (path: string) => string;
  /** Whether this window has the folder of that file open. */
  readonly isOpenHere?: (file: string) => boolean;
  /** Whether the page may decode the picture at that path. */
  readonly pictureState: PictureLooks["of"];
}

export function taskCard(task: Task, context: TaskCardContext): TaskCardView {
  const { intent } = task;
  const { now, locale, isOpenHere } = context;
  const row = taskRow(task, now, locale, { isOpenHere });
  const isSaved = row.actions.includes("show-saved");
  const tone = toneOf(task);
  const file = resultFile(task);
  return {
    id: intent.id,
    state: { name: stateName(task), tone },
    prompt: cutLabel(intent.prompt),
    facts: [taskTypeName(intent.type), intent.model, ...row.remarks.filter((remark) => remark !== stateName(task))],
    money: row.money,
    actions: row.actions.filter(isCardAction).filter((action) => action !== "save-into-workspace" || !isSaved),
    spoken: row.spoken,
    ...definedFields({
      problem: tone === "attention" || tone === "failed" ? row.state : undefined,
      file: file && fileOf(file, context),
    }),
  };
}

/** `undefined` until the header of a picture has been read. */
function fileOf(result: LocalResult, { urlOf, pictureState }: TaskCardContext): ShownFile | undefined {
  const file = shownFileOf(result, urlOf);
  if (file.kind === "other" || mediaFacts(file.kind).preview !== "picture") return file;
  const state = pictureState(result.path);
  if (state === "waits") return undefined;
  return state === "too-large" ? { kind: "other", name: basename(result.path), isTooLarge: true } : file;
}
