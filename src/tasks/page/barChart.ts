/** Stacked bars, one for each day, as SVG in the theme's colours with a pattern for each series. The chart is one list box: arrows choose a bar, Enter opens it. */
import { html, nothing, svg, type TemplateResult } from "lit-html";

export interface Bar {
  /** The start of the day. */
  readonly key: number;
  /** The bar in a sentence, for tooltip and screen reader. */
  readonly spoken: string;
  /** Bottom first; `series` names colour and pattern. */
  readonly parts: readonly { readonly series: string; readonly value: number }[];
}

export interface BarChart {
  readonly id: string;
  readonly label: string;
  readonly bars: readonly Bar[];
  /** The width of the page, in pixels. */
  readonly width: number;
  /** The key of the bar that the arrows have reached. */
  readonly active: number;
  /** The key of the opened bar. */
  readonly opened: number | undefined;
  /** The names of some of the days, by the index of their bar. */
  readonly names: ReadonlyMap<number, string>;
  /** A line across the bars, with its name. Far above them it is left out: it would make them flat. */
  readonly limit?: { readonly value: number; readonly name: string } | undefined;
  readonly onMove: (key: number) => void;
  readonly onOpen: (key: number) => void;
}

const height = 160;
/** Pixels to the left of the plot, for the values of the lines. */
const margin = 32;

export function barChart(chart: BarChart): TemplateResult {
  const { id, label, bars, width, active, names } = chart;
  const highest = Math.max(1, ...bars.map(({ parts }) => sum(parts)));
  const limit = chart.limit && chart.limit.value <= 2 * highest ? chart.limit : undefined;
  const top = niceTop(Math.max(highest, limit?.value ?? 0));
  const step = Math.max(1, (width - margin) / Math.max(1, bars.length));
  const toY = (value: number): number => height - (value / top) * height;
  return html`<svg
    class="chart"
    id=${id}
    width=${width}
    height=${height + 24}
    role="listbox"
    tabindex="0"
    aria-label=${label}
    aria-orientation="horizontal"
    aria-activedescendant=${`${id}-${active}`}
    @keydown=${(event: KeyboardEvent) => onKey(event, chart)}
  >
    <g aria-hidden="true" transform="translate(${margin} 8)">
      ${[0, top / 2, top].filter(Number.isInteger).map(
        (value) =>
          svg`<line class="grid-line" x1="0" x2=${width - margin} y1=${toY(value)} y2=${toY(value)} />
            <text class="axis" x="-6" y=${toY(value) + 4} text-anchor="end">${value}</text>`,
      )}
      ${[...names].map(([index, name]) => {
        const isLast = index === bars.length - 1;
        return svg`<text class="axis" x=${isLast ? width - margin : index * step} y=${height + 14} text-anchor=${isLast ? "end" : "start"}>${name}</text>`;
      })}
    </g>
    ${limit === undefined ? nothing : limitLine(limit, width - margin, toY(limit.value))}
    ${bars.map((bar, index) => barOf(chart, bar, margin + index * step, step, toY))}
  </svg>`;
}

function limitLine({ name }: { readonly name: string }, width: number, y: number): TemplateResult {
  return svg`<g aria-hidden="true" transform="translate(${margin} 8)">
    <line class="limit-line" x1="0" x2=${width} y1=${y} y2=${y} />
    <text class="axis" x=${width} y=${y - 4} text-anchor="end">${name}</text>
  </g>`;
}

function barOf(chart: BarChart, bar: Bar, x: number, step: number, toY: (value: number) => number): TemplateResult {
  const { id, active, opened, onOpen } = chart;
  const gap = step > 6 ? Math.min(6, step / 4) : 1;
  const width = Math.min(48, Math.max(1, step - gap));
  const left = (step - width) / 2;
  let total = 0;
  return svg`<g
    role="option"
    id=${`${id}-${bar.key}`}
    class="bar ${bar.key === active ? "active" : ""}"
    aria-label=${bar.spoken}
    aria-selected=${bar.key === opened}
    transform="translate(${x} 8)"
    @click=${() => onOpen(bar.key)}
  >
    <title>${bar.spoken}</title>
    <rect class="bar-area" width=${step} height=${height} />
    ${bar.parts.map(({ series, value }) => {
      if (value === 0) return nothing;
      const from = toY(total);
      total += value;
      return svg`<rect class="series" fill=${`url(#fill-${series})`} x=${left} y=${toY(total)} width=${width} height=${from - toY(total)} />`;
    })}
  </g>`;
}

function onKey(event: KeyboardEvent, { bars, active, onMove, onOpen }: BarChart): void {
  const now = bars.findIndex(({ key }) => key === active);
  const to: Readonly<Record<string, number>> = {
    ArrowLeft: now - 1,
    ArrowRight: now + 1,
    Home: 0,
    End: bars.length - 1,
  };
  if (event.key === "Enter" || event.key === " ") onOpen(active);
  else if (event.key in to) {
    const bar = bars[Math.min(Math.max(to[event.key] ?? now, 0), bars.length - 1)];
    if (bar) onMove(bar.key);
  } else return;
  event.preventDefault();
}

function sum(parts: Bar["parts"]): number {
  return parts.reduce((total, { value }) => total + value, 0);
}

/** The next of 1, 2, 4, 10, 20, 40, 100, … so that half of it is a whole number where it can be. */
function niceTop(value: number): number {
  for (let power = 1; ; power *= 10) {
    for (const step of [1, 2, 4]) if (value <= step * power) return step * power;
  }
}
