/** *Show Request*: what was sent for an answer and what came back, in a read-only document (S4). */
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { requestReport } from "../../../domain/words/requestReport";
import type { ChatSession } from "../../session/session";
import type { ReportDocuments } from "../../../vscode/interface/reportDocuments";
import { notifyInformation } from "../../../vscode/interface/show";

/** `answer`: its id; the last one when it is left out. Says so while there is none. */
export async function showRequest(
  { chat, requests }: Pick<ChatSession, "chat" | "requests">,
  reports: ReportDocuments,
  answer?: string,
): Promise<void> {
  const answers = chat.entries.filter((entry) => entry.type === "answer");
  const entry = answers.findLast(({ id }) => answer === undefined || id === answer);
  if (!entry) {
    void notifyInformation(t("This chat has no answer yet, so there is no request to show."));
    return;
  }
  const locale = vscode.env.language;
  const traces = requests.of(entry.id).map(({ trace }) => trace);
  const time = new Intl.DateTimeFormat(locale, { timeStyle: "medium" }).format(entry.startedAt);
  await reports.show(t("Request {0}", time), requestReport(entry, traces, locale));
}
