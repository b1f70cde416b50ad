/** The form for media in an editor tab (T15). It shows and operates the one form of the host. */
import { t } from "@vscode/l10n";
import type * as vscode from "vscode";
import { type Disposable, DisposableStore } from "../../../base/disposable";
import type { Event } from "../../../base/event";
import {
  type MediaFormIntent,
  mediaFormPageContract,
  type MediaFormSnapshot,
} from "../../contract/mediaFormPageContract";
import type { Handlers } from "../../../base/pageContract";
import { lastOf, mountProjectedPage } from "../../../vscode/webviewPage";
import type { FormPrefill } from "../submit/mediaForm";
import type { TaskPageOptions } from "./taskPage";

export interface MediaFormHost {
  readonly onDidChange: Event<void>;
  readonly handlers: Handlers<MediaFormIntent>;
  /** The folder of the pictures that the page shows. */
  readonly folder: vscode.Uri;
  readonly view: (urlOf: (file: vscode.Uri) => string) => MediaFormSnapshot;
  /** The results of these tasks become references. */
  readonly addResults: (ids: readonly string[]) => Promise<void>;
  /** Fills the form in anew. */
  readonly prefill: (prefill: FormPrefill, references?: readonly vscode.Uri[]) => void;
  /** Fills the form in anew with everything of a task. Resolves with false where the form is not to be shown. */
  readonly fillFromTask: (id: string) => Promise<boolean>;
  /** These pictures become references. */
  readonly addFiles: (files: readonly vscode.Uri[]) => void;
  /** Prompt and seed of that picture are put into the fields. */
  readonly fillFrom: (file: vscode.Uri) => Promise<void>;
  /** While the attached page is visible, failures of a submission are shown in the form and not as notifications. Disposing detaches the page. */
  readonly attach: (page: { readonly isShown: boolean }) => Disposable;
}

export class MediaFormPage implements Disposable {
  readonly #registrations = new DisposableStore();
  #isClosed = false;

  /** `loading`: the tab is empty until it resolves. */
  constructor(tab: vscode.WebviewPanel, loading: Promise<MediaFormHost>, options: TaskPageOptions) {
    loading.then(
      (form) => this.#isClosed || this.#mount(tab, form, options),
      (failure: unknown) => void options.dialogs.showFailure(failure, "new-task"),
    );
  }

  dispose(): void {
    this.#isClosed = true;
    this.#registrations.dispose();
  }

  #mount(tab: vscode.WebviewPanel, form: MediaFormHost, options: TaskPageOptions): void {
    const snapshot = (): MediaFormSnapshot => form.view((file) => tab.webview.asWebviewUri(file).toString());
    const page = this.#registrations.add(
      mountProjectedPage(tab, mediaFormPageContract, {
        ...options,
        bundle: "mediaForm",
        title: mediaFormTitle(),
        media: [form.folder],
        handlers: form.handlers,
        snapshot,
        merge: lastOf,
      }),
    );
    this.#registrations.add(form.onDidChange(() => page.isShown && page.emit(snapshot())));
    this.#registrations.add(form.attach(page));
  }
}

/** The title of the page and of its tab. */
export function mediaFormTitle(): string {
  return t("New Media");
}
