/** Where a path leads that a person writes for a converted result: below the folder of the workspace, or nowhere. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import path from "node:path";
import type { ConvertPageIntent, ConvertPageSnapshot } from "../../../src/tasks/contract/convertPageContract";
import { closeWindows, openWindow } from "../../support/fakeVscode/openWindow";
import { tasksView, typePrompt } from "../../support/submitSteps";
import { pngOf } from "../../support/testImages";

describe("a path that a person wrote", () => {
  after(closeWindows);

  it("T17, R6: is below the folder of the workspace, whatever its slashes, and leads back as it is shown; one that leads out is none", async () => {
    const { window, person, folder } = await openWindow();
    const asking = await typePrompt(person, "a hero");
    await person.press("Enter");
    await asking.ended();
    const row = await window.until("it has succeeded", async () => {
      const found = await person.row(tasksView, "a hero");
      return /\bopenable\b/.test(found.contextValue) ? found : undefined;
    });
    await person.run("sluice.task.convertResult", row.element);
    const page = await window.until("its page", () =>
      window.webviews.panels.find(({ viewType, html }) => viewType === "sluice.mediaForm" && html !== ""),
    );
    page.send({ type: "view-ready" });
    const state = (): ConvertPageSnapshot | undefined => {
      const last = page.messages.findLast(({ type }) => type === "snapshot" || type === "events");
      const all = (last?.["events"] ?? [last?.["snapshot"]]) as readonly ConvertPageSnapshot[];
      return all.at(-1);
    };
    await window.until("the picture", () => state()?.picture.state === "here");
    const picture = new Uint8Array(await pngOf(4, 4));
    const save = (place: string): void => {
      const intent: ConvertPageIntent = {
        ...{ type: "picture-save", format: "image/png", path: place, pictures: [picture], hasPrompt: true },
      };
      page.send(intent);
    };
    const savedAs = async (place: string): Promise<string> => {
      const before = state()?.saved?.at;
      save(place);
      await window.until(`${place} is saved`, () => {
        const { saved, isSaving } = state() ?? {};
        return saved && saved.at !== before && isSaving === false;
      });
      return state()?.saved?.files ?? "";
    };
    for (const place of ["assets/hero", "/assets/hero", "./assets//hero", "assets\\hero"])
      assert.equal(await savedAs(place), "assets/hero.png", place);
    assert.ok(existsSync(path.join(folder, "assets", "hero.png")));
    const shown = await savedAs("a folder/h\u00e9ro");
    assert.equal(await savedAs(shown.replace(/\.png$/, "")), shown);
    assert.ok(existsSync(path.join(folder, shown)));

    const outside = ["", "/", "..", "../hero", "assets/../../hero", "assets\\..\\..\\hero", "C:\\hero", "a\0b", "a\nb"];
    const { at } = state()?.saved ?? {};
    for (const place of outside) {
      save(place);
      (await person.message("is no path in the workspace")).answer();
      await window.until("it is not saved", () => state()?.isSaving === false);
      assert.equal(state()?.saved?.at, at, place);
    }
    assert.ok(!existsSync(path.join(folder, "..", "hero.png")));
  });
});
