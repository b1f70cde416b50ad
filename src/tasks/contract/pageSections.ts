/** The sections of the pages that have several, with the intent that every such page has. */
import * as z from "zod/mini";

export const moneySections = ["tasks", "usage"] as const;
export type MoneySection = (typeof moneySections)[number];

/** Only a tab that was opened for a batch offers the section `batch`. */
export const gallerySections = ["batch", "results", "assets"] as const;
export type GallerySection = (typeof gallerySections)[number];
/** The subject of the tab that was opened without a batch. */
export const gallerySubject = "gallery";

/** The intents of a page whose tab has these sections. */
export function sectionIntents<const Sections extends readonly [string, ...string[]]>(
  sections: Sections,
): { readonly "section-open": { readonly section: z.ZodMiniEnum<{ [S in Sections[number]]: S }> } } {
  return { "section-open": { section: z.enum(sections) } };
}
