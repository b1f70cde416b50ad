/** The gallery: what another window marks, and what its buttons do with the results that are selected. */
import assert from "node:assert/strict";
import path from "node:path";
import {
  type GalleryEvent,
  type GalleryPageIntent,
  type GalleryRow,
  type GallerySnapshot,
  reduceGallery,
} from "../../../src/tasks/contract/galleryPageContract";
import type { TaskPageIntent, TaskPageSnapshot } from "../../../src/tasks/contract/taskPageContract";
import { closeWindows, type OpenedWindow, openWindow } from "../../support/fakeVscode/openWindow";
import { placeResult } from "../../support/fakeVscode/placedResults";
import { lastState, type TabPage, tabPage } from "../../support/fakeVscode/tabPage";
import { openBoard } from "../../support/taskBoards";

const subjects = ["a harbour crane", "a ferry in the fog", "a gull over the pier"];

describe("the gallery in a window", () => {
  let opened: OpenedWindow;
  let page: TabPage<GallerySnapshot, GalleryEvent, GalleryPageIntent>;
  const ids: string[] = [];

  before("place three results on this machine", async () => {
    opened = await openWindow();
    for (const [index, prompt] of subjects.entries())
      ids.push(await placeResult(opened, { name: `gallery-${index}.png`, prompt }));
  });
  beforeEach(async () => {
    await opened.person.palette("Sluice: Open Gallery").ended();
    page = await tabPage(opened.window, "sluice.gallery", reduceGallery);
    await page.until("all results", ({ rows, isComplete }) => isComplete && rows.length === subjects.length);
    opened.window.clipboard = "";
  });
  after(closeWindows);

  const rowOf = ({ rows }: GallerySnapshot, id: string | undefined): GalleryRow | undefined =>
    rows.find((row) => row.id === id);
  const [crane, ferry, gull] = [0, 1, 2];

  it("T15: what another window marks is shown", async () => {
    const board = await openBoard(path.join(opened.inside.storage, "tasks.db"));
    await board.applyThenWrite({
      type: "task-judged",
      id: ids[gull] ?? "",
      at: opened.window.clock.now(),
      choice: "kept",
    });
    await board.close();
    await page.until("the mark", (snapshot) => rowOf(snapshot, ids[gull])?.choice === "kept");
    assert.equal(rowOf(page.snapshot, ids[ferry])?.choice, undefined);
  });

  it("T15: what is marked in the page is in the database for every window", async () => {
    page.send({ type: "results-judge", tasks: [ids[ferry] ?? ""], rating: 4 });
    await page.until("the stars", (snapshot) => rowOf(snapshot, ids[ferry])?.rating === 4);
    const board = await openBoard(path.join(opened.inside.storage, "tasks.db"));
    await opened.window.until("the stars on disk", async () => {
      await board.readOtherWindows();
      const task = board.listed.get(ids[ferry] ?? "");
      return JSON.stringify(task).includes('"rating":4');
    });
    await board.close();
  });

  it("T15: an action runs the command of the Tasks view, for one and for several", async () => {
    const { window } = opened;
    const pathOf = (index: number): string => path.join(opened.inside.storage, "results", `gallery-${index}.png`);
    page.send({ type: "results-act", action: "copy-path", tasks: [ids[gull] ?? ""] });
    await window.until("the copied path", () => window.clipboard === pathOf(gull));
    const all = [gull, ferry, crane];
    page.send({ type: "results-act", action: "copy-path", tasks: all.map((index) => ids[index] ?? "") });
    await window.until("the paths of all three, one a line", () => window.clipboard === all.map(pathOf).join("\n"));
  });

  it("T15: a result opens as its task, and one that is not known does nothing", async () => {
    page.send({ type: "results-act", action: "open-task", tasks: [ids[gull] ?? "", crypto.randomUUID()] });
    const task: TabPage<TaskPageSnapshot, TaskPageSnapshot, TaskPageIntent> = await tabPage(
      opened.window,
      "sluice.task",
      lastState,
    );
    assert.equal(task.snapshot.task?.title, subjects[gull]);
    assert.equal(opened.window.webviews.panels.filter(({ viewType }) => viewType === "sluice.task").length, 1);
  });
});
