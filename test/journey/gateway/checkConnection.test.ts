/** Check Connection: a document that fills in, with buttons above its first line and what failed. */
import assert from "node:assert/strict";
import { closeWindows, openWindow } from "../../support/fakeVscode/openWindow";

describe("the command Check Connection", () => {
  after(closeWindows);

  it("C3: the local gateway: everything works, and the document says that nothing was paid", async () => {
    const { window, person } = await openWindow();
    const checking = person.palette("Sluice: Check Connection");
    await person.lens("Cancel");
    await checking.ended();
    await person.lens("Run Again");
    const text = window.editors.active?.document.getText() ?? "";
    assert.match(text, /Everything works\./);
    assert.match(text, /API key: accepted/);
    assert.match(text, /The check costs nothing and creates nothing\./);
    assert.equal(window.editors.tabs.length, 1);
    await (await person.clickLens("Copy")).ended();
    assert.equal(window.clipboard, text);
    await (await person.clickLens("Run Again")).ended();
    assert.equal(window.editors.tabs.length, 1);
  });
});
