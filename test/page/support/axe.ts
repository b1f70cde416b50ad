/** What axe finds on a page, in as little time as it can. */
import type { AxeResults, RunOptions } from "axe-core";
import type { Page } from "playwright-core";

export interface AxeOptions {
  /** Only what differs between two themes. */
  readonly onlyColours?: boolean;
  /** Only these. */
  readonly rules?: readonly string[];
  /** A selector: only what lies in it. */
  readonly within?: string;
  /** Only what makes a part unusable with a keyboard or a screen reader. */
  readonly onlySerious?: boolean;
}

const colourRules = ["color-contrast", "link-in-text-block"];

/** The rules whose result depends on the size of the page. */
export const sizeRules = ["target-size", "scrollable-region-focusable"];

/** The rules that find nothing serious, which take a fifth of the time of all. axe refuses a name that it does not know. */
const lesserRules = [
  "aria-allowed-role",
  "aria-deprecated-role",
  "duplicate-id",
  "empty-heading",
  "empty-table-header",
  "focus-order-semantics",
  "form-field-multiple-labels",
  "heading-order",
  "hidden-content",
  "html-xml-lang-mismatch",
  "identical-links-same-purpose",
  "image-redundant-alt",
  "landmark-banner-is-top-level",
  "landmark-complementary-is-top-level",
  "landmark-contentinfo-is-top-level",
  "landmark-main-is-top-level",
  "landmark-no-duplicate-banner",
  "landmark-no-duplicate-contentinfo",
  "landmark-no-duplicate-main",
  "landmark-one-main",
  "landmark-unique",
  "meta-refresh-no-exceptions",
  "meta-viewport",
  "meta-viewport-large",
  "no-autoplay-audio",
  "page-has-heading-one",
  "presentation-role-conflict",
  "region",
  "scope-attr-valid",
];

export async function findViolations(
  page: Page,
  { onlyColours = false, rules = onlyColours ? colourRules : undefined, within, onlySerious = false }: AxeOptions = {},
): Promise<AxeResults["violations"]> {
  // axe is half a megabyte of script: once for each load of the page, not for each look at it.
  await page.evaluate("globalThis.axe === undefined ? loadAxe() : undefined");
  // Without these, axe reads all styles again, describes each element that is in order, and finds a selector for each that is not.
  const options: RunOptions = { resultTypes: ["violations"], preload: false, selectors: false, iframes: false };
  if (rules !== undefined) options.runOnly = { type: "rule", values: [...rules] };
  const place = within === undefined ? "document" : JSON.stringify(within);
  if (onlySerious && rules === undefined)
    options.rules = Object.fromEntries(lesserRules.map((rule) => [rule, { enabled: false }]));
  const violations = await page.evaluate<AxeResults["violations"]>(
    `axe.run(${place}, ${JSON.stringify(options)}).then(({ violations }) => violations)`,
  );
  return onlySerious ? violations.filter(({ impact }) => impact === "serious" || impact === "critical") : violations;
}
