/** The usage page: a range, plots or a table, times to result, and the list of the day whose bar was opened (T13). */
import "../../webview/styles/page.css";
import "../../webview/styles/table.css";
import "../../webview/styles/tiles.css";
import "../../webview/styles/usage.css";
import {
  type UsagePageContract,
  type TaskUsage,
  type UsageDay,
  type UsageList,
  type UsagePageIntent,
  type UsagePageSnapshot,
  type UsageTable,
  usageRanges,
} from "../contract/usagePageContract";
import { nextState, startPage, type PageActions } from "../../webview/page";
import { t } from "@vscode/l10n";
import { plural, textLanguage } from "../../domain/words/plural";
import { html, nothing, type TemplateResult, svg } from "lit-html";
import { joinWords } from "../../domain/words/joinWords";
import { type UsageOutcome, usageOutcomes } from "../../domain/task/usageOutcome";
import { revealName } from "../../webview/hiddenCharacters";
import { cutLabel } from "../../domain/words/label";
import { taskTypeName } from "../../domain/words/taskTypeWords";
import { createTimes } from "../../domain/words/timeFormats";
import { moneySectionBar } from "./sectionBar";
import { stateChip } from "./stateChip";
import {
  dayNames,
  listTitle,
  type ModelRow,
  modelRow,
  type TokenRow,
  tokenRows,
  usageSummary,
  usageTiles,
} from "./usageWords";
import { type Bar, barChart } from "./barChart";

class UsageTemplate {
  readonly #actions: PageActions<UsagePageIntent>;
  #isTable = false;
  /** The day that the arrow keys have reached. */
  #active: number | undefined;

  constructor(actions: PageActions<UsagePageIntent>) {
    this.#actions = actions;
    window.addEventListener("resize", () => actions.redraw());
  }

  render(snapshot: UsagePageSnapshot): TemplateResult {
    const { range, usage } = snapshot;
    const { send } = this.#actions;
    return html`<div class="page usage-page">
      ${patterns()}
      <header>
        ${moneySectionBar("usage", (section) => send({ type: "section-open", section }))}
        <h1>${t("Usage")}</h1>
        <div class="usage-bar">
          <div class="ranges" role="group" aria-label=${t("Range")}>
            ${usageRanges.map(
              (days) =>
                html`<button
                  type="button"
                  class="button ${days === range ? "" : "secondary"}"
                  aria-pressed=${days === range}
                  @click=${() => send({ type: "range-choose", range: days })}
                >
                  ${plural(days, { other: "{0} days" })}
                </button>`,
            )}
          </div>
          <button
            type="button"
            class="button secondary"
            aria-pressed=${this.#isTable}
            @click=${() => this.#toggleTable()}
          >
            ${t("Show as table")}
          </button>
        </div>
        <p class="quiet-text">
          ${usage === undefined ? t("Counting the tasks…") : usageSummary(usage, textLanguage())}
        </p>
      </header>
      ${usage === undefined ? nothing : this.#content(usage, snapshot)}
    </div>`;
  }

