/** The page of a batch in an editor tab: its variants side by side, to be compared and marked. */
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { type Disposable, DisposableStore } from "../../../base/disposable";
import { acceptedOf } from "../../../domain/task/phase";
import type { Task } from "../../../domain/task/task";
import {
  batchPageContract,
  type BatchPageEvent,
  type BatchPageSnapshot,
  mergeBatchEvents,
} from "../../contract/batchPageContract";
import type { ResultOption } from "../../contract/galleryPageContract";
import { resultFile } from "../../results/resultFile";
import { taskParameters } from "../../submit/requestBody";
import { outcomeOf } from "../../usage";
import { type BatchPageContext, batchSummary, differencesOf, variantView } from "./batchPageView";
import { resultOptions } from "./galleryPageView";
import { mountProjectedPage, type ProjectedPage } from "../../../vscode/webviewPage";
import { resultHandlers } from "./galleryPage";
import type { GallerySection } from "../../contract/pageSections";
import type { TaskPageOptions } from "./taskPage";

export class BatchPage implements Disposable {
  readonly #batch: string;
  readonly #options: TaskPageOptions;
  readonly #tab: vscode.WebviewPanel;
  readonly #registrations = new DisposableStore();
  readonly #page: ProjectedPage<BatchPageEvent>;
  readonly #parameters = new Map<string, readonly ResultOption[]>();
  #isGettingResults = false;
  /** How many variants were last sent to the page. */
  #shownCount = -1;

  constructor(
    tab: vscode.WebviewPanel,
    batch: string,
    options: TaskPageOptions,
    open: (section: GallerySection) => void,
  ) {
    this.#batch = batch;
    this.#tab = tab;
    this.#options = options;
    this.#page = this.#registrations.add(
      mountProjectedPage(tab, batchPageContract, {
        ...options,
        bundle: "batch",
        title: t("Batch"),
        media: [options.results],
        readsMedia: true,
        handlers: {
          "section-open": ({ section }) => open(section),
          ...resultHandlers(options),
          // The parameters of all variants are sent, because the differences are shown below each picture.
          "results-compare": () => void this.#readOptions(),
          "results-get": () => void this.#getResults(),
        },
        snapshot: () => this.#snapshot(),
        merge: mergeBatchEvents,
        onShown: () => void this.#readOptions(),
      }),
    );
    this.#registrations.add(options.board.onDidChange((ids) => this.#onChange(ids)));
  }

  dispose(): void {
    this.#registrations.dispose();
  }

  /** Reads the parameters from the requests of the tasks. */
  async #readOptions(): Promise<void> {
    let isNew = false;
    for (const { intent } of this.#tasks()) {
      if (this.#parameters.has(intent.id)) continue;
      const body = await this.#options.board.readBody(intent.id).catch(() => undefined);
      if (body === undefined) continue;
      this.#parameters.set(intent.id, taskParameters(body));
      isNew = true;
    }
    // New parameters may change the differences that are shown for every variant.
    if (isNew) this.#onChange(new Set(this.#tasks().map(({ intent }) => intent.id)));
  }

  #tasks(): Task[] {
    return [...this.#options.board.all.values()].filter(({ intent }) => intent.batch === this.#batch);
  }

  #context(tasks: readonly Task[]): BatchPageContext {
    return {
      now: this.#options.clock.now(),
      locale: vscode.env.language,
      folder: this.#options.results.fsPath,
      options: this.#parameters,
      differences: differencesOf(tasks, this.#parameters),
    };
  }

  #snapshot(): BatchPageSnapshot {
    const { results } = this.#options;
    const tasks = this.#tasks();
    return {
      subject: this.#batch,
      base: this.#tab.webview.asWebviewUri(results).toString(),
      folder: results.toString(),
      ...this.#state(tasks, tasks),
    };
  }

  #state(tasks: readonly Task[], shown: readonly Task[]): Omit<BatchPageEvent, "order"> {
    const context = this.#context(tasks);
    return {
      summary: batchSummary(tasks, context),
      isGettingResults: this.#isGettingResults,
      variants: shown.map((task) => ({ ...variantView(task, context), isArriving: this.#isArriving(task) })),
      options: Object.fromEntries(
        tasks.map((task) => [task.intent.id, resultOptions(task, this.#parameters.get(task.intent.id))]),
      ),
    };
  }

  /** False after a failed fetch: the next attempt may be hours away, so the page offers a click instead. */
  #isArriving(task: Task): boolean {
    return acceptedOf(task)?.fetchFailure === undefined && this.#options.awaitsResult(task);
  }

  /** Fetches the missing results one after the other. The first failure is shown and ends the loop. */
  async #getResults(): Promise<void> {
    if (this.#isGettingResults) return;
    const { saveResult, dialogs } = this.#options;
    this.#isGettingResults = true;
    this.#onChange(new Set());
    try {
      for (const task of this.#tasks()) {
        const isMissing = resultFile(task) === undefined && outcomeOf(task) === "succeeded";
        if (isMissing) await saveResult(task.intent.id);
      }
    } catch (failure) {
      void dialogs.showFailure(failure, "result", () => void this.#getResults());
    } finally {
      this.#isGettingResults = false;
      this.#onChange(new Set());
    }
  }

  #onChange(ids: ReadonlySet<string>): void {
    if (!this.#page.isShown) return;
    const tasks = this.#tasks();
    const changed = tasks.filter(({ intent }) => ids.has(intent.id));
    // A removed task is in `ids` too, but its batch is no longer known; the page sees in `order` that it is gone.
    const order = tasks.map(({ intent }) => intent.id);
    if (changed.length === 0 && ids.size > 0 && order.length === this.#shownCount) return;
    this.#shownCount = order.length;
    this.#page.emit({ ...this.#state(tasks, changed), order });
  }
}
