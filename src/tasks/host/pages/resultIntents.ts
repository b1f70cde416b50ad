/** What a person does with the results that are selected on a page: marks, and the commands of the Tasks view. For the gallery and the page of a batch. */
import { definedFields } from "../../../base/definedFields";
import type { JudgementChange } from "../../../domain/task/judgement";
import type { GalleryAction, ResultIntent } from "../../contract/galleryPageContract";
import type { Handlers } from "../../../base/pageContract";
import { type CommandId, commands } from "../../../vscode/ids";
import { runForTasks } from "../../../vscode/interface/runCommand";
import { commandOf } from "../tree/taskActionCommands";
import type { TaskPagePorts } from "./taskPage";

const galleryCommands: Readonly<Record<GalleryAction, CommandId>> = {
  ...commandOf,
  "get-result": commands.fetchResultAgain,
};

type ResultPorts = Pick<TaskPagePorts, "board" | "clock">;
/** Of a page that has other ways to get the options of what is compared. */
type ResultHandlers = Pick<Handlers<ResultIntent>, "results-judge" | "results-act">;

export function resultHandlers(ports: ResultPorts): ResultHandlers {
  return {
    "results-judge": ({ tasks, rating, choice }) => void judge(ports, tasks, definedFields({ rating, choice })),
    "results-act": ({ action, tasks }) => void runForTasks(galleryCommands[action], knownTasks(ports, tasks)),
  };
}

export function knownTasks({ board }: ResultPorts, ids: readonly string[]): readonly string[] {
  return ids.filter((id) => board.all.tasks.has(id));
}

/** In one write. */
async function judge(ports: ResultPorts, ids: readonly string[], change: JudgementChange): Promise<void> {
  const { board, clock } = ports;
  const at = clock.now();
  const known = knownTasks(ports, ids);
  await Promise.all(known.map((id) => board.applyThenWrite({ type: "task-judged", id, at, ...change })));
}
