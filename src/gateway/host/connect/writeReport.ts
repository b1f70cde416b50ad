/** Writes the text of *Check Connection*, a Markdown document that reads well as plain text, and the lines at which a command helps. */
import { t } from "@vscode/l10n";
import type { CheckReport, CheckStep, CheckContext } from "../../../domain/gateway/connectionCheck";
import { describeCheck, describeResult } from "../../../domain/words/describeCheck";
import type { ErrorAction } from "../../../domain/words/describeError";
import { shownLine } from "../../../vscode/interface/shownText";

export interface ReportButton {
  /** The line, counted from 0. */
  readonly line: number;
  readonly label: string;
  readonly action: ErrorAction;
}

export interface ReportText {
  readonly text: string;
  readonly buttons: readonly ReportButton[];
}

const marks: Readonly<Record<CheckStep<unknown>["state"], string>> = {
  waiting: "·",
  running: "…",
  passed: "✓",
  failed: "✗",
  skipped: "–",
};

/** Milliseconds. A smaller difference counts as none, because a response's date has whole seconds. */
const clockTolerance = 5000;
const maxLineLength = 600;

/** `moment` writes a time (milliseconds since 1970). */
export function writeReport(
  report: CheckReport,
  checkContext: CheckContext,
  moment: (at: number) => string,
): ReportText {
  const title = checkContext.isLocal ? t("Connection to the local gateway") : t("Connection to the gateway");
  const lines = [`# ${title}`, "", describeResult(report), ""];
  const buttons: ReportButton[] = [];
  for (const { state, name, text, advice, action } of describeCheck(report, checkContext)) {
    if (action) buttons.push({ line: lines.length, label: action.label, action: action.id });
    const found = state === "skipped" && text === "" ? t("not checked") : text;
    lines.push(`- ${marks[state]} ${name}${found === "" ? "" : `: ${shownLine(found, maxLineLength)}`}`);
    if (advice !== undefined) lines.push(`  ${advice}`);
  }
  const { connect, firstByte, silence } = checkContext.limits;
  const seconds = (ms: number): number => Math.round(ms / 100) / 10;
  lines.push("");
  if (report.answer.state === "passed") lines.push(`- ${describeClock(report.answer.facts.clockAheadMs)}`);
  if (report.editorFetchSince !== undefined) {
    const since = moment(report.editorFetchSince);
    lines.push(
      `- ${t("Requests go by VS Code's own connection, which was found to reach the gateway on {0}.", since)}`,
    );
  }
  lines.push(
    `- ${t("Time limits: {0} s to connect, {1} s to the first byte, {2} s of silence.", seconds(connect), seconds(firstByte), seconds(silence))}`,
    "",
    t("The check costs nothing and creates nothing. This text does not hold the key and can be copied."),
    "",
  );
  return { text: lines.join("\n"), buttons };
}

function describeClock(aheadMs: number | undefined): string {
  if (aheadMs === undefined) return t("Clock: the gateway's answer has no date.");
  if (Math.abs(aheadMs) < clockTolerance) return t("Clock: the same as the gateway's.");
  const seconds = Math.round(Math.abs(aheadMs) / 1000);
  return aheadMs > 0
    ? t("Clock: this machine's is {0} s ahead of the gateway's.", seconds)
    : t("Clock: this machine's is {0} s behind the gateway's.", seconds);
}
