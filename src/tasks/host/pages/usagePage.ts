/** The usage in the tab of the money: counts the board's tasks in slices, again a while after they change (T13). */
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import * as z from "zod/mini";
import { definedFields } from "../../../base/definedFields";
import { type Disposable, DisposableStore } from "../../../base/disposable";
import type { TimeSlices } from "../../../base/async/timeSlices";
import {
  type TaskUsage,
  usagePageContract,
  type UsagePageSnapshot,
  type UsageRange,
  type UsageTable,
  usageRanges,
} from "../../contract/usagePageContract";
import type { MoneySection } from "../../contract/pageSections";
import type { Task } from "../../../domain/task/task";
import { priceListOf, tasksPerDay } from "../../../domain/environment";
import { type TokenDay, tokensByDay } from "../../../domain/prices/tokenDays";
import { aggregateUsage, fittingRange, usageCsv } from "../../usage";
import { lastOf, mountProjectedPage, type ProjectedPage } from "../../../vscode/webviewPage";
import { askWhereToExport } from "../../../vscode/interface/fileDialogs";
import type { TaskPageOptions } from "./taskPage";
import { TaskCount } from "./taskCount";
import { usageList } from "./usageList";

const saved = z.looseObject({ range: z.union([z.literal(7), z.literal(30), z.literal(90)]) });

export class UsagePage implements Disposable {
  readonly #options: TaskPageOptions;
  readonly #registrations = new DisposableStore();
  readonly #page: ProjectedPage<UsagePageSnapshot>;
  #range: UsageRange;
  /** The person has chosen the range; otherwise it follows from the age of the tasks. */
  #isChosen: boolean;
  #usage: TaskUsage | undefined;
  #tokens: readonly TokenDay[] | undefined;
  /** The start of the day whose tasks are listed. */
  #day: number | undefined;
  readonly #count: TaskCount;

  constructor(
    tab: vscode.WebviewPanel,
    state: unknown,
    options: TaskPageOptions,
    open: (section: MoneySection) => void,
  ) {
    this.#options = options;
    const kept = saved.safeParse(state);
    this.#isChosen = kept.success;
    this.#range = kept.success ? kept.data.range : usageRanges[1];
    this.#page = this.#registrations.add(
      mountProjectedPage(tab, usagePageContract, {
        ...options,
        bundle: "usage",
        title: t("Usage"),
        handlers: {
          "section-open": ({ section }) => open(section),
          "range-choose": ({ range }) => this.#choose(range),
          "day-open": ({ start }) => this.#openDay(start),
          "day-close": () => this.#openDay(undefined),
          "task-open": ({ task }) => options.openTask(task),
          "csv-export": ({ table }) => void this.#export(table),
        },
        snapshot: () => this.#snapshot(),
        merge: lastOf,
        onShown: () => void this.#count.run(),
      }),
    );
    this.#count = this.#registrations.add(
      new TaskCount(
        options,
        () => this.#page.isShown,
        (tasks, slices, signal) => this.#countUsage(tasks, slices, signal),
      ),
    );
  }

  dispose(): void {
    this.#registrations.dispose();
  }

  #snapshot(): UsagePageSnapshot {
    const { board, settings } = this.#options;
    const cap = tasksPerDay(settings);
    const list = this.#day === undefined ? undefined : usageList(board.all.values(), this.#day);
    return {
      range: this.#range,
      prices: priceListOf(settings),
      ...definedFields({ usage: this.#usage, tokens: this.#tokens, cap: cap > 0 ? cap : undefined, list }),
    };
  }

  #update(): void {
    if (this.#page.isShown) this.#page.emit(this.#snapshot());
  }

  #choose(range: UsageRange): void {
    this.#isChosen = true;
    this.#range = range;
    this.#day = undefined;
    this.#update();
    void this.#count.run();
  }

  #openDay(start: number | undefined): void {
    this.#day = start;
    this.#update();
  }

  async #countUsage(tasks: readonly Task[], slices: TimeSlices, signal: AbortSignal): Promise<void> {
    const now = this.#options.clock.now();
    if (!this.#isChosen) this.#range = fittingRange(tasks, now);
    const usage = await aggregateUsage(tasks, { days: this.#range, now, slices });
    if (signal.aborted) return;
    this.#usage = usage;
    this.#update();
    await this.#countTokens(usage, signal);
  }

  /** Reading the tokens may take a while, because the index first reads the new parts of the chats. */
  async #countTokens({ days }: TaskUsage, signal: AbortSignal): Promise<void> {
    try {
      const usages = await this.#options.tokenUsage(days[0]?.start ?? 0);
      if (signal.aborted) return;
      this.#tokens = tokensByDay(usages);
      this.#update();
    } catch (failure) {
      this.#options.log.warn("The tokens of the chats could not be counted.", { message: String(failure) });
    }
  }

  async #export(table: UsageTable): Promise<void> {
    if (!this.#usage) return;
    const text = usageCsv(this.#usage, this.#tokens ?? [], table, priceListOf(this.#options.settings));
    try {
      const file = await askWhereToExport(t("Export Usage as CSV"), `sluice-usage-${table}.csv`, { CSV: ["csv"] });
      if (file) await vscode.workspace.fs.writeFile(file, new TextEncoder().encode(text));
    } catch (failure) {
      await this.#options.dialogs.showFailure(failure, "read");
    }
  }
}
