/** *Top Up Local Gateway* (loaded with its first use): pays made-up money in, and shows what is available then. */
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { flashStatus } from "../../../vscode/interface/show";
import { type LocalGatewayAccess, topUpLocal } from "./adminRequests";

export async function topUpWithNotice(gateway: LocalGatewayAccess): Promise<void> {
  const available = await topUpLocal(gateway);
  const sum = new Intl.NumberFormat(vscode.env.language).format(available);
  flashStatus("check", t("The local gateway is topped up: {0} available.", sum), 5000);
}
