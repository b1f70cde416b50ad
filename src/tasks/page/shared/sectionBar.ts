/** The buttons that lead from one section of a page to another. */
import { t } from "@vscode/l10n";
import { html, type TemplateResult } from "lit-html";

export interface ShownSection<Section extends string> {
  readonly section: Section;
  readonly name: string;
}

export function sectionBar<Section extends string>(
  sections: readonly ShownSection<Section>[],
  current: Section,
  open: (section: Section) => void,
): TemplateResult {
  return html`<nav class="sections" aria-label=${t("Sections of this page")}>
    ${sections.map(
      ({ section, name }) =>
        html`<button
          type="button"
          class="button ${section === current ? "" : "secondary"}"
          aria-current=${section === current ? "page" : "false"}
          @click=${() => open(section)}
        >
          ${name}
        </button>`,
    )}
  </nav>`;
}
