/** The buttons that send what is in the composer. */
import { t } from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit-html";
import type { IconName } from "../../../webview/icons";
import { sendNowKey } from "../shared/sendKey";
import { firstClick } from "../../../webview/pageParts";

export interface SendButtons {
  readonly running: boolean;
  readonly isEmpty: boolean;
  /** What was sent has no answer from the host yet. */
  readonly isBlocked: boolean;
  readonly submitTask: () => void;
  readonly submit: () => void;
}

/** While a turn runs they are there only for a draft: Stop is alone otherwise. */
export function sendButtons(of: SendButtons): TemplateResult | typeof nothing {
  const { running, isEmpty, isBlocked, submitTask, submit } = of;
  if (running && isEmpty) return nothing;
  const [label, title] = running
    ? [t("Queue"), t("Queue (Enter), send now ({0}+Enter)", sendNowKey)]
    : [t("Send"), t("Send (Enter)")];
  const task = t("Submit as Task…");
  return html`${barButton("cloud-upload", task, task, submitTask)}
  ${barButton("send", label, title, submit, isEmpty || isBlocked)}`;
}

function barButton(name: IconName, label: string, title: string, press: () => void, disabled = false): TemplateResult {
  return html`<button
    type="button"
    class="send codicon codicon-${name}"
    title=${title}
    aria-label=${label}
    ?disabled=${disabled}
    @click=${firstClick(press)}
  ></button>`;
}
