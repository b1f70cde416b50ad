/** The template of an icon; every page uses it. */
import { html, type TemplateResult } from "lit-html";
import type { IconName } from "./icons";

export function icon(name: IconName): TemplateResult {
  return html`<span class="codicon codicon-${name}" aria-hidden="true"></span>`;
}
