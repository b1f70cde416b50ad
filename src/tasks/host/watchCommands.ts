/** *Watch Task by Id…* (T14): rows for tasks that were submitted elsewhere. */
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { plural } from "../../domain/words/plural";
import { systemClock } from "../../base/async/systemClock";
import { type Disposable, DisposableStore } from "../../base/disposable";
import { describeError } from "../../domain/words/describeError";
import { quoteForeign } from "../../domain/words/quoteForeign";
import { readTaskIds, type WatchOutcome, watchTasks } from "../polling/watch";
import type { TasksPart } from "./mountTasks";
import { commands, focusTasks, views } from "../../vscode/ids";
import { type PickChoice, StepPicker } from "../../vscode/interface/pickSteps";
import { runCommand } from "../../vscode/interface/runCommand";
import { notifyInformation, notifyWarning, showProgress } from "../../vscode/interface/show";

/** Characters of the clipboard: a longer text is no list of ids. */
const maxPastedLength = 10_000;

export function registerWatchCommand(part: TasksPart): Disposable {
  return part.dialogs.register(commands.watchTask, () => watch(part));
}

async function watch(part: TasksPart): Promise<void> {
  const { board, poller } = part.app;
  // Reads of watched tasks keep the pace of their account.
  const { connections } = poller;
  // The connection comes first, because without a gateway no id can be looked for.
  await connections.ready();
  const ids = await askForIds();
  if (ids === undefined) return;
  const outcomes = await showProgress(views.tasks, t("Looking for the tasks"), (signal) =>
    watchTasks({ board, connections, clock: systemClock }, ids, signal),
  );
  if (outcomes.length === 0) return;
  await tell(part, outcomes);
}

async function askForIds(): Promise<readonly string[] | undefined> {
  const picker = new StepPicker(t("Watch Task by Id"));
  try {
    const answer = await picker.ask<readonly string[]>({
      placeholder: t("Ids of tasks, or addresses that end with one"),
      choices: [],
      typed: (text) => {
        const ids = readTaskIds(text);
        return ids.length > 0 ? watchChoice(ids) : { label: t("No id of a task is in this."), alwaysShow: true };
      },
      // The clipboard is read while the pick is open, because a browser asks the person first.
      later: (show) => {
        void readCopiedIds().then((ids) =>
          show(ids.length > 0 ? [{ ...watchChoice(ids), description: t("from the clipboard"), alwaysShow: true }] : []),
        );
        return new DisposableStore();
      },
      empty: t("Nothing is typed yet."),
    });
    return typeof answer === "string" ? undefined : answer.value;
  } finally {
    picker.dispose();
  }
}

function watchChoice(ids: readonly string[]): PickChoice<readonly string[]> {
  const [first = ""] = ids;
  return {
    label: ids.length > 1 ? plural(ids.length, { other: "Watch {0} tasks" }) : t("Watch {0}", first),
    detail: t("They are read, fetched and cancelled like your own. Nothing is submitted."),
    value: ids,
  };
}

/** The ids in the clipboard; empty where it can't be read, or has something else. */
async function readCopiedIds(): Promise<readonly string[]> {
  const copied = await Promise.resolve(vscode.env.clipboard.readText()).catch(() => "");
  const text = copied.slice(0, maxPastedLength).trim();
  return /^[0-9a-f-]{36}/i.test(text) || /^https?:.*[0-9a-f-]{36}/i.test(text) ? readTaskIds(text) : [];
}

async function tell({ dialogs }: TasksPart, outcomes: readonly WatchOutcome[]): Promise<void> {
  const rows = outcomes.filter(({ state }) => state !== "failed").length;
  const failed = outcomes.filter((outcome) => outcome.state === "failed");
  const unknown = failed.filter(({ error }) => error.kind === "not-found" || error.kind === "rejected");
  const [other] = failed.filter((outcome) => !unknown.includes(outcome));
  if (other) {
    await dialogs.showError(describeError(other.error, "read"));
    return;
  }
  const show = t("Show Tasks");
  const chosen =
    unknown.length > 0
      ? await notifyWarning(
          plural(
            outcomes.length,
            { other: "The gateway does not know {0} of {1} tasks for this account: {2}. They got no row." },
            unknown.length,
            outcomes.length,
            quoteForeign(unknown.map(({ taskId }) => taskId).join(", "), 200),
          ),
          ...(rows > 0 ? [show] : []),
        )
      : await notifyInformation(plural(rows, { one: "The task is watched.", other: "{0} tasks are watched." }), show);
  if (chosen === show) await runCommand(focusTasks);
}
