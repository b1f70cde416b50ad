/**
 * Every state of the chat page from right to left and at 200 %: nothing scrolls sideways or is too small to press. With PANEL_STATES=all also
 * in dark, light, high contrast, Chinese, narrow and as a tab; with PANEL_PICTURES=1, pictures to look at are left in test-results/panel/states.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { findViolations } from "../support/axe";
import { PanelPage, type PanelOptions } from "../support/panelPage";
import { takePicture } from "../support/pictures";
import { stateScenes } from "./stateScenes";

const chinese = JSON.parse(readFileSync("l10n/bundle.l10n.zh-cn.json", "utf8")) as Record<string, string>;
/** The side bar as VS Code opens it, for which the page is designed. */
const plain = { width: 300, height: 720 };
const all: Readonly<Record<string, PanelOptions>> = {
  dark: { theme: "dark", size: plain },
  light: { theme: "light", size: plain },
  "high-contrast": { theme: "high-contrast", size: plain },
  narrow: { theme: "dark", size: { width: 200, height: 600 } },
  chinese: { theme: "light", size: plain, words: chinese, context: { locale: "zh-CN" } },
  tab: { theme: "dark", size: { width: 1280, height: 800 } },
};
const looks: readonly (readonly [string, PanelOptions])[] = Object.entries({
  "right-to-left": { theme: "dark", size: plain, direction: "rtl" },
  // A side bar of 400 × 720 pixels at 200 %.
  zoomed: { theme: "light", size: { width: 200, height: 360 }, context: { deviceScaleFactor: 2 } },
  ...(process.env["PANEL_STATES"] === "all" ? all : {}),
});

describe("chat panel in every state", () => {
  for (const [look, options] of looks) {
    it(`P6: ${look}: nothing keeps anyone out, nothing scrolls sideways`, async () => {
      const panel = await PanelPage.open(options);
      const found: unknown[] = [];
      for (const [name, scene] of Object.entries(stateScenes)) {
        await panel.showScene(scene);
        await takePicture(panel.page, `states/${look}/${name}`);
        const wide = await panel.page.evaluate(
          "[document.documentElement, document.querySelector('.transcript')].map((place) => place.scrollWidth - place.clientWidth)",
        );
        if (String(wide) !== "0,0") found.push([name, "scrolls sideways by", wide]);
        found.push(...(await panel.violations()).map((violation) => [name, violation]));
        // What it asks for depends on the size only.
        if (look === "right-to-left") continue;
        const violations = await findViolations(panel.page, {
          rules: ["target-size", "scrollable-region-focusable"],
        });
        for (const { id, nodes } of violations)
          found.push([name, id, nodes.map(({ html, failureSummary }) => [html, failureSummary])]);
      }
      assert.deepEqual(found, []);
    });
  }
});