  #content(usage: TaskUsage, { tokens, prices, cap, list }: UsagePageSnapshot): TemplateResult {
    const locale = textLanguage();
    return html`<dl class="tiles">
        ${usageTiles(usage, prices, locale).map(
          ({ name, value, about }) =>
            html`<div class="tile">
              <dt>${name}</dt>
              <dd class="tile-count">${value}</dd>
              <dd class="quiet-text">${about}</dd>
            </div>`,
        )}
      </dl>
      <section>
        <h2>${t("Tasks a day by outcome")}</h2>
        ${this.#isTable ? dayTable(usage.days) : this.#plots(usage, cap, list)} ${this.#exportButton("days")}
      </section>
      ${list === undefined ? nothing : this.#list(list)}
      <section>
        <h2>${t("By model")}</h2>
        <p class="quiet-text">
          ${t("Which one is worth its price: how many succeed, how long they take, and what one costs.")}
        </p>
        ${
          usage.models.length === 0
            ? html`<p class="quiet-text">${t("No task was submitted in this time.")}</p>`
            : html`${modelTable(usage.models.map((model) => modelRow(model, locale)))} ${this.#exportButton("models")}`
        }
      </section>
      <section>
        <h2>${t("Tokens a day in chats")}</h2>
        <p class="quiet-text">${t("By model, from the chats on this machine, as far as gateways have counted.")}</p>
        ${this.#tokens(tokens && tokenRows(tokens, prices, locale))}
      </section>`;
  }

  #tokens(rows: readonly TokenRow[] | undefined): TemplateResult {
    if (rows === undefined) return html`<p class="quiet-text">${t("Reading the chats…")}</p>`;
    if (rows.length === 0) return html`<p class="quiet-text">${t("No model has answered in this time.")}</p>`;
    return html`${tokenTable(rows)} ${this.#exportButton("tokens")}`;
  }

  #plots({ days }: TaskUsage, cap: number | undefined, list: UsageList | undefined): TemplateResult {
    const active = days.find(({ start }) => start === this.#active)?.start ?? days.at(-1)?.start ?? 0;
    const common = {
      width: Math.max(100, Math.min(document.documentElement.clientWidth, 1040) - 40),
      active,
      opened: list?.start,
      names: namesOf(days),
      onMove: (key: number) => {
        this.#active = key;
        this.#actions.redraw();
      },
      onOpen: (key: number) => {
        this.#active = key;
        this.#actions.send(list?.start === key ? { type: "day-close" } : { type: "day-open", start: key });
        this.#actions.redraw();
      },
    };
    return html`<ul class="legend">
        ${usageOutcomes.map(
          (outcome) => html`<li>${swatch(outcome)}${t("{0}: {1}", outcomeName(outcome), total(days, outcome))}</li>`,
        )}
        ${cap === undefined ? nothing : html`<li>${t("Cap: {0} a day", cap)}</li>`}
      </ul>
      ${barChart({
        ...common,
        id: "tasks",
        label: t("Tasks a day by outcome"),
        bars: days.map(outcomeBar),
        limit: cap === undefined ? undefined : { value: cap, name: t("Cap: {0} a day", cap) },
      })}
      <h2>${t("Reserved at once")}</h2>
      <p class="quiet-text">${t("The most tasks that had money reserved at one moment of each day.")}</p>
      ${barChart({ ...common, id: "holds", label: t("Reserved at once"), bars: days.map(holdBar) })}`;
  }

  #list(list: UsageList): TemplateResult {
    const { send } = this.#actions;
    const { tasks, more } = list;
    const locale = textLanguage();
    const title = listTitle(list, locale);
    const times = createTimes(locale, Date.now());
    return html`<section class="day-list" aria-label=${title}>
      <h2>${title}</h2>
      <button type="button" class="button quiet" @click=${() => send({ type: "day-close" })}>${t("Close List")}</button>
      <ul>
        ${tasks.map(
          ({ id, prompt, type, model, createdAt, state, tone }) =>
            html`<li>
              ${stateChip({ name: state, tone })}
              <button type="button" class="link" @click=${() => send({ type: "task-open", task: id })}>
                ${revealName(cutLabel(prompt))}
              </button>
              <span class="quiet-text"
                >${revealName(`${taskTypeName(type)} · ${model} · ${times.short(createdAt)}`)}</span
              >
            </li>`,
        )}
      </ul>
      ${more === 0 ? nothing : html`<p class="quiet-text">${t("{0} more are not listed.", more)}</p>`}
    </section>`;
  }

  #exportButton(table: UsageTable): TemplateResult {
    return html`<button
      type="button"
      class="button quiet"
      @click=${() => this.#actions.send({ type: "csv-export", table })}
    >
      ${t("Export CSV")}
    </button>`;
  }

  #toggleTable(): void {
    this.#isTable = !this.#isTable;
    this.#actions.redraw();
  }
}

function outcomeName(outcome: UsageOutcome): string {
  switch (outcome) {
    case "succeeded":
      return t("Succeeded");
    case "failed":
      return t("Failed");
    case "ended":
      return t("Cancelled, expired or refunded");
    case "open":
      return t("Running or outcome unknown");
    case "refused":
      return t("Not accepted");
  }
}

function total(days: readonly UsageDay[], outcome: UsageOutcome): number {
  return days.reduce((sum, { counts }) => sum + counts[outcome], 0);
}

function outcomeBar({ start, counts }: UsageDay): Bar {
  const name = dayNames(textLanguage())(start);
  const said = usageOutcomes
    .filter((outcome) => counts[outcome] > 0)
    .map((outcome) => t("{0}: {1}", outcomeName(outcome), counts[outcome]));
  return {
    key: start,
    spoken: said.length === 0 ? t("{0}: no tasks", name) : t("{0}. {1}", name, joinWords(said)),
    parts: usageOutcomes.map((series) => ({ series, value: counts[series] })),
  };
}

function holdBar({ start, mostHolds }: UsageDay): Bar {
  const name = dayNames(textLanguage())(start);
  return {
    key: start,
    spoken: plural(
      mostHolds,
      {
        one: "{0}: money reserved for at most {1} task at once",
        other: "{0}: money reserved for at most {1} tasks at once",
      },
      name,
      mostHolds,
    ),
    parts: [{ series: "holds", value: mostHolds }],
  };
}

/** First, middle and last day: more would not fit. */
function namesOf(days: readonly UsageDay[]): ReadonlyMap<number, string> {
  const name = dayNames(textLanguage());
  const indexes = [0, Math.floor((days.length - 1) / 2), days.length - 1];
  return new Map(indexes.flatMap((index) => (days[index] ? [[index, name(days[index].start)]] : [])));
}

function dayTable(days: readonly UsageDay[]): TemplateResult {
  const heads = [t("Day"), ...usageOutcomes.map(outcomeName), t("Reserved at once")];
  const name = dayNames(textLanguage());
  return stackingTable(
    t("Tasks a day by outcome"),
    heads,
    days.toReversed().map(({ start, counts, mostHolds }) => ({
      name: name(start),
      cells: [...usageOutcomes.map((outcome) => counts[outcome]), mostHolds].map((value) => ({
        value,
        isNothing: value === 0,
      })),
    })),
  );
}

