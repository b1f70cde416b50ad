/** A picture that the model answered with or that a tool returned, or a line for a medium that is not shown. Both can be saved. */
import { t } from "@vscode/l10n";
import { html, nothing, render, type TemplateResult } from "lit-html";
import { Directive, directive } from "lit-html/directive.js";
import type { MediaAction, PicturePlace } from "../../contract/chatPageContract";
import type { RowActions } from "../shared/controls";
import { revealName } from "../../../webview/hiddenCharacters";
import { icon } from "../../../webview/pageParts";
import { mediaPreview } from "../../../tasks/page/mediaPreview";
import { copyPicture, type Picture } from "../shared/pictures";

interface ShownPicture {
  readonly place: PicturePlace;
  readonly mimeType: string;
  /** Describes the picture for a person who can't see it. */
  readonly words: string;
  /** The picture comes from a file of the workspace. */
  readonly isInWorkspace?: boolean;
}

class MediaView {
  readonly element = document.createElement("div");
  readonly #shown: ShownPicture;
  readonly #actions: RowActions;

  constructor(shown: ShownPicture, actions: RowActions) {
    this.#shown = shown;
    this.#actions = actions;
    this.#show(actions.pictures.of(shown.place, (picture) => this.#show(picture)));
  }

  #show(picture: Picture | undefined): void {
    render(picture === undefined ? nothing : this.#template(picture), this.element);
  }

  #template({ blob, url }: Picture): TemplateResult {
    const save = this.#button(t("Save…"), "save");
    if (blob === undefined || url === undefined)
      return html`<div class="end">
        ${icon("file")}<span>${t("Attachment ({0})", revealName(this.#shown.mimeType))}</span>${save}
      </div>`;
    const copy = (): void =>
      void copyPicture(blob).then(
        () => this.#actions.announce(t("Copied")),
        () => this.#actions.announce(t("Copying is not allowed here")),
      );
    const shown = mediaPreview({
      file: { kind: "image", url },
      words: this.#shown.words,
      size: "card",
      onError: () => this.#show({}),
    });
    return html`${shown}
      <div class="buttons">
        ${save}${this.#shown.isInWorkspace === true ? nothing : this.#button(t("Save into Workspace"), "save-into-workspace")}
        ${this.#button(t("Insert Link"), "insert")}
        <button type="button" class="button quiet" @click=${copy}>${t("Copy")}</button>
      </div>`;
  }

  #button(label: string, action: MediaAction): TemplateResult {
    const act = (): void => this.#actions.send({ type: "media-act", ...this.#shown.place, action });
    return html`<button type="button" class="button quiet" @click=${act}>${label}</button>`;
  }
}

class MediaDirective extends Directive {
  #view: MediaView | undefined;

  override render(shown: ShownPicture, actions: RowActions): Element {
    this.#view ??= new MediaView(shown, actions);
    return this.#view.element;
  }
}

/** Keeps the nodes of the picture from update to update. */
export const mediaView = directive(MediaDirective);
