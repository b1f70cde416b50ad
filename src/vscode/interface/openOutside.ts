/** Opens an address outside VS Code, such as a link from a model, after the question that `outsideAddress` demands. */
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import type { AddressCaution, OutsideAddress } from "../../node/outsideAddress";
import { confirmAction } from "./show";

/** False only for a refused address; true also when the person declines. VS Code itself asks about ordinary links. */
export async function openOutside(address: OutsideAddress): Promise<boolean> {
  if (address.verdict === "refuse") return false;
  const { verdict, url } = address;
  const isWanted = verdict === "open" || (await confirmAction(describeCautions(address.cautions), t("Open"), url));
  if (isWanted) await vscode.env.openExternal(vscode.Uri.parse(url, true));
  return true;
}

/** Opens a file of this machine in the program that the system has for it. */
export async function openFileOutside(path: string): Promise<void> {
  await vscode.env.openExternal(vscode.Uri.file(path));
}

function describeCautions(cautions: readonly AddressCaution[]): string {
  return cautions.map(describeCaution).join(" ");
}

function describeCaution(caution: AddressCaution): string {
  switch (caution.type) {
    case "mail":
      return t("This link writes a mail in another program.");
    case "private":
      return t("This link leads to {0}: this machine or its own network.", caution.host);
    case "user-info":
      return t("This link goes to {0}. The part before @ is not its host.", caution.host);
    case "lookalike":
      return t("This link goes to {0}, which may be shown as {1}.", caution.host, caution.displayed);
  }
}
