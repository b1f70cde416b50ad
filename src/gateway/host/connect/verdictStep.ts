/** What was found while a person connects, and what to do about it (C3). */
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import type { CheckReport, CheckSurroundings } from "../../../domain/gateway/connectionCheck";
import type { ConnectAction } from "../../../domain/words/checkFailure";
import { type CheckVerdict, connectActionLabel } from "../../../domain/words/explainCheck";
import { writeReport } from "./writeReport";
import type { PickChoice, StepPicker, StepPosition, StepResult } from "../../../vscode/interface/pickSteps";
import type { Icon, PickItem } from "../../../vscode/interface/show";
import { wrapWords } from "../../../base/text/wrapWords";

/** Characters in a row of a quick pick, beside an icon, also of a wide font such as Linux has. */
const rowWidth = 76;

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
      placeholder:
        verdict.state === "fails"
          ? t("Not connected: nothing was stored")
          : t("The gateway answers, but look at this first"),
      choices: [...textRows(verdict), { label: t("What to do"), isHeading: true }, ...actions],
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
