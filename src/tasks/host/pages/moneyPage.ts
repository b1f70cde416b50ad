/** The money page in an editor tab: follows the board, and reads the events that show that the money of ended tasks was given back (T10). */
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import * as z from "zod/mini";
import { definedFields } from "../../../base/definedFields";
import { type Disposable, DisposableStore } from "../../../base/disposable";
import type { TimeSlices } from "../../../base/async/timeSlices";
import { type MoneyGroup, moneyGroups } from "../../../domain/task/moneyGroup";
import type { Task } from "../../../domain/task/task";
import { formatPrices } from "../../../domain/words/describePrice";
import { moneyPageContract, type MoneyPageSnapshot } from "../../contract/moneyPageContract";
import { type BillFinding, billId } from "../../../gateway/bills";
import { billEvidence, billSentence, unseenSentence } from "../../view/billWords";
import {
  chargesWithoutResult,
  groupByMoney,
  releasesNotSeen,
  spendingBegan,
  type TasksByMoney,
  type UnseenSpending,
  unseenSpending,
} from "../../money";
import { internalCommands } from "../../../vscode/ids";
import { type MoneySection, moneySections } from "../../contract/pageSections";
import { runCommand } from "../../../vscode/interface/runCommand";
import { lastOf, mountProjectedPage, type ProjectedPage } from "../../../vscode/webviewPage";
import { moneyView } from "./moneyPageView";
import { PageSections } from "../../../vscode/pageSections";
import { TaskCount } from "./taskCount";
import { UsagePage } from "./usagePage";
import type { TaskPageOptions } from "./taskPage";

/** The most ended tasks whose events one check reads, and milliseconds between two of them, so that a check keeps within the budget of requests. */
const maxRead = 100;
const readGap = 250;

const saved = z.looseObject({ group: z.enum(moneyGroups) });

class MoneyPage implements Disposable {
  readonly #options: TaskPageOptions;
  readonly #registrations = new DisposableStore();
  readonly #page: ProjectedPage<MoneyPageSnapshot>;
  readonly #ended = new AbortController();
  /** The group that the person has chosen. Until then the page shows the first group that holds tasks, those to check before the others. */
  #chosen: MoneyGroup | undefined;
  #money: TasksByMoney | undefined;
  #charges: readonly BillFinding[] = [];
  #unseen: UnseenSpending | undefined;
  #checking: MoneyPageSnapshot["checking"];
  readonly #count: TaskCount;

