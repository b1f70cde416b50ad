/** What the page of money has beside each other: the money of tasks, and the usage. */
import { t } from "@vscode/l10n";
import type { TemplateResult } from "lit-html";
import type { MoneySection } from "../../contract/pageSections";
import { sectionBar } from "../shared/sectionBar";

export function moneySectionBar(current: MoneySection, open: (section: MoneySection) => void): TemplateResult {
  return sectionBar(
    [
      { section: "tasks", name: t("Money") },
      { section: "usage", name: t("Usage") },
    ],
    current,
    open,
  );
}
