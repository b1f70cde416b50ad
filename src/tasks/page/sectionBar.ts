/** The buttons that lead from one section of a page to another. */
import { t } from "@vscode/l10n";
import { html, type TemplateResult } from "lit-html";
import { type GallerySection, gallerySubject, type MoneySection } from "../contract/pageSections";

interface ShownSection<Section extends string> {
  readonly section: Section;
  readonly name: string;
}

function sectionBar<Section extends string>(
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

/** The sections of the gallery: one batch, all results, and the assets. `subject` is that of the tab, which may have been opened for a batch. */
export function gallerySectionBar(
  current: GallerySection,
  subject: string,
  open: (section: GallerySection) => void,
): TemplateResult {
  return sectionBar<GallerySection>(
    [
      ...(subject !== gallerySubject ? [{ section: "batch" as const, name: t("This Batch") }] : []),
      { section: "results", name: t("All Results") },
      { section: "assets", name: t("In This Project") },
    ],
    current,
    open,
  );
}

/** The sections of the money page: the money of tasks, and the usage. */
export function moneySectionBar(current: MoneySection, open: (section: MoneySection) => void): TemplateResult {
  return sectionBar(
    [
      { section: "tasks", name: t("Money") },
      { section: "usage", name: t("Usage") },
    ],
    current,
    open,
  );
}
