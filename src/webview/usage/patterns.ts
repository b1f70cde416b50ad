/** A pattern for each series, so that bars can be told apart without colour. */
import { html, svg, type TemplateResult } from "lit-html";

const shapes: Readonly<Record<string, TemplateResult | undefined>> = {
  succeeded: undefined,
  failed: svg`<path d="M-2 2 2-2M0 8 8 0M6 10 10 6" />`,
  ended: svg`<circle cx="4" cy="4" r="1.6" />`,
  open: svg`<path d="M0 4H8" />`,
  refused: svg`<path d="M4 0V8" />`,
  holds: undefined,
};

/** An element of no size that the charts and the legend refer to. */
export function patterns(): TemplateResult {
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

export function swatch(series: string): TemplateResult {
  return html`<svg class="swatch" width="16" height="16" aria-hidden="true">
    <rect class="series" width="16" height="16" fill=${`url(#fill-${series})`} />
  </svg>`;
}
