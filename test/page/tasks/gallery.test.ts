/** The gallery alone in a real browser: what is drawn, keys, selection, marks, tiles of what can't be shown, and ten thousand results. */
import assert from "node:assert/strict";
import type { Locator } from "playwright-core";
import {
  galleryPageContract,
  type GalleryPageIntent,
  type GalleryRow,
  maxResults,
} from "../../../src/tasks/contract/galleryPageContract";
import { intentReader } from "../../../src/base/pageContract";
import { animatedGif, avifOf, cmykJpeg, palettePngOf, withDeclaredSize } from "../../support/testImages";
import { galleryScene, galleryTask, galleryTasks } from "./galleryScenes";
import { takePicture } from "../support/pictures";
import { TabPage } from "../support/tabPage";

describe("the gallery", () => {
  let tab: TabPage;
  beforeEach(async () => {
    tab = await TabPage.open("gallery");
  });
  afterEach(async () => {
    const violations = await tab.violations();
    assert.deepEqual(violations, []);
  });

  const cells = (): Locator => tab.page.getByRole("listbox", { name: "Results" }).getByRole("option");
  const cell = (name: string | RegExp): Locator => tab.page.getByRole("option", { name });
  const sent = async (): Promise<GalleryPageIntent[]> =>
    (await tab.intents<GalleryPageIntent | { type: "view-ready" }>()).filter(
      (intent): intent is GalleryPageIntent => intent.type !== "view-ready",
    );
  const idOf = (index: number): string => galleryTask(index, undefined).intent.id;
  /** Waits, frame by frame, until the expression holds in the page. */
  const until = async (expression: string): Promise<void> => {
    while (!(await tab.page.evaluate<boolean>(`Boolean(${expression})`))) await tab.settled();
  };
  /** The name of the result that has the focus, once the last key has been drawn. */
  const active = async (): Promise<string> => {
    await tab.settled();
    return tab.page.evaluate<string>("document.activeElement?.getAttribute('aria-label') ?? ''");
  };

  it("T20: a picture that is dropped goes to the host; a result that is dragged within the page does not", async () => {
    await tab.show(galleryScene(galleryTasks(3)));
    await cell(/number 1:/).waitFor();
    const drag = (type: string, withFile: boolean): Promise<unknown> =>
      tab.page.evaluate(`{
        const dataTransfer = new DataTransfer();
        if (${withFile}) dataTransfer.items.add(new File(["old"], "old.png", { type: "image/png" }));
        document.body.dispatchEvent(new DragEvent("${type}", { bubbles: true, cancelable: true, dataTransfer }));
      }`);
    await drag("dragstart", false);
    await drag("drop", true);
    await drag("dragend", false);
    await drag("dragover", true);
    await until("document.body.classList.contains('dropping')");
    await drag("drop", true);
    await until("posted.some(({ type }) => type === 'picture-add')");
    await until("!document.body.classList.contains('dropping')");
    const data = Buffer.from("old").toString("base64");
    assert.deepEqual(await sent(), [{ type: "picture-add", name: "old.png", data }]);
  });

  it("T15: what can't be shown says why in its place, and everything else has a small picture", async () => {
    await tab.page.setViewportSize({ width: 1200, height: 900 });
    await tab.show(galleryScene(galleryTasks(30)));
    await cell(/number 9:/)
      .getByText("Missing: get the result again, or reject it.")
      .waitFor();
    await cell(/number 10:/)
      .getByText("Can't be shown: the file is damaged")
      .waitFor();
    await cell(/number 13:/)
      .getByText("Can't be shown: the picture is too large")
      .waitFor();
    await cell(/number 14:/)
      .getByText("Can't be shown: SVG")
      .waitFor();
    await cell(/number 15:/)
      .getByText("Can't be shown: type .bin")
      .waitFor();
    await cell(/number 8:/)
      .getByText("The result is at the gateway.")
      .waitFor();
    await until(
      "document.querySelectorAll('.cell img').length >= 15 && document.querySelector('.cell-waits') === null",
    );
    await until("document.querySelectorAll('.cell img')[1].naturalWidth > 0");
    // With the ratio of the file.
    const { width, height } = await tab.page.evaluate<{ width: number; height: number }>(
      "(({ naturalWidth: width, naturalHeight: height }) => ({ width, height }))(document.querySelectorAll('.cell img')[1])",
    );
    assert.deepEqual([width, height], [100, 160]);
    await takePicture(tab.page, "gallery-tiles");
  });

  it("T15: a result that was missing is looked for again once the host has changed its row", async () => {
    const [task] = [galleryTask(1, "gone.png")];
    await tab.show(galleryScene([task]));
    await tab.page.getByText("Missing: get the result again, or reject it.").waitFor();
    await cells().first().click();
    await tab.page.getByRole("button", { name: "Get Result" }).click();
    assert.deepEqual(await sent(), [{ type: "results-act", action: "get-result", tasks: [idOf(1)] }]);
    const { rows } = galleryScene([galleryTask(1, "made-1.png")]);
    await tab.event({ total: 1, isComplete: true, rows, gone: [] });
    await until("document.querySelector('.cell img') !== null");
    assert.equal(await tab.page.getByRole("button", { name: "Get Result" }).count(), 0);
  });

  it("T15: keys move, select, rate, keep, reject and open", async () => {
    await tab.show(galleryScene(galleryTasks(24)));
    await cells().first().focus();
    await tab.page.keyboard.press("ArrowRight");
    assert.match(await active(), /number 2:/);
    await tab.page.keyboard.press("4");
    await tab.page.keyboard.press("k");
    await tab.page.keyboard.press("x");
    await tab.page.keyboard.press("Enter");
    await tab.page.keyboard.press(" ");
    await tab.page.keyboard.press("Shift+ArrowRight");
    await tab.page.getByText("2 selected", { exact: true }).first().waitFor();
    await tab.page.keyboard.press("0");
    await tab.page.keyboard.press("Escape");
    await tab.page.locator(".selection-count").waitFor({ state: "detached" });
    await tab.page.keyboard.press("Control+a");
    // One of the twenty-four is rejected, and hidden.
    await tab.page.getByText("23 selected", { exact: true }).first().waitFor();
    const tasks = [idOf(1)];
    assert.deepEqual(await sent(), [
      { type: "results-judge", tasks, rating: 4 },
      { type: "results-judge", tasks, choice: "kept" },
      { type: "results-judge", tasks, choice: "rejected" },
      { type: "results-act", action: "open-task", tasks },
      { type: "results-judge", tasks: [idOf(1), idOf(2)], rating: 0 },
    ]);
  });

  it("T15: a result that is rejected goes, the next one has the focus, and the count is announced", async () => {
    const tasks = galleryTasks(5);
    await tab.show(galleryScene(tasks));
    await cell(/number 2:/).focus();
    await tab.page.keyboard.press("ArrowRight");
    const { rows } = galleryScene(tasks.slice(2, 3));
    await tab.event({
      total: 5,
      isComplete: true,
      rows: rows.map((row) => ({ ...row, choice: "rejected" })),
      gone: [],
    });
    await cell(/number 3:/).waitFor({ state: "detached" });
    assert.match(await active(), /number 4:/);
    await tab.page.locator("[aria-live]").getByText("4 results").waitFor({ state: "attached" });
  });

  it("T15: by click, with Ctrl and with Shift; the buttons are for what is selected", async () => {
    await tab.show(galleryScene(galleryTasks(24)));
    await cell(/number 1:/).click();
    await cell(/number 3:/).click({ modifiers: ["Shift"] });
    await cell(/number 5:/).click({ modifiers: ["Control"] });
    await tab.page.getByText("4 selected", { exact: true }).first().waitFor();
    await tab.page.getByRole("button", { name: "Keep", exact: true }).click();
    await tab.page.getByRole("button", { name: "More Actions…" }).click();
    // A video is made of one picture.
    assert.equal(await tab.page.getByRole("button", { name: "Make Video of This…" }).count(), 0);
    await takePicture(tab.page, "gallery-menu");
    await tab.page.getByRole("button", { name: "Copy Path" }).click();
    const tasks = [0, 1, 2, 4].map(idOf);
    assert.deepEqual(await sent(), [
      { type: "results-judge", tasks, choice: "kept" },
      { type: "results-act", action: "copy-path", tasks },
    ]);
  });

  it("T15: more results than one message holds are marked in several, and what is announced has come back", async () => {
    const [row] = galleryScene([galleryTask(0, "made-0.png")]).rows;
    assert.ok(row);
    const rows = Array.from({ length: maxResults + 1 }, (_, index): GalleryRow => ({ ...row, id: idOf(index) }));
    await tab.show(galleryScene([], { rows, total: rows.length }));
    await cells().first().focus();
    await tab.page.keyboard.press("Control+a");
    await tab.page.keyboard.press("k");
    const marked = await sent();
    assert.deepEqual(
      marked.map((intent) => intent.type === "results-judge" && intent.tasks.length),
      [maxResults, 1],
    );
    const read = intentReader(galleryPageContract);
    for (const intent of marked) assert.deepEqual(read(intent), intent);
    const live = tab.page.locator("[aria-live]");
    assert.equal(await live.getByText(/kept/).count(), 0);
    const keep = (some: readonly GalleryRow[]): Promise<void> =>
      tab.event({
        total: rows.length,
        isComplete: true,
        rows: some.map((one) => ({ ...one, choice: "kept" })),
        gone: [],
      });
    await keep(rows.slice(1));
    assert.equal(await live.getByText(/kept/).count(), 0);
    await keep(rows.slice(0, 1));
    await live.getByText("20,001 results: kept").waitFor({ state: "attached" });
    // So many are marked, but nothing else is done with all of them at once.
    assert.equal(await tab.page.getByRole("button", { name: "More Actions…" }).count(), 0);
  });

  it("T15: a tab is opened for one result, and only those that lack a file are fetched", async () => {
    await tab.show(galleryScene(galleryTasks(24)));
    await cell(/number 1:/).click();
    await tab.page.getByRole("button", { name: "Open Task" }).waitFor();
    assert.equal(await tab.page.getByRole("button", { name: "Get Result" }).count(), 0);
    await cell(/number 8:/).click({ modifiers: ["Control"] });
    await tab.page.getByRole("button", { name: "Get Result" }).click();
    assert.equal(await tab.page.getByRole("button", { name: "Open Task" }).count(), 0);
    assert.deepEqual(await sent(), [{ type: "results-act", action: "get-result", tasks: [idOf(7)] }]);
  });

  it("T15: of what is compared, too, the reason is shown where it can't be, and it can be opened", async () => {
    await tab.show(galleryScene(galleryTasks(24)));
    await cell(/number 1:/).click();
    for (const number of [10, 13, 14]) await cell(new RegExp(`number ${number}:`)).click({ modifiers: ["Control"] });
    await tab.page.getByRole("button", { name: "Compare", exact: true }).click();
    const dialog = tab.page.getByRole("dialog", { name: "Compare 4 results" });
    await dialog.getByText("Can't be shown: the file is damaged").waitFor();
    await dialog.getByText("Can't be shown: the picture is too large").waitFor();
    await dialog.getByText("Can't be shown: SVG").waitFor();
    await dialog.locator("img").waitFor();
    assert.equal(await dialog.getByRole("button", { name: "Wipe" }).count(), 0);
    await takePicture(tab.page, "gallery-compare-unshown");
    await dialog.getByRole("button", { name: "Open Result" }).nth(1).click();
    assert.deepEqual((await sent()).at(-1), { type: "results-act", action: "open-result", tasks: [idOf(12)] });
  });

  it("T15: files of any content: what can be shown is, and the others say why in their place", async () => {
    const png = await palettePngOf(64, 48);
    const files: readonly (readonly [name: string, type: string, Buffer, words: string | undefined])[] = [
      ["8k.png", "image/png", await palettePngOf(7680, 4320), undefined],
      ["print.jpg", "image/jpeg", cmykJpeg, undefined],
      ["moving.gif", "image/gif", animatedGif, undefined],
      ["other-name.jpg", "image/jpeg", png, undefined],
      ["large.png", "image/png", withDeclaredSize(png, 10_000, 10_000), "the picture is too large"],
      ["large.avif", "image/avif", avifOf([30_000, 30_000]), "the picture is too large"],
      ["cut.png", "image/png", png.subarray(0, 60), "the file is damaged"],
      ["empty.png", "image/png", Buffer.alloc(0), "the file is damaged"],
      ["page.png", "text/html", Buffer.from("<!doctype html><script>alert(1)</script>"), "the file is damaged"],
      ["broken.mp4", "video/mp4", Buffer.from("no video"), "the file is missing or damaged"],
      ["scripted.svg", "image/svg+xml", Buffer.from("<svg onload='alert(1)'/>"), "SVG"],
    ];
    await tab.close();
    const media = Object.fromEntries(files.map(([name, type, bytes]) => [name, [type, bytes] as const]));
    tab = await TabPage.open("gallery", { media, size: { width: 1200, height: 900 } });
    const { rows } = galleryScene(files.map(([name], index) => galleryTask(index, name)));
    await tab.show(galleryScene([], { rows: rows.map(({ choice: _, ...row }) => row), total: rows.length }));
    for (const [index, [, , , words]] of files.entries()) {
      const one = tab.page.locator(`[data-id="${idOf(index)}"]`);
      if (words === undefined) await one.locator("img").waitFor();
      else await one.getByText(`Can't be shown: ${words}`).waitFor();
    }
    await tab.picturesLoaded();
    const widths = await tab.page.evaluate<number[]>(
      "[...document.querySelectorAll('.cell img')].map((one) => one.naturalWidth)",
    );
    // Of each the size at most that a cell may have.
    assert.deepEqual(widths, [640, 8, 1, 64]);
    await takePicture(tab.page, "gallery-files");
  });

  it("T15: search and filter narrow the grid, and are there again after a reload", async () => {
    await tab.show(galleryScene(galleryTasks(24)));
    await tab.page.getByRole("searchbox").fill("FERRY");
    await tab.page.getByText("5 of 24 results").waitFor();
    await tab.page.getByRole("button", { name: "Filter", exact: true }).click();
    await tab.page.getByRole("combobox", { name: "Marks" }).selectOption({ label: "Rated" });
    await tab.page.getByRole("combobox", { name: "Order" }).selectOption({ label: "Best rated first" });
    await tab.settled();
    const shown = await cells().allInnerTexts();
    await tab.page.reload();
    await tab.show(galleryScene(galleryTasks(24)));
    assert.deepEqual(await cells().allInnerTexts(), shown);
    assert.equal(await tab.page.getByRole("searchbox").inputValue(), "FERRY");
    await tab.page.getByRole("searchbox").fill("nothing of that name");
    await tab.page.getByText("No result passes the filter.").waitFor();
    await tab.page.locator(".missing").getByRole("button", { name: "Clear Filter" }).click();
    await tab.page.getByText("23 of 24 results").waitFor();
  });

  it("T15: which results the project uses is looked for when that filter is chosen, and each time anew", async () => {
    const tasks = galleryTasks(6);
    await tab.show(galleryScene(tasks));
    await tab.page.getByRole("button", { name: "Filter", exact: true }).click();
    const use = tab.page.getByRole("combobox", { name: "Use in the project" });
    await use.selectOption({ label: "Used in this project" });
    await tab.page.getByText("Looking for where results are used…").waitFor();
    await tab.event({ total: 6, isComplete: true, rows: [], gone: [], uses: "searching" });
    assert.equal(await cells().count(), 0);
    await takePicture(tab.page, "gallery-uses");
    await tab.event({ total: 6, isComplete: true, rows: [], gone: [], uses: [idOf(1), idOf(3)] });
    await tab.page.getByText("2 of 6 results").waitFor();
    await use.selectOption({ label: "Not used in this project" });
    // One of the four is rejected, and hidden.
    await tab.page.getByText("3 of 6 results").waitFor();
    await use.selectOption({ label: "Used or not" });
    await tab.settled();
    await use.selectOption({ label: "Used in this project" });
    await tab.settled();
    assert.deepEqual(await sent(), [{ type: "uses-find" }, { type: "uses-find" }]);
  });

  it("T15: without a result a sentence and a button lead to the first task", async () => {
    await tab.show(galleryScene([]));
    await tab.page.getByRole("button", { name: "New Media Task…" }).click();
    assert.deepEqual(await sent(), [{ type: "form-open", tasks: [] }]);
  });

  it("T15: a video plays while the pointer is on it, without sound", async () => {
    await tab.page.emulateMedia({ reducedMotion: "no-preference" });
    await tab.show(galleryScene(galleryTasks(6)));
    await cell(/number 4:/).hover();
    const player = tab.page.locator("video.cell-player");
    await player.waitFor();
    await until(
      "document.querySelector('video.cell-player').muted && !document.querySelector('video.cell-player').paused",
    );
    await cell(/number 2:/).hover();
    await player.waitFor({ state: "detached" });
    await tab.page.emulateMedia({ reducedMotion: "reduce" });
    await cell(/number 4:/).hover();
    await tab.settled();
    assert.equal(await player.count(), 0);
  });

  it("T15: two results are compared: one zoom for both, a wipe, differing words and options, and one is kept", async () => {
    await tab.show(galleryScene(galleryTasks(24)));
    const compare = tab.page.getByRole("button", { name: "Compare", exact: true });
    await cell(/number 7:/).click();
    assert.equal(await compare.count(), 0);
    await cell(/number 11:/).click({ modifiers: ["Control"] });
    await compare.click();
    const dialog = tab.page.getByRole("dialog", { name: "Compare 2 results" });
    const options = { [idOf(6)]: [{ name: "seed", value: "7" }], [idOf(10)]: [{ name: "seed", value: "11" }] };
    await tab.event({ total: 24, isComplete: true, rows: [], gone: [], options });
    await dialog.getByText("seed", { exact: true }).waitFor();
    assert.deepEqual(await dialog.locator(".compare-word").allInnerTexts(), ["harbour crane", "7", "lighthouse", "11"]);
    await dialog.locator(".pane-frame").first().hover();
    await tab.page.mouse.wheel(0, -100);
    await dialog.getByText("125 %").waitFor();
    await tab.settled();
    await dialog.locator(".pane-frame img").nth(1).waitFor();
    const transforms = await tab.page.evaluate<string[]>(
      "[...document.querySelectorAll('.pane-frame img')].map((one) => getComputedStyle(one).transform)",
    );
    assert.equal(new Set(transforms).size, 1);
    assert.match(transforms[0] ?? "", /^matrix\(1\.25/);
    await takePicture(tab.page, "gallery-compare");
    await dialog.getByRole("button", { name: "Wipe" }).click();
    await dialog.getByRole("slider", { name: "Share of the first picture" }).fill("30");
    await takePicture(tab.page, "gallery-wipe");
    await dialog.getByRole("button", { name: "Keep This One" }).first().click();
    await tab.page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    assert.deepEqual(await sent(), [
      { type: "results-compare", tasks: [idOf(6), idOf(10)] },
      { type: "results-judge", tasks: [idOf(6)], choice: "kept" },
    ]);
  });

  it("T15: what is dragged out are the files of the selected results, and their ids for Markdown", async () => {
    await tab.show(galleryScene(galleryTasks(6)));
    await cell(/number 1:/).click();
    await cell(/number 3:/).click({ modifiers: ["Control"] });
    const dragged = await tab.page.evaluate<readonly string[]>(`(() => {
      const dataTransfer = new DataTransfer();
      document.querySelector(".cell").dispatchEvent(new DragEvent("dragstart", { dataTransfer, bubbles: true }));
      return ["text/uri-list", "application/vnd.sluice.tasks"].map((type) => dataTransfer.getData(type));
    })()`);
    assert.deepEqual(dragged, [
      "file:///results/made-0.png\r\nfile:///results/made-2.png",
      JSON.stringify([idOf(0), idOf(2)]),
    ]);
  });

  it("T15: a picture that is scrolled away while it loads is let go, and loaded again when it comes back", async () => {
    await tab.page.route("**/small-*.png", () => new Promise<never>(() => undefined));
    const { rows } = galleryScene(galleryTasks(200));
    const small = rows.map((row, index) => ({ ...row, file: "made-0.png", thumbnail: `small-${index}.png` }));
    await tab.show(galleryScene([], { rows: small, total: small.length }));
    await until("(globalThis.first = document.querySelector('.cell img')) !== null");
    await cells().first().focus();
    await tab.page.keyboard.press("End");
    await until("!first.isConnected");
    await tab.settled();
    assert.equal(await tab.page.evaluate("first.getAttribute('src')"), "");
    await tab.page.keyboard.press("Home");
    await until("document.querySelector('.cell img')?.getAttribute('src')?.endsWith('small-0.png')");
    await tab.page.unrouteAll({ behavior: "ignoreErrors" });
  });

  it("T15: of ten thousand results those near the view are drawn; End leads to the last, and new ones don't move what is in view", async () => {
    const tasks = galleryTasks(10_000);
    await tab.show(galleryScene(tasks.slice(0, 500), { total: 10_000, isComplete: false }));
    for (let from = 500; from < tasks.length; from += 500) {
      const { rows } = galleryScene(tasks.slice(from, from + 500));
      await tab.event({ total: 10_000, isComplete: from + 500 === tasks.length, rows, gone: [] });
    }
    assert.ok((await cells().count()) < 100);
    await cells().first().focus();
    await tab.page.keyboard.press("End");
    await until("document.activeElement?.getAttribute('aria-label')?.includes('number 10000:')");
    assert.ok((await cells().count()) < 100);
    await tab.page.keyboard.press("PageUp");
    await until("!document.activeElement?.getAttribute('aria-label')?.includes('number 10000:')");
    const before = await active();
    const top = async (): Promise<number> => Math.round((await cell(before).boundingBox())?.y ?? NaN);
    const place = await top();
    const { rows } = galleryScene([galleryTask(-1, "made-1.png", { id: idOf(20_000), createdAt: Date.UTC(2027, 1) })]);
    await tab.event({ total: 10_001, isComplete: true, rows, gone: [] });
    await tab.page.getByText("of 10,001 results").first().waitFor();
    assert.ok(Math.abs((await top()) - place) <= 300);
    assert.equal(await active(), before);
  });
});
