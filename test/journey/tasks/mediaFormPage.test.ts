/** The form for media in a tab: a batch by a double click, results to choose from, and what was filled in. */
import assert from "node:assert/strict";
import { emptyMediaFields, type MediaFields } from "../../../src/domain/task/mediaFields";
import {
  type BatchPageEvent,
  type BatchPageSnapshot,
  type BatchPageIntent,
} from "../../../src/tasks/contract/batchPageContract";
import type { MediaFormIntent, MediaFormSnapshot } from "../../../src/tasks/contract/mediaFormPageContract";
import { closeWindows, type OpenedWindow, openWindow } from "../../support/fakeVscode/openWindow";
import type { Uri } from "../../support/fakeVscode/positions";
import { lastState, type TabPage, tabPage } from "../../support/fakeVscode/tabPage";

type FormTab = TabPage<MediaFormSnapshot, MediaFormSnapshot, MediaFormIntent>;

describe("the form for media in a window", () => {
  afterEach(closeWindows);

  const openForm = async ({ window, person }: OpenedWindow): Promise<FormTab> => {
    await person.palette("Sluice: New Media Task…").ended();
    return tabPage(window, "sluice.mediaForm", lastState);
  };
  const fieldsOf = (change: Partial<MediaFields>): MediaFields => ({
    ...emptyMediaFields("async-image", "demo-image"),
    ...change,
  });

  it("T1, T15: two images by a double click are two tasks of one batch, and arrive; their pictures are there to choose from", async () => {
    const opened = await openWindow();
    const { window, person, inside } = opened;
    const page = await openForm(opened);
    const { gateway, attempt } = await page.until("the gateway", (now) => now.gateway.target !== "" && now);
    const fields = fieldsOf({ prompt: "a paper boat", count: 2 });
    const submit = { type: "tasks-submit", fields, attempt, target: gateway.target } as const;
    page.send(submit);
    page.send(submit);
    await page.until("both have succeeded", ({ submitted }) => submitted?.succeeded === 2);
    const tasks = [...inside.app.board.listed.values()];
    assert.equal(tasks.length, 2);
    const [batch, other] = tasks.map(({ intent }) => intent.batch);
    assert.ok(batch !== undefined && batch === other);
    assert.equal(page.snapshot.isSubmitting, false);

    page.send({ type: "submitted-open" });
    const shown: TabPage<BatchPageSnapshot, BatchPageEvent, BatchPageIntent> = await tabPage(
      window,
      "sluice.gallery",
      (before, { order, variants, ...state }) => {
        const known = new Map([...before.variants, ...variants].map((variant) => [variant.id, variant]));
        return { ...before, ...state, variants: order.flatMap((id) => known.get(id) ?? []) };
      },
    );
    await shown.until(
      "both pictures",
      ({ variants }) => variants.length === 2 && variants.every(({ file }) => file !== undefined),
    );

    const again = await openForm(opened);
    again.send({ type: "references-choose", from: "results" });
    const { rows } = await person.step("Result that becomes a reference image");
    assert.equal(rows.length, 2);
    for (const { iconPath } of rows) assert.match((iconPath as Uri).fsPath, /\.png$/);
    await person.press("Enter");
    const [reference] = await again.until("the reference", ({ references }) => references.length === 1 && references);
    assert.match(reference?.words ?? "", /\.png \(PNG/);
  });

  it("T15: closed and opened again, and in a window that was loaded again, the form is as it was left", async () => {
    const first = await openWindow();
    const page = await openForm(first);
    const fields = fieldsOf({ prompt: "a paper boat, at night", seed: "12", count: 2 });
    page.send({ type: "fields-change", fields });
    await page.until("the fields", (now) => now.fields.seed === "12");
    page.page.close();
    const again = await openForm(first);
    assert.notEqual(again.page, page.page);
    assert.deepEqual(again.snapshot.fields, fields);
    again.page.savedState = { subject: "mediaForm" };
    const second = await first.reload();
    const loaded: FormTab = await tabPage(second.window, "sluice.mediaForm", lastState);
    const { fields: kept } = await loaded.until("the fields", (now) => now.fields.seed === "12" && now);
    assert.deepEqual(kept, fields);
  });
});
