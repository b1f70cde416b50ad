/** What the gallery shows: one batch, all results, or what of them is in the project. */
import { t } from "@vscode/l10n";
import type { TemplateResult } from "lit-html";
import { type GallerySection, gallerySubject } from "../../contract/pageSections";
import { sectionBar } from "../shared/sectionBar";

/** `subject`: of the tab, which may have been opened for a batch. */
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
