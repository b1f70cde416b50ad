/** The tab of the gallery, with sections for all results, for the assets of the project and, where it was opened for a batch, for that batch. */
import type * as vscode from "vscode";
import * as z from "zod/mini";
import type { Disposable } from "../../../base/disposable";
import { type GallerySection, gallerySections, gallerySubject } from "../../contract/pageSections";
import { PageSections } from "../../../vscode/pageSections";
import { AssetsPage } from "./assetsPage";
import { BatchPage } from "./batchPage";
import { GalleryPage } from "./galleryPage";
import type { TaskPageOptions } from "./taskPage";

const saved = z.looseObject({ section: z.enum(gallerySections) });

export class GalleryTab implements Disposable {
  readonly #sections: PageSections<GallerySection>;
  #results: GalleryPage | undefined;

  /** `subject`: `gallerySubject`, or the id of a batch. `state`: what the page kept, after a reload. */
  constructor(tab: vscode.WebviewPanel, subject: string, state: unknown, options: TaskPageOptions) {
    const open = (section: GallerySection): void => this.#sections.show(section);
    this.#sections = new PageSections<GallerySection>({
      batch: () => new BatchPage(tab, subject, options, open),
      results: () => (this.#results = new GalleryPage(tab, subject, options, open)),
      assets: () => new AssetsPage(tab, subject, options, open),
    });
    const kept = saved.safeParse(state);
    this.#sections.show(kept.success ? kept.data.section : subject === gallerySubject ? "results" : "batch");
  }

  /** Shows these results side by side. */
  compare(ids: readonly string[]): void {
    this.#sections.show("results");
    this.#results?.compare(ids);
  }

  dispose(): void {
    this.#sections.dispose();
  }
}
