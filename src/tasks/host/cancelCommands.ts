/** Cancels tasks from their rows and from the text that they were made from (T9). */
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { plural } from "../../domain/words/plural";
import { systemClock } from "../../base/async/systemClock";
import { type Disposable, DisposableStore } from "../../base/disposable";
import { describeError } from "../../domain/words/describeError";
import { isCancelable, isWaitingToSend } from "../../domain/task/phase";
import type { Task } from "../../domain/task/task";
import {
  cancelDescription,
  type CancelledTask,
  cancelList,
  cancelSentence,
  cancelSummary,
  nameTask,
  tasksOfSelections,
} from "../view/cancelWords";
import { cutLabel } from "../../domain/words/label";
import { createTimes, type Times } from "../../domain/words/timeFormats";
import { commands, focusTasks, views } from "../../vscode/ids";
import { type PickChoice, StepPicker } from "../../vscode/interface/pickSteps";
import type { ReportDocuments } from "../../vscode/interface/reportDocuments";
import { runCommand } from "../../vscode/interface/runCommand";
import { flashStatus, notifyInformation, notifyWarning, showBusy } from "../../vscode/interface/show";
import type { TasksPart } from "./mountTasks";

/** The parts that these commands work on: the tasks, and the documents that list the outcomes. */
type CancelHost = TasksPart & { readonly reports: ReportDocuments };

export function registerCancelCommands(host: CancelHost): Disposable {
  const { tree, dialogs } = host;
  const store = new DisposableStore();
  store.add(dialogs.register(commands.cancelTask, (...args) => cancelTasks(host, tree.chosenIds(args))));
  store.add(dialogs.register(commands.cancelOfPrompt, () => cancelOfPrompt(host)));
  return store;
}

async function cancelOfPrompt(host: CancelHost): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  const { document, selections = [] } = editor ?? {};
  const lines = { lineCount: document?.lineCount ?? 0, lineAt: (line: number) => document?.lineAt(line).text ?? "" };
  const ids = tasksOfSelections(host.prompts, lines, selections);
  if (ids.length > 0) {
    await cancelTasks(host, ids);
    return;
  }
  const show = t("Show Tasks");
  const chosen = await notifyInformation(
    t("No running task was made from the text at the cursor or in the selection."),
    show,
  );
  if (chosen === show) await runCommand(focusTasks);
}

/** Cancels without a question if none of the tasks was sent yet. */
async function cancelTasks(host: CancelHost, ids: readonly string[]): Promise<void> {
  const { board } = host.app;
  const found = ids.flatMap((id) => board.listed.get(id) ?? []).filter(isCancelable);
  if (found.length === 0) {
    void notifyInformation(t("There is nothing to cancel: no running task is chosen."));
    return;
  }
  const times = createTimes(vscode.env.language, systemClock.now());
  // Waiting tasks may be sent at any moment, so a question would come too late.
  const asked = found.every(isWaitingToSend)
    ? { tasks: found, reason: t("No longer needed") }
    : await askWhatAndWhy(found, times);
  if (!asked) return;
  const cancelled = await showBusy(
    views.tasks,
    Promise.all(
      asked.tasks.map(async (task) => {
        const outcome = await host.app.cancel(task.intent.id, asked.reason);
        return { task: board.all.get(task.intent.id) ?? task, outcome };
      }),
    ),
  );
  await tell(host, cancelled, times);
}

async function tell(host: CancelHost, cancelled: readonly CancelledTask[], times: Times): Promise<void> {
  const { dialogs, reports } = host;
  const [first] = cancelled;
  if (!first) return;
  const isSimple = cancelled.every(({ outcome: { state } }) => ["confirmed", "no-task", "open"].includes(state));
  if (isSimple) {
    flashStatus("check", cancelled.length === 1 ? cancelSentence(first, times) : cancelSummary(cancelled), 5000);
    return;
  }
  const again = cancelled.filter(({ outcome }) => outcome.state === "failed").map(({ task }) => task.intent.id);
  if (cancelled.length === 1) {
    if (first.outcome.state === "failed")
      await dialogs.showError(describeError(first.outcome.error, "cancel"), () => void cancelTasks(host, again));
    else await (first.outcome.state === "refused" ? notifyWarning : notifyInformation)(cancelSentence(first, times));
    return;
  }
  const list = t("Show List");
  if ((await notifyWarning(cancelSummary(cancelled), list)) === list)
    await reports.show(t("Cancelled Tasks"), cancelList(cancelled, times));
}

/** Asks for the reason to cancel. With several tasks it first asks whether all or one of them are meant. */
async function askWhatAndWhy(
  found: readonly Task[],
  times: Times,
): Promise<{ readonly tasks: readonly Task[]; readonly reason: string } | undefined> {
  const picker = new StepPicker(plural(found.length, { one: "Cancel Task", other: "Cancel Tasks" }));
  try {
    for (;;) {
      const tasks = found.length === 1 ? found : await askWhich(picker, found, times);
      if (tasks === undefined) return undefined;
      const why = await askWhy(picker, tasks, times, found.length > 1);
      if (why !== "back") return why && { tasks, ...why };
    }
  } finally {
    picker.dispose();
  }
}

async function askWhich(
  picker: StepPicker,
  found: readonly Task[],
  times: Times,
): Promise<readonly Task[] | undefined> {
  const all: PickChoice<readonly Task[]> = {
    label: plural(found.length, { other: "All {0} running tasks" }),
    description: t("those that are listed here"),
    value: found,
  };
  const one = (task: Task): PickChoice<readonly Task[]> => ({
    label: cutLabel(task.intent.prompt),
    description: cancelDescription(task, times),
    value: [task],
  });
  const answer = await picker.ask({
    position: { step: 1, totalSteps: 2 },
    placeholder: t("Cancel all of them, or one"),
    choices: [all, ...found.map(one)],
    preselected: all,
  });
  return typeof answer === "string" ? undefined : answer.value;
}

async function askWhy(
  picker: StepPicker,
  tasks: readonly Task[],
  times: Times,
  isSecond: boolean,
): Promise<{ readonly reason: string } | "back" | undefined> {
  const reason = (label: string): PickChoice<string> => ({ label, value: label });
  const [first] = tasks;
  const what = tasks.length === 1 && first ? nameTask(first, times) : plural(tasks.length, { other: "{0} tasks" });
  const answer = await picker.ask({
    ...(isSecond ? { position: { step: 2, totalSteps: 2 } } : {}),
    placeholder: t("Choose or type a reason to cancel: {0}", what),
    choices: [t("No longer needed"), t("Wrong prompt"), t("Takes too long")].map(reason),
    typed: reason,
  });
  if (answer === "back") return "back";
  return answer === "cancelled" ? undefined : { reason: answer.value };
}
