/** The one way to what is opened outside VS Code: a link from a model, the console. */
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { type Caution, judgeAddress } from "./outsideAddress";
import { askBefore } from "./show";

export interface OpenOptions {
  /** The person wrote the address in the settings: that it is on their own network is no surprise. */
  readonly own?: boolean;
}

/** False for an address that can't be opened at all; true also when the person chose not to. VS Code asks for the rest itself. */
export async function openOutside(address: string, { own = false }: OpenOptions = {}): Promise<boolean> {
  const judged = judgeAddress(address);
  if (judged.verdict === "refuse") return false;
  const cautions = judged.verdict === "ask" ? judged.cautions.filter(({ type }) => !(own && type === "private")) : [];
  const words = cautions.map(describeCaution).join(" ");
  if (words !== "" && !(await askBefore(words, t("Open"), judged.url))) return true;
  await vscode.env.openExternal(vscode.Uri.parse(judged.url, true));
  return true;
}

function describeCaution(caution: Caution): string {
  switch (caution.type) {
    case "mail":
      return t("This link writes a mail in another program.");
    case "private":
      return t("This link leads to {0}: this machine or its own network.", caution.host);
    case "user-info":
      return t("This link goes to {0}; what stands before @ is not its host.", caution.host);
    case "lookalike":
      return t("This link goes to {0}, which may be shown as {1}.", caution.host, caution.reads);
  }
}
