/** The form for media alone in a real browser: its fields, what is wrong with them, pictures, its button and its keys. */
import assert from "node:assert/strict";
import type { Locator } from "playwright-core";
import type { MediaFormIntent } from "../../../src/tasks/contract/mediaFormPageContract";
import { taskOptions } from "../../../src/domain/task/commonOptions";
import { taskOptionWords } from "../../../src/domain/words/taskOptionWords";
import { originWords } from "../../../src/domain/words/gatewayWords";
import { mediaFormScene, mediaFormScenes } from "./mediaFormScenes";
import { takePicture } from "../support/pictures";
import { TabPage } from "../support/tabPage";

describe("the form for media", () => {
  let tab: TabPage;
  beforeEach(async () => {
    tab = await TabPage.open("mediaForm", { size: { width: 900, height: 900 } });
  });
  afterEach(async () => {
    const violations = await tab.violations();
    assert.deepEqual(violations, []);
  });

  const field = (name: string): Locator => tab.page.getByLabel(name, { exact: true });
  const button = (name: string): Locator => tab.page.getByRole("button", { name, exact: true });
  const sent = async <Type extends MediaFormIntent["type"]>(
    type: Type,
  ): Promise<Extract<MediaFormIntent, { type: Type }>[]> =>
    (await tab.intents<MediaFormIntent>()).filter(
      (intent): intent is Extract<MediaFormIntent, { type: Type }> => intent.type === type,
    );
  const options = async (name: string): Promise<readonly string[]> => {
    await tab.settled();
    return field(name).locator("option").allInnerTexts();
  };

  it("T15: the list of models and the options are those of the type, and of the model where the gateway lists any", async () => {
    await tab.show(mediaFormScene("video"));
    assert.deepEqual(await options("Model"), ["vendor/video-large", "Type another id…"]);
    for (const name of taskOptions) assert.equal(await field(taskOptionWords[name].label()).count(), 1, name);
    assert.deepEqual(await options("Duration"), ["Model's default", "4 s", "6 s", "8 s", "12 s", "Another duration…"]);
    await button("Submit 1 video").waitFor();
    await field("Type").selectOption("async-image");
    assert.deepEqual(await options("Model"), ["vendor/image-fast", "vendor/image-large", "Type another id…"]);
    assert.deepEqual(await options("Size"), ["Model's default", "512 × 512", "768 × 768", "Another size…"]);
    assert.equal(await field("Duration").count(), 0);
    await field("Model").selectOption("vendor/image-large");
    assert.deepEqual(await options("Size"), [
      "Model's default",
      ...["1024 × 1024", "1536 × 1024", "1024 × 1536"],
      "Another size…",
    ]);
    await field("Count").selectOption("4");
    await button("Submit 4 images").waitFor();
  });

  it("T20: what is missing is filled in: it says what the result is made into, until the path or the count is another; the earlier draft comes back", async () => {
    const { exact } = mediaFormScenes();
    assert.ok(exact);
    await tab.show(exact);
    const named = tab.page.getByText("Will be saved exactly as icons/512.png (512 × 512), icons/192.png (192 × 192)");
    await named.filter({ hasText: "icons/24.png (24 × 24), 1 more." }).waitFor();
    await field("Transparent background").uncheck();
    assert.equal((await sent("fields-change")).at(-1)?.fields.isTransparent, false);
    await field("Count").selectOption("2");
    await named.waitFor({ state: "detached" });
    await field("Count").selectOption("1");
    await named.waitFor();
    await field("Path in the workspace").fill("icons/other");
    await named.waitFor({ state: "detached" });
    await tab.page.getByText("The result brings its file ending.").waitFor();
    await button("Back to Earlier Draft").click();
    assert.equal((await sent("earlier-restore")).length, 1);
  });

  it("T15: each change is sent at once, and what the host only repeats takes nothing back", async () => {
    await tab.show(mediaFormScene());
    await field("Prompt").pressSequentially("a pier");
    const last = (await sent("fields-change")).at(-1);
    assert.equal(last?.fields.prompt, "a pier");
    assert.equal(last.fields.model, "vendor/image-fast");
    // As it was two characters before.
    const before = { ...last.fields, prompt: "a pi" };
    await tab.show(mediaFormScene("async-image", { fields: before }));
    assert.equal(await field("Prompt").inputValue(), "a pier");
    await tab.show(mediaFormScene("async-image", { fields: before, version: 2 }));
    assert.equal(await field("Prompt").inputValue(), "a pi");
  });

  it("T15: a draft comes back whole, also a model and a size that are in no list", async () => {
    const { fields } = mediaFormScenes()["filled"]!;
    const kept = { ...fields, model: "my-own-model", size: "640x360" };
    await tab.show(mediaFormScene("async-image", { fields: kept }));
    assert.equal(await field("Model: another value").inputValue(), "my-own-model");
    assert.equal(await field("Size: another value").inputValue(), "640x360");
    assert.equal(await field("Seed").inputValue(), "7");
    await tab.page.getByText("7 to 10").waitFor();
    assert.equal(
      await field("Path in the workspace").getAttribute("placeholder"),
      "assets/poster-of-a-lighthouse-at-dusk-waves",
    );
    assert.deepEqual(await sent("fields-change"), []);
  });

  it("T15: nothing is wrong before a field is left; Ctrl+Enter marks all, and the first wrong one has the focus", async () => {
    await tab.show(mediaFormScene());
    await field("Seed").fill("x");
    assert.equal(await tab.page.locator(".field-problem").count(), 0);
    await field("Seed").blur();
    await tab.page.locator("#seed-note").getByText("Type a whole number, or nothing.").waitFor();
    const below = await field("Seed").boundingBox();
    await field("Size").selectOption({ label: "Another size…" });
    await field("Size: another value").pressSequentially("12");
    await tab.page.keyboard.press("Control+Enter");
    await tab.page.locator("#prompt-note").getByText("Describe what should be made.").waitFor();
    await tab.page.locator("#size-note").getByText("Type width and height, as in 1280x720.").waitFor();
    await tab.page.locator("#prompt:focus").waitFor();
    assert.equal(await field("Prompt").getAttribute("aria-invalid"), "true");
    assert.deepEqual(await field("Seed").boundingBox(), below);
    assert.deepEqual(await sent("tasks-submit"), []);
    await takePicture(tab.page, "media-form-wrong");
  });

  it("T15: the characters are counted, and one too many is said while it is typed", async () => {
    await tab.show(mediaFormScene());
    const note = tab.page.locator("#prompt-note");
    await field("Prompt").fill("🌊 sea");
    await note.getByText("5 of 80 characters", { exact: true }).waitFor();
    await field("Prompt").fill("a".repeat(81));
    await note.getByText("81 of 80 characters Shorten the prompt: the model takes no longer one.").waitFor();
    await button("Submit 1 image").click();
    assert.deepEqual(await sent("tasks-submit"), []);
    await field("Model").selectOption("vendor/image-large");
    await note.getByText("81 characters", { exact: true }).waitFor();
  });

  it("T1, T15: a double click, a held key and a second key press submit once", async () => {
    await tab.show(mediaFormScenes()["filled"]);
    await button("Submit 4 images").dblclick();
    await tab.page.keyboard.down("Control");
    await tab.page.keyboard.down("Enter");
    await tab.page.keyboard.down("Enter");
    await tab.page.keyboard.up("Enter");
    await tab.page.keyboard.up("Control");
    const attempts = await sent("tasks-submit");
    // The host takes the first one of an attempt; the click and the key are of the same.
    assert.deepEqual(new Set(attempts.map(({ attempt }) => attempt)), new Set([0]));
    assert.equal(attempts.length, 2);
    assert.equal(attempts[0]?.target, "https://gateway.example a");
    assert.equal(attempts[0].fields.count, 4);
    await tab.show(mediaFormScenes()["submitting"]);
    assert.equal(await button("Submitting…").getAttribute("aria-disabled"), "true");
    await tab.page.keyboard.press("Control+Enter");
    assert.equal((await sent("tasks-submit")).length, 2);
    await tab.show(mediaFormScenes()["submitted"]);
    await tab.page.getByRole("status").getByText("4 tasks were submitted at 2:05 PM.").waitFor();
    await button("Open Batch").click();
    assert.equal((await sent("submitted-open")).length, 1);
    assert.equal(await button("Submit 4 images").isEnabled(), true);
  });

  it("T15: the prompt has the focus at first, and the footer covers no field that gets it", async () => {
    for (const height of [420, 560]) {
      await tab.page.setViewportSize({ width: 700, height });
      await tab.show(mediaFormScenes()["filled"]);
      await tab.page.locator("#prompt:focus").waitFor();
      await field("Path in the workspace").focus();
      await tab.settled();
      const isUncovered = `(() => {
        const { left, right, top, bottom } = document.activeElement.getBoundingClientRect();
        return document.elementFromPoint((left + right) / 2, bottom - 2) === document.activeElement && top >= 0;
      })()`;
      assert.equal(await tab.page.evaluate(isUncovered), true, String(height));
      await tab.page.reload();
    }
  });

  it("T15: without an API key the form says so beside its gateway; a press of Submit leads to the button that sets it", async () => {
    await tab.show(
      mediaFormScene("video", {
        gateway: { target: "", name: originWords("https://gateway.example"), isStarting: false },
        models: [],
        problem: { text: "No API key is set for this gateway.", actions: ["Set API Key"] },
      }),
    );
    await button("gateway.example").waitFor();
    await field("Prompt").fill("a pier");
    await button("Submit 1 video").click();
    await tab.page.locator("button:focus").getByText("Set API Key").click();
    assert.deepEqual(await sent("problem-act"), [{ type: "problem-act", index: 0 }]);
    assert.deepEqual(await sent("tasks-submit"), []);
    assert.equal(await tab.page.getByText("Choose a model").count(), 0);
  });

  it("T15: what was submitted is said once it is, and how it ended once all has", async () => {
    const submitted = { count: 4, isBatch: true, at: "2:05 PM" };
    const status = tab.page.getByRole("status");
    await tab.show(mediaFormScene("video", { submitted: { ...submitted, isSending: true } }));
    await status.getByText("4 tasks are being submitted.").waitFor();
    await tab.show(mediaFormScene("video", { submitted: { ...submitted, isSending: false, succeeded: 3 } }));
    await status.getByText("3 of 4 tasks succeeded.").waitFor();
  });

  it("T15: pictures are dropped and pasted by their bytes, files of VS Code by their URIs, and one that is too large is not read", async () => {
    await tab.show(mediaFormScene("async-image", { referenceLimit: 4 }));
    await tab.page.evaluate(`(() => {
      const transfer = (...items) => {
        const data = new DataTransfer();
        for (const item of items) typeof item === "string" ? data.setData("text/uri-list", item) : data.items.add(item);
        return data;
      };
      const file = (name, length) => new File([new Uint8Array(length)], name, { type: "image/png" });
      const drop = (dataTransfer) => document.body.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true }));
      drop(transfer(file("a.png", 3), file("large.png", 5)));
      drop(transfer("file:///project/b.png\\r\\nfile:///project/c.png"));
      const paste = (clipboardData) =>
        document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
      paste(transfer(file("image.png", 2)));
    })()`);
    // They are read before they are sent.
    while ((await sent("picture-add")).length < 2) await tab.settled();
    // In the order in which they were read.
    const added = (await sent("picture-add")).toSorted((one, other) => other.name.length - one.name.length);
    assert.deepEqual(added, [
      { type: "picture-add", name: "a.png", data: "AAAA" },
      { type: "picture-add", name: "", data: "AAA=" },
    ]);
    assert.deepEqual(await sent("pictures-refuse"), [
      { type: "pictures-refuse", names: ["large.png"], why: "too-large" },
    ]);
    assert.deepEqual(await sent("references-add"), [
      { type: "references-add", uris: ["file:///project/b.png", "file:///project/c.png"] },
    ]);
    await tab.show(mediaFormScenes()["refused"]);
    await tab.page.locator(".thumbnails img").first().waitFor();
    await tab.page.getByRole("alert").getByText("is no image that Sluice knows").waitFor();
    await button("Remove vendor/a-3 (PNG, 34 KB)").click();
    assert.deepEqual(await sent("reference-remove"), [{ type: "reference-remove", id: "id-3" }]);
    await takePicture(tab.page, "media-form-refused");
  });

  it("T15: the focus stays on the button that submits, and passes from a picture that is removed to the next one", async () => {
    const scene = mediaFormScenes()["filled"]!;
    await tab.show(scene);
    await button("Submit 4 images").focus();
    await tab.show(mediaFormScenes()["submitting"]);
    await tab.page.locator("button:focus").getByText("Submitting…").waitFor();
    await tab.page.keyboard.press("Enter");
    assert.deepEqual(await sent("tasks-submit"), []);
    await tab.show(scene);
    await button("Remove vendor/a-1 (PNG, 34 KB)").focus();
    await tab.page.keyboard.press("Enter");
    await tab.show({ ...scene, references: scene.references.slice(1) });
    await tab.page.locator("button:focus[title^='Remove vendor/a-2']").waitFor();
    await tab.show({ ...scene, references: [] });
    await tab.page.locator("button:focus").getByText("Choose Files…").waitFor();
  });

  it("T20: what a picture says of how it was made is plain text in one line, with one button", async () => {
    await tab.show(mediaFormScenes()["filled"]);
    const line = tab.page.getByText(/^old\.png was made from “a lighthouse, <b>/);
    assert.doesNotMatch(await line.innerText(), /\u202e/);
    await button("Use Its Prompt and Seed").click();
    assert.equal((await sent("origin-use")).length, 1);
    await tab.show({ ...mediaFormScenes()["filled"]!, origin: { name: "old.png", prompt: "a" } });
    await button("Use Its Prompt").waitFor();
  });

  it("T2: what is sent of the former task besides the fields is plain text in one line, and one button leaves it out", async () => {
    await tab.show(mediaFormScenes()["filled"]);
    const line = tab.page.getByText(/^Also sent, as by the former task: guidance 4\.5 · style in/);
    assert.doesNotMatch(await line.innerText(), /\u202e/);
    await button("Leave Out").click();
    assert.equal((await sent("carried-remove")).length, 1);
    const { carried: _gone, ...plain } = mediaFormScenes()["filled"]!;
    await tab.show(plain);
    assert.equal(await tab.page.getByText("Also sent").count(), 0);
  });

  it("T15: Clear becomes its undo, and both keep the focus", async () => {
    await tab.show(mediaFormScenes()["filled"]);
    await button("Clear").click();
    await tab.show(mediaFormScene("async-image", { version: 2, canRestore: true }));
    assert.equal(await field("Prompt").inputValue(), "");
    await tab.page.locator("button:focus").getByText("Undo Clear").click();
    assert.deepEqual([(await sent("form-clear")).length, (await sent("form-restore")).length], [1, 1]);
  });
});