function modelTable(models: readonly ModelRow[]): TemplateResult {
  const longest = Math.max(1, ...models.map(({ time }) => time?.p90 ?? 0));
  const hasPrices = models.some(({ price }) => price !== undefined);
  const heads = [t("Type and model"), t("Tasks"), t("Succeeded"), t("Median"), t("9 of 10 within")];
  return stackingTable(
    t("By model"),
    hasPrices ? [...heads, t("One costs"), t("Cost")] : heads,
    models.map(({ name, count, success, time, price, priceEach }) => ({
      name: revealName(name),
      cells: [
        { value: count },
        {
          value: success && html`${success.text}${shareBar(success.share, "succeeded")}`,
          isNothing: success === undefined,
        },
        {
          value: time && html`${time.medianText}${shareBar(time.median / longest, "open")}`,
          isNothing: time === undefined,
        },
        { value: time && html`${time.p90Text}${shareBar(time.p90 / longest, "open")}`, isNothing: time === undefined },
        ...(hasPrices
          ? [priceEach, price].map((value) => ({ value: value ?? "", isNothing: value === undefined }))
          : []),
      ],
    })),
  );
}

function shareBar(share: number, series: string): TemplateResult {
  return html`<svg class="time-bar" width="100%" height="8" aria-hidden="true">
    <rect class="track" width="100%" height="8" />
    <rect class="series" width=${`${share * 100}%`} height="8" fill=${`url(#fill-${series})`} />
  </svg>`;
}

function tokenTable(rows: readonly TokenRow[]): TemplateResult {
  const hasPrices = rows.some(({ price }) => price !== undefined);
  const heads = [t("Day"), t("Model"), t("Input"), t("From the cache"), t("Output")];
  return stackingTable(
    t("Tokens a day in chats"),
    hasPrices ? [...heads, t("Cost")] : heads,
    rows.map(({ day, model, input, cached, share, output, price }) => ({
      name: day,
      cells: [
        { value: revealName(model) },
        { value: input },
        {
          value: html`${cached}${shareBar(share, "succeeded")}`,
        },
        { value: output },
        ...(hasPrices ? [{ value: price ?? "", isNothing: price === undefined }] : []),
      ],
    })),
  );
}

interface TableRow {
  readonly name: unknown;
  /** `isNothing`: left out where each row is a list of its cells. */
  readonly cells: readonly { readonly value: unknown; readonly isNothing?: boolean }[];
}

/** In a narrow tab each row is a list, with the head of its column next to each cell. Roles are explicit: an element laid out as a block has none. */
function stackingTable(label: string, heads: readonly string[], rows: readonly TableRow[]): TemplateResult {
  return html`<table class="stacks" role="table" aria-label=${label}>
    <thead role="rowgroup">
      <tr role="row">
        ${heads.map((head) => html`<th scope="col" role="columnheader">${head}</th>`)}
      </tr>
    </thead>
    <tbody role="rowgroup">
      ${rows.map(
        ({ name, cells }) =>
          html`<tr role="row" class=${cells.every(({ isNothing }) => isNothing) ? "nothing" : ""}>
            <th scope="row" role="rowheader">${name}</th>
            ${cells.map(
              ({ value, isNothing }, index) =>
                html`<td role="cell" class=${isNothing === true ? "nothing" : ""}>
                  <span class="cell-head" aria-hidden="true">${heads[index + 1]}</span
                  ><span class="cell">${value}</span>
                </td>`,
            )}
          </tr>`,
      )}
    </tbody>
  </table>`;
}

/** A pattern for each series, so that bars can be distinguished without colour. */
const shapes: Readonly<Record<string, TemplateResult | undefined>> = {
  succeeded: undefined,
  failed: svg`<path d="M-2 2 2-2M0 8 8 0M6 10 10 6" />`,
  ended: svg`<circle cx="4" cy="4" r="1.6" />`,
  open: svg`<path d="M0 4H8" />`,
  refused: svg`<path d="M4 0V8" />`,
  holds: undefined,
};

/** An element of no size that the charts and the legend refer to. */
function patterns(): TemplateResult {
  return html`<svg class="patterns" width="0" height="0" aria-hidden="true">
    <defs>
      ${Object.entries(shapes).map(
        ([series, shape]) =>
          svg`<pattern id=${`fill-${series}`} class=${`series-${series}`} width="8" height="8" patternUnits="userSpaceOnUse">
            <rect width="8" height="8" />${shape}
          </pattern>`,
      )}
    </defs>
  </svg>`;
}

function swatch(series: string): TemplateResult {
  return html`<svg class="swatch" width="16" height="16" aria-hidden="true">
    <rect class="series" width="16" height="16" fill=${`url(#fill-${series})`} />
  </svg>`;
}

startPage<UsagePageContract>((actions) => {
  const page = new UsageTemplate(actions);
  return {
    reduce: nextState,
    template: (snapshot) => page.render(snapshot),
    saved: ({ range }) => ({ subject: "money", section: "usage", range }),
    announce: (before, now) =>
      now.list === undefined || before.list?.start === now.list.start ? undefined : listTitle(now.list, textLanguage()),
  };
});
