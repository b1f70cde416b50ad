/** Keeps a picture and the logs of each window of a failed test, and closes every window after the last test. */
import { cp } from "node:fs/promises";
import path from "node:path";
import type { VsCodeWindow } from "./window";

/** Registers mocha's hooks; does nothing where there is no mocha. */
export function keepEvidence(open: Iterable<VsCodeWindow>): void {
  if (typeof afterEach !== "function") return;
  after("close what a broken test left open", async () => {
    for (const window of open) await window.close();
  });
  afterEach("keep what a failed test saw", async function () {
    if (this.currentTest?.state !== "failed") return;
    for (const window of open) {
      // Each test file is a bundle with hooks of its own: a count in this module would begin again in each.
      const name = `failed-${Math.round(performance.now())}-${this.currentTest.title.replace(/[^\w]+/g, "-").slice(0, 60)}`;
      const picture = await window.screenshot(name).catch(() => undefined);
      if (picture === undefined) continue;
      await cp(path.join(window.server.dataDir, "data", "logs"), picture.replace(/png$/, "logs"), {
        recursive: true,
      }).catch(() => undefined);
      console.log(`    picture and logs: ${path.relative(".", picture)}`);
      // Where only the output is kept, the picture is lost.
      for (const frame of window.page.frames()) {
        const text = await frame
          .locator("body")
          .innerText({ timeout: 2_000 })
          .catch(() => "");
        const line = text.replaceAll(/\s+/g, " ").trim();
        // The frames around a page hold a script only.
        if (line !== "" && !line.startsWith("(function")) console.log(`    it showed: ${line.slice(0, 1_500)}`);
      }
    }
  });
}
