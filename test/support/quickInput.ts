/** Drives VS Code's quick input, the command palette above all, for the tests on a real window. */
import type { Locator, Page } from "playwright-core";

export interface QuickInput {
  /** The open quick pick or input box. */
  readonly widget: Locator;
  /** Opens it with this text: `>` for commands, else a file's name. */
  open(text: string): Promise<void>;
  /** Runs a command by its palette title. Throws when the palette does not have it. */
  runCommand(title: string): Promise<void>;
}

/** `patience`: milliseconds until a step that does not succeed throws. */
export function quickInputOf(page: Page, patience: number): QuickInput {
  const widget = page.locator(".quick-input-widget").filter({ visible: true });
  const input = widget.locator("input").first();
  /** A closing pick or an editor that takes the focus closes it again, so it retries. */
  const open = async (text: string): Promise<void> => {
    const deadline = Date.now() + patience;
    for (;;) {
      try {
        await page.keyboard.press("F1");
        await input.fill(text, { timeout: 2_000 });
        if ((await input.inputValue({ timeout: 500 })) === text) return;
      } catch (error) {
        if (Date.now() > deadline) throw error;
      }
    }
  };
  return {
    widget,
    open,
    async runCommand(title) {
      const row = widget
        .locator(".monaco-list-row")
        .filter({ has: page.getByText(title, { exact: true }) })
        .first();
      const deadline = Date.now() + patience;
      for (;;) {
        await open(`>${title}`);
        try {
          // An open palette does not list commands that are registered later.
          await row.click({ timeout: 3_000 });
          // Off the row: its tooltip would cover what opens.
          await page.mouse.move(1, 1);
          return;
        } catch (error) {
          if (Date.now() > deadline) throw error;
          const left = await input.inputValue({ timeout: 500 }).catch(() => undefined);
          // Without the palette, Escape would close something else, or take an editor's selection.
          if (left === undefined) continue;
          // On a busy machine the command has begun all the same, and this is its own pick.
          if (!left.startsWith(">")) return;
          await page.keyboard.press("Escape");
        }
      }
    },
  };
}