  constructor(
    tab: vscode.WebviewPanel,
    state: unknown,
    options: TaskPageOptions,
    open: (section: MoneySection) => void,
  ) {
    this.#options = options;
    const kept = saved.safeParse(state);
    this.#chosen = kept.success ? kept.data.group : undefined;
    this.#page = this.#registrations.add(
      mountProjectedPage(tab, moneyPageContract, {
        ...options,
        bundle: "money",
        title: moneyTitle(),
        handlers: {
          "section-open": ({ section }) => open(section),
          "group-choose": ({ group }) => this.#choose(group),
          "task-open": ({ task }) => options.openTask(task),
          "check-now": () => void this.#check(),
          "evidence-show": ({ finding }) => void this.#showEvidence(finding),
          "csv-export": () => void runCommand(internalCommands.exportCsv),
        },
        snapshot: () => this.#snapshot(),
        merge: lastOf,
        onShown: () => {
          options.balances.refresh();
          void this.#load();
        },
      }),
    );
    this.#registrations.add(options.balances.current.onDidChange(() => this.#onBalance()));
    this.#registrations.add(options.bills.onDidChange(() => this.#update()));
    this.#count = this.#registrations.add(
      new TaskCount(
        options,
        () => this.#page.isShown,
        async (tasks, slices, signal) => {
          const money = await groupByMoney(tasks, slices);
          const charges = await chargesWithoutResult(tasks, options.clock.now(), slices);
          if (signal.aborted) return;
          this.#money = money;
          this.#charges = charges;
          this.#update();
          await this.#compare(tasks, slices, signal);
        },
      ),
    );
  }

  dispose(): void {
    this.#ended.abort();
    this.#registrations.dispose();
  }

  #snapshot(): MoneyPageSnapshot {
    const { board, clock } = this.#options;
    const { unread, unreadable } = board.file.current;
    const context = { now: clock.now(), locale: vscode.env.language, notRead: unread + unreadable };
    const group = this.#chosen ?? firstOf(this.#money);
    const money = this.#money && moneyView(this.#money, group, context);
    const balance = this.#options.balances.current.current;
    const left =
      balance.length === 0
        ? undefined
        : t("{0} left, the gateway {1} says.", formatPrices(balance, vscode.env.language), this.#options.gatewayName());
    const all = this.#findings().map((one) => ({ id: billId(one), sentence: billSentence(one) }));
    const findings = all.length === 0 ? undefined : all;
    const unseen =
      this.#unseen && unseenSentence(this.#unseen, this.#options.gatewayName(), vscode.env.language, clock.now());
    return { group, ...definedFields({ money, left, unseen, findings, checking: this.#checking }) };
  }

  #findings(): readonly BillFinding[] {
    return [...this.#options.bills.current, ...this.#charges];
  }

  async #showEvidence(id: string): Promise<void> {
    const finding = this.#findings().find((one) => billId(one) === id);
    if (finding === undefined) return;
    const { reports, clock } = this.#options;
    await reports.show(`${t("Evidence")}.md`, billEvidence(finding, vscode.env.language, clock.now()));
  }

  #onBalance(): void {
    this.#update();
    if (this.#page.isShown && this.#money !== undefined) void this.#count.run();
  }

  /** Reading the amounts of the chats may take a while, because the index first reads their new parts. */
  async #compare(tasks: readonly Task[], slices: TimeSlices, signal: AbortSignal): Promise<void> {
    const { board, balances, tokenUsage, log } = this.#options;
    const { spent } = balances;
    const { unread, unreadable } = board.file.current;
    try {
      // Without all tasks the rest would be too large.
      const isWhole = spent !== undefined && unread + unreadable === 0;
      const unseen = isWhole
        ? await unseenSpending(spent, tasks, await tokenUsage(spendingBegan(spent)), slices)
        : undefined;
      if (signal.aborted) return;
      this.#unseen = unseen;
      this.#update();
    } catch (failure) {
      if (!signal.aborted) log.warn("The amounts of the chats could not be read.", { message: String(failure) });
    }
  }

  #update(): void {
    if (this.#page.isShown) this.#page.emit(this.#snapshot());
  }

  #choose(group: MoneyGroup): void {
    this.#chosen = group;
    this.#update();
  }

  /** Counts the tasks. The first time, it then reads the events of ended tasks, while the page is already shown. */
  async #load(): Promise<void> {
    const isFirst = this.#money === undefined;
    await this.#options.board.loaded();
    await this.#count.run();
    if (isFirst) await this.#check();
  }

  async #check(): Promise<void> {
    const { clock, loadEvents } = this.#options;
    if (this.#checking || !this.#money) return;
    const ids = releasesNotSeen(this.#money).slice(0, maxRead);
    const of = ids.length;
    try {
      for (const [done, id] of ids.entries()) {
        this.#checking = { done, of };
        this.#update();
        await loadEvents(id);
        if (done + 1 < of) await clock.delay(readGap, this.#ended.signal);
      }
    } catch (failure) {
      if (!this.#ended.signal.aborted) throw failure;
    } finally {
      this.#checking = undefined;
      if (!this.#ended.signal.aborted) await this.#count.run();
    }
  }
}

function firstOf(money: TasksByMoney | undefined): MoneyGroup {
  const order = ["toCheck", "reserved", "charged", "notNamed", "notCharged", "free"] as const;
  return order.find((group) => money?.groups.has(group)) ?? "reserved";
}

const savedSection = z.looseObject({ section: z.enum(moneySections) });

/** Creates the tab with both sections. It shows the section from before a reload, else the money of the tasks. */
export function createMoneyTab(
  tab: vscode.WebviewPanel,
  state: unknown,
  options: TaskPageOptions,
): Disposable & { open(section: MoneySection): void } {
  const open = (section: MoneySection): void => sections.show(section);
  const sections: PageSections<MoneySection> = new PageSections<MoneySection>({
    tasks: (saved) => new MoneyPage(tab, saved, options, open),
    usage: (saved) => new UsagePage(tab, saved, options, open),
  });
  const kept = savedSection.safeParse(state);
  sections.show(kept.success ? kept.data.section : "tasks", state);
  return { open, dispose: () => sections.dispose() };
}

/** The title of the page and of its tab. */
export function moneyTitle(): string {
  return t("Money");
}
