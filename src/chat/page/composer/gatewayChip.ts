/** Where the next prompt goes, left of the model: a click chooses the gateway. Only of the local gateway it is known what it costs. */
import { t } from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit-html";
import { localWords } from "../../../domain/words/gatewayWords";
import type { ChatPageStatus } from "../../contract/chatPageContract";
import { revealName } from "../../../webview/hiddenCharacters";

export type ShownGateway = Pick<ChatPageStatus, "connection" | "gateway" | "local">;

export function gatewayChip(
  { connection, gateway, local }: ShownGateway,
  choose: () => void,
): TemplateResult | typeof nothing {
  // Which one starts is known in a moment.
  if (gateway === "" && connection === "starting") return nothing;
  const name = local ? localWords() : revealName(gateway) || t("Choose Gateway");
  const title = local
    ? t("The local gateway: free, and nothing leaves this machine. Choose Gateway")
    : t("Choose Gateway");
  return html`<button type="button" class="gateway ${local ? "gateway-free" : ""}" title=${title} @click=${choose}>
    ${gateway === "" ? nothing : html`<span class="hidden">${t("Gateway:")}</span>`}<span class="gateway-name"
      >${name}</span
    >
  </button>`;
}
