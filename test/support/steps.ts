/** Answers the steps of a quick pick in a real window by VS Code's own commands, which need no focus. */
import { modelStep, picksOf, selectionStep } from "./picks";
import type { VsCodeWindow } from "./window";

/** Waits for the step that has this placeholder, with a row that an Enter would take. */
export async function stepIsReady({ page }: VsCodeWindow, placeholder: string): Promise<void> {
  const widget = page.locator(".quick-input-widget").filter({ visible: true });
  await widget.locator(`input[placeholder*="${placeholder}"]`).waitFor();
  await widget.locator(".monaco-list-row.focused").waitFor();
}

/**
 * Accepts the preselected row in each of these steps. The command comes to the step's listeners in any case: it goes to the extension host behind
 * all that the host has sent to show the step.
 */
export async function acceptSteps(window: VsCodeWindow, ...placeholders: readonly string[]): Promise<void> {
  for (const placeholder of placeholders) {
    if (placeholder === modelStep && !(await asksForModel(window))) continue;
    await stepIsReady(window, placeholder);
    await window.run("workbench.action.acceptSelectedQuickOpenItem");
  }
}

/** The only model of a type is asked for once, and the windows of a suite have one profile: then the last step is shown in its place. */
async function asksForModel(window: VsCodeWindow): Promise<boolean> {
  const picks = picksOf(window);
  const asked = picks.stepNow(modelStep);
  await asked.or(picks.stepNow(selectionStep)).first().waitFor();
  return await asked.isVisible();
}
