/** What axe finds on a page, in as little time as it can. */
import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";

type Violations = Awaited<ReturnType<AxeBuilder["analyze"]>>["violations"];

export interface AxeOptions {
  /** Only what differs between two themes. */
  readonly onlyColours?: boolean;
  /** Only these. */
  readonly rules?: readonly string[];
  /** A selector: only what lies in it. */
  readonly within?: string;
}

export async function findViolations(
  page: Page,
  { onlyColours = false, rules, within }: AxeOptions = {},
): Promise<Violations> {
  const builder = new AxeBuilder({ page })
    // Otherwise axe reads all styles again, and describes each element that is in order.
    .options({ resultTypes: ["violations"], preload: false })
    // Otherwise each look opens a page of its own for the frames that a page may have; ours has none.
    .setLegacyMode();
  if (within !== undefined) builder.include(within);
  if (onlyColours) builder.withRules(["color-contrast", "link-in-text-block"]);
  if (rules !== undefined) builder.withRules([...rules]);
  return (await builder.analyze()).violations;
}
