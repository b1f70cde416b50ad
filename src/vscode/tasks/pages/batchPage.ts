/** The page of a batch in an editor tab: its variants side by side, one of which is kept. */
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { type Disposable, DisposableStore } from "../../../base/disposable";
import type { Task } from "../../../domain/task/task";
import {
  batchPageContract,
  type BatchPageEvent,
  type BatchPageSnapshot,
  mergeBatchEvents,
} from "../../../protocol/batchPageContract";
import { resultFile } from "../../../tasks/results/resultFile";
import { askedSeed } from "../../../tasks/submit/taskParameters";
import { outcomeOf } from "../../../tasks/money/usage";
import { type BatchPageContext, batchSummary, differenceIn, variantView } from "./batchPageView";
import { commands } from "../../ids";
import { mountProjectedPage, type ProjectedPage } from "../../pages/projectedPage";
import { runForTask } from "../../interface/runCommand";
import type { TaskPagePorts } from "./taskPage";

export class BatchPage implements Disposable {
  readonly #batch: string;
  readonly #ports: TaskPagePorts;
  readonly #tab: vscode.WebviewPanel;
  readonly #registrations = new DisposableStore();
  readonly #page: ProjectedPage<BatchPageEvent>;
  readonly #seeds = new Map<string, string>();
  #isGettingResults = false;
  /** How many variants were last sent to the page. */
  #shownCount = -1;

  constructor(tab: vscode.WebviewPanel, batch: string, ports: TaskPagePorts) {
    this.#batch = batch;
    this.#tab = tab;
    this.#ports = ports;
    this.#page = this.#registrations.add(
      mountProjectedPage(tab, batchPageContract, {
        ...ports,
        bundle: "batch",
        title: t("Batch"),
        media: ports.results,
        handlers: {
          "task-open": ({ task }) => ports.openTask(task),
          "variant-keep": ({ task }) => void this.#keepVariant(task),
          "results-get": () => void this.#getResults(),
        },
        snapshot: () => this.#snapshot(),
        merge: mergeBatchEvents,
        onShown: () => void this.#readSeeds(),
      }),
    );
    this.#registrations.add(ports.board.onDidChange((ids) => this.#onChange(ids)));
  }

  dispose(): void {
    this.#registrations.dispose();
  }

  /** At the destination of its task, or in the workspace. */
  async #keepVariant(id: string): Promise<void> {
    const hasPlace = this.#ports.board.all.tasks.get(id)?.intent.destination !== undefined;
    await runForTask(hasPlace ? commands.placeResult : commands.saveIntoWorkspace, id);
  }

  /** From the requests of the tasks whose seed the gateway did not report. */
  async #readSeeds(): Promise<void> {
    const read = new Set<string>();
    for (const { intent } of this.#tasks()) {
      if (this.#seeds.has(intent.id)) continue;
      const seed = askedSeed(await this.#ports.readBody(intent.id).catch(() => undefined));
      if (seed === undefined) continue;
      this.#seeds.set(intent.id, seed);
      read.add(intent.id);
    }
    if (read.size > 0) this.#onChange(read);
  }

  #tasks(): Task[] {
    return [...this.#ports.board.all.tasks.values()].filter(({ intent }) => intent.batch === this.#batch);
  }

  #context(): BatchPageContext {
    return {
      now: this.#ports.clock.now(),
      locale: vscode.env.language,
      differsFrom: differenceIn(this.#tasks().map(({ intent }) => intent.prompt)),
      seeds: this.#seeds,
      urlOf: (path) => this.#tab.webview.asWebviewUri(vscode.Uri.file(path)).toString(),
    };
  }

  #snapshot(): BatchPageSnapshot {
    const tasks = this.#tasks();
    const context = this.#context();
    return {
      subject: this.#batch,
      summary: batchSummary(tasks, context),
      isGettingResults: this.#isGettingResults,
      variants: tasks.map((task) => variantView(task, context)),
    };
  }

  /** One after the other; the first failure is shown and ends it. */
  async #getResults(): Promise<void> {
    if (this.#isGettingResults) return;
    const { saveResult, dialogs } = this.#ports;
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
    // A removed task is in `ids` too, and its batch is not known any more: the order says that it is gone.
    const order = tasks.map(({ intent }) => intent.id);
    if (changed.length === 0 && ids.size > 0 && order.length === this.#shownCount) return;
    this.#shownCount = order.length;
    const context = this.#context();
    this.#page.emit({
      summary: batchSummary(tasks, context),
      isGettingResults: this.#isGettingResults,
      variants: changed.map((task) => variantView(task, context)),
      order,
    });
  }
}
