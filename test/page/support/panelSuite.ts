/** For a suite on the chat page: a fresh page for each of its tests, and nothing forbidden or thrown in any. */
import assert from "node:assert/strict";
import type { Locator } from "playwright-core";
import { type PanelOptions, PanelPage } from "./panelPage";

export interface PanelSuite {
  /** A page with an empty chat of a ready gateway. */
  readonly open: (options?: PanelOptions) => Promise<PanelPage>;
  readonly composer: () => Locator;
  readonly button: (name: string) => Locator;
}

export function usePanel(): PanelSuite {
  let panel: PanelPage | undefined;
  afterEach(async () => {
    const violations = await panel?.violations();
    panel = undefined;
    assert.deepEqual(violations, [], "the policy forbade something of ours, or something was thrown");
  });
  const opened = (): PanelPage => {
    assert.ok(panel, "open the page first");
    return panel;
  };
  return {
    async open(options) {
      panel = await PanelPage.open(options);
      await panel.snapshot();
      return panel;
    },
    composer: () => opened().page.getByRole("textbox", { name: "Prompt" }),
    button: (name) => opened().page.getByRole("button", { name, exact: true }),
  };
}
