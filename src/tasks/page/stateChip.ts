/** The state of a task on a page: icon, colour and word, so that none of them is needed to recognise the state. */
import { html, type TemplateResult } from "lit-html";
import type { StateTone } from "../contract/taskPageContract";
import { icon } from "../../webview/pageParts";
import type { IconName } from "../../webview/icons";

export function stateChip({ name, tone }: { readonly name: string; readonly tone: StateTone }): TemplateResult {
  return html`<span class="chip tone-${tone}">${icon(toneIcon(tone))}<span>${name}</span></span>`;
}

export function toneIcon(tone: StateTone): IconName {
  switch (tone) {
    case "waiting":
      return "circle-large-outline";
    case "running":
      return "sync";
    case "succeeded":
      return "pass-filled";
    case "failed":
      return "error";
    case "ended":
      return "circle-slash";
    case "attention":
      return "warning";
  }
}
