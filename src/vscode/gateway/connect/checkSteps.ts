/** The check while a person connects: its steps as they are taken, then what was found and what to do about it (C3). */
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { isAbort } from "../../../base/async/abort";
import { type CheckReport, type CheckSurroundings, emptyReport } from "../../../domain/gateway/connectionCheck";
import { describeCheck } from "../../../domain/words/describeCheck";
import type { ConnectAction } from "../../../domain/words/checkFailure";
import { type CheckVerdict, connectActionLabel } from "../../../domain/words/explainCheck";
import { writeReport } from "./writeReport";
import type { PickChoice, StepPicker, StepPosition, StepResult } from "../../interface/pickSteps";
import type { Icon, PickItem } from "../../interface/show";
import type { Connecting } from "./connecting";
import { wrapWords } from "./wrapWords";

/** Characters in a row of a quick pick, beside an icon, also of a wide font such as Linux has. */
const rowWidth = 76;

const icons: Readonly<Record<ReturnType<typeof describeCheck>[number]["state"], Icon>> = {
  waiting: "circle-outline",
  running: "loading~spin",
  passed: "check",
  failed: "error",
  skipped: "circle-slash",
};

/** Runs the check; Back and Esc end it. Rejects when its code can't be loaded. */
export async function runCheckStep(
  picker: StepPicker,
  connecting: Connecting,
  surroundings: CheckSurroundings,
  position: StepPosition,
): Promise<StepResult<CheckReport>> {
  const ended = new AbortController();
  const answer = await picker.ask<CheckReport | { readonly failure: unknown }>({
    position,
    placeholder: t("Checking {0}. Nothing is paid and nothing is created. Esc ends it.", connecting.origin),
    choices: rowsOf(emptyReport, surroundings),
    live: (show, end) => {
      const progress = (report: CheckReport): void => show(rowsOf(report, surroundings));
      connecting.check(progress, ended.signal).then(end, (failure: unknown) => {
        if (!isAbort(failure)) end({ failure });
      });
      return { dispose: () => ended.abort() };
    },
  });
  if (typeof answer === "string") return answer;
  if ("failure" in answer.value) throw answer.value.failure;
  return { value: answer.value };
}

/** What was found, in words, and the actions; the report can be looked at in between. */
export async function askAboutVerdict(
  picker: StepPicker,
  verdict: CheckVerdict,
  report: CheckReport,
  surroundings: CheckSurroundings,
  { position, showReport }: { readonly position: StepPosition; readonly showReport: (text: string) => Promise<void> },
): Promise<StepResult<Exclude<ConnectAction, "show-report">>> {
  const actions = verdict.actions.map((action): PickChoice<ConnectAction> => ({
    icon: actionIcons[action],
    label: connectActionLabel(action),
    value: action,
    ...(action === "use-anyway" ? { description: t("without a check that it works") } : {}),
  }));
  for (;;) {
    const answer = await picker.ask<ConnectAction>({
      position,
      placeholder: verdict.title,
      choices: [
        ...textRows(verdict),
        { label: t("What to do"), isHeading: true },
        ...actions,
        { label: t("What was found"), isHeading: true },
        ...rowsOf(report, surroundings),
      ],
      preselected: actions[0],
    });
    if (typeof answer === "string") return answer;
    if (answer.value !== "show-report") return { value: answer.value };
    const day = new Intl.DateTimeFormat(vscode.env.language, { dateStyle: "medium", timeStyle: "short" });
    await showReport(writeReport(report, surroundings, (at) => day.format(at)).text);
  }
}

const actionIcons: Readonly<Record<ConnectAction, Icon>> = {
  "go-on": "arrow-right",
  "try-again": "refresh",
  "change-address": "globe",
  "change-key": "key",
  "show-report": "output",
  "use-anyway": "arrow-right",
};

/** A row has one line: the sentences go over several. */
function textRows({ state, title, advice }: CheckVerdict): readonly PickItem[] {
  const [first = "", ...rest] = wrapWords(title, rowWidth);
  const icon = state === "fails" ? "error" : "warning";
  return [{ icon, label: first, alwaysShow: true }, ...[...rest, ...wrapWords(advice, rowWidth)].map(plainRow)];
}

function plainRow(label: string): PickItem {
  return { label, alwaysShow: true };
}

function rowsOf(report: CheckReport, surroundings: CheckSurroundings): readonly PickItem[] {
  return describeCheck(report, surroundings).map(({ state, name, text }) => {
    const found = state === "skipped" && text === "" ? t("not checked") : text;
    return { icon: icons[state], label: name, description: found };
  });
}
