/** The page that converts a picture, alone in a real browser: what it makes has the format and the size that were chosen, and what can't be converted says why. */
import assert from "node:assert/strict";
import sharp from "sharp";
import { imageSizeOf } from "../../../src/domain/media/imageSize";
import { readMarks } from "../../../src/domain/media/marks/readMarks";
import { writeMarks } from "../../../src/domain/media/marks/writeMarks";
import { pictureTypeOf } from "../../../src/domain/media/pictureTypes";
import type { ConvertPageSnapshot } from "../../../src/tasks/contract/convertPageContract";
import { takePicture } from "../support/pictures";
import { convertScene, TabPage } from "../support/tabPage";

describe("the page that converts a picture", () => {
  let tab: TabPage;
  beforeEach(async () => {
    tab = await TabPage.open("assets");
  });
  afterEach(async () => {
    const violations = await tab.violations();
    assert.deepEqual(violations, []);
  });

  const show = (file: string, change: Partial<ConvertPageSnapshot> = {}): Promise<void> =>
    tab.show(convertScene(file, change));
  /** Waits, frame by frame, until the page has sent that many of them. */
  const until = async (expression: string): Promise<void> => {
    while (!(await tab.page.evaluate<boolean>(`Boolean(${expression})`))) await tab.settled();
  };
  /** What the browser has encoded takes marks and keeps its pixels (T20). */
  const encoded: Uint8Array[] = [];
  afterEach(async () => {
    const marks = { isGenerated: true, prompt: "a pier", seed: 7 } as const;
    for (const file of encoded.splice(0)) {
      const marked = writeMarks(file, marks);
      assert.deepEqual(readMarks(marked), marks);
      const [before, after] = await Promise.all([file, marked].map((one) => sharp(one).raw().toBuffer()));
      assert.deepEqual(after, before);
    }
  });
  const save = async (): Promise<{ path?: string; format: string; pictures: unknown[] }> => {
    await tab.page.getByRole("button", { name: "Save", exact: true }).click();
    await until("posted.some(({ type }) => type === 'picture-save')");
    const { pictures, ...sent } = await tab.page.evaluate<{ path?: string; format: string; pictures: number[][] }>(
      "(({ pictures, ...sent }) => ({ ...sent, pictures: pictures.map((bytes) => [...bytes]) }))(posted.findLast(({ type }) => type === 'picture-save'))",
    );
    const made = pictures.map((bytes) => {
      const file = Uint8Array.from(bytes);
      const type = pictureTypeOf(file, "prompt");
      encoded.push(file);
      return [type, type === undefined ? undefined : imageSizeOf(file, type)];
    });
    return { ...sent, pictures: made };
  };

  it("T17: WebP of a width, with the one for sharp displays, at the place that is proposed", async () => {
    await show("made-0.png");
    await tab.page.getByRole("spinbutton", { name: "Width" }).fill("80");
    await tab.page.getByRole("spinbutton", { name: "Width" }).press("Tab");
    await tab.page.getByRole("checkbox", { name: /Also at 2×/ }).check();
    await tab.page.getByText("pier@2x.webp").waitFor();
    await tab.page.getByText(/^80 × 50 · \d+ bytes$/).waitFor();
    await takePicture(tab.page, "convert-double");
    assert.deepEqual(await save(), {
      type: "picture-save",
      format: "image/webp",
      path: "assets/pier",
      hasPrompt: true,
      pictures: [
        ["image/webp", { width: 80, height: 50 }],
        ["image/webp", { width: 160, height: 100 }],
      ],
    });
  });

  it("T17: JPEG and PNG at the size of the original, at a place that was typed; the page is as it was after a reload", async () => {
    await show("made-1.png");
    await tab.page.getByRole("radio", { name: "JPEG" }).check();
    await tab.page.getByRole("textbox", { name: "File in the workspace" }).fill("public/pier");
    await tab.page.reload();
    await show("made-1.png");
    await tab.page.getByText("pier.jpg").waitFor();
    assert.deepEqual(await save(), {
      type: "picture-save",
      format: "image/jpeg",
      path: "public/pier",
      hasPrompt: true,
      pictures: [["image/jpeg", { width: 100, height: 160 }]],
    });
    await tab.page.getByRole("radio", { name: "PNG" }).check();
    await tab.settled();
    assert.equal(await tab.page.getByRole("slider", { name: "Quality" }).count(), 0);
    await until("posted.length > 0 && document.querySelector('.convert-results[aria-busy=false]')");
    await tab.page.getByText("pier.png").waitFor();
  });

  it("T20: a PNG of the same size is the file itself; of another, prompt and seed are left out where that is chosen", async () => {
    await show("made-0.png");
    const choice = tab.page.getByRole("checkbox", { name: /Prompt and seed/ });
    await choice.uncheck();
    await tab.page.getByRole("radio", { name: "PNG" }).check();
    await tab.page.getByText(/^Saved unchanged/).waitFor();
    assert.equal(await choice.count(), 0);
    await tab.page.getByText("pier.png").waitFor();
    const [first, second] = await tab.page.getByText(/^160 × 100 · /).allInnerTexts();
    assert.equal(first, second);
    await tab.page.getByRole("spinbutton", { name: "Width" }).fill("80");
    await tab.page.getByText(/^80 × 50 · /).waitFor();
    assert.equal(await choice.isChecked(), false);
    assert.deepEqual(await save(), {
      type: "picture-save",
      format: "image/png",
      path: "assets/pier",
      hasPrompt: false,
      pictures: [["image/png", { width: 80, height: 50 }]],
    });
  });

  it("T17: a wider one than the original is never made; twice its pixels are offered where it has them", async () => {
    await show("made-0.png");
    const double = tab.page.getByRole("checkbox", { name: /Also at 2×/ });
    assert.equal(await double.isDisabled(), true);
    await tab.page.getByText("Needs a width of at most 80.").waitFor();
    const width = tab.page.getByRole("spinbutton", { name: "Width" });
    await width.fill("5000");
    await width.press("Tab");
    await tab.settled();
    assert.equal(await width.inputValue(), "160");
    await width.fill("81");
    await width.press("Tab");
    await tab.settled();
    assert.equal(await double.isDisabled(), true);
    await width.fill("80");
    await width.press("Tab");
    await tab.settled();
    assert.equal(await double.isDisabled(), false);
  });

  it("T17 (newuser): another width moves nothing: Save stays where it is, also where a line comes or goes", async () => {
    await show("made-0.png");
    const width = tab.page.getByRole("spinbutton", { name: "Width" });
    const placesAt = async (...widths: readonly number[]): Promise<ReadonlySet<number>> => {
      const places = new Set<number>();
      for (const one of widths) {
        await width.fill(String(one));
        await tab.page
          .getByText(new RegExp(`^${one} × \\d+ · `))
          .first()
          .waitFor();
        await until("document.querySelector('.convert-results[aria-busy=false]')");
        const { y } = (await tab.page.getByRole("button", { name: "Save", exact: true }).boundingBox()) ?? { y: -1 };
        places.add(y);
      }
      return places;
    };
    for (const format of ["WebP", "PNG"]) {
      await tab.page.getByRole("radio", { name: format }).check();
      assert.equal((await placesAt(160, 100, 80, 64)).size, 1, format);
    }
    await width.fill("80");
    await tab.page.getByRole("checkbox", { name: /Also at 2×/ }).check();
    assert.equal((await placesAt(80, 100, 64)).size, 1, "with the one for sharp displays");
  });

  it("T17: the width is the proposed one at first, and the pictures follow it while it is typed", async () => {
    await show("made-0.png", { width: 64 });
    const width = tab.page.getByRole("spinbutton", { name: "Width" });
    await tab.page.getByText(/^64 × 40 · /).waitFor();
    assert.equal(await width.inputValue(), "64");
    await width.fill("32");
    await tab.page.getByText(/^32 × 20 · /).waitFor();
    assert.equal(await width.evaluate("document.activeElement.value"), "32");
    await tab.page.reload();
    await show("made-0.png", { width: 64 });
    await tab.page.getByText(/^32 × 20 · /).waitFor();
  });

  it("T17: of a picture that is shown while the one before is being made, its own are saved", async () => {
    await tab.page.evaluate(`{
      const { prototype } = OffscreenCanvas;
      const { convertToBlob } = prototype;
      const { promise, resolve } = Promise.withResolvers();
      prototype.convertToBlob = async function (options) {
        globalThis.goOn = resolve;
        await promise;
        return convertToBlob.call(this, options);
      };
    }`);
    await show("made-0.png");
    await until("globalThis.goOn");
    await show("made-1.png");
    await tab.page
      .getByText(/100 × 160/)
      .first()
      .waitFor();
    await tab.page.evaluate("goOn()");
    assert.deepEqual((await save()).pictures, [["image/webp", { width: 100, height: 160 }]]);
  });

  it("T17: Enter in a field saves what was typed in it", async () => {
    await show("made-0.png");
    const width = tab.page.getByRole("spinbutton", { name: "Width" });
    await width.fill("40");
    await width.press("Enter");
    await until("posted.some(({ type }) => type === 'picture-save')");
    const sent = await tab.page.evaluate<number[]>(
      "[...posted.findLast(({ type }) => type === 'picture-save').pictures[0]]",
    );
    assert.deepEqual(imageSizeOf(Uint8Array.from(sent), "image/webp"), { width: 40, height: 25 });
  });

  it("T17: that it moves, and that transparent parts become white, is said where it counts", async () => {
    await show("moving.gif");
    await tab.page.getByText("The picture moves: only its first frame is kept.").waitFor();
    await show("clear.png");
    await tab.page.getByText("Original").waitFor();
    const white = tab.page.getByText("JPEG has no transparency: what is transparent becomes white.");
    assert.equal(await white.count(), 0);
    await tab.page.getByRole("radio", { name: "JPEG" }).check();
    await white.waitFor();
  });

  it("T17, R6: what is damaged, too large or missing says so, and nothing can be saved", async () => {
    for (const [file, words] of [
      ["broken.png", "This picture can't be decoded here."],
      ["huge.png", "This picture is too large to be converted here: more than 64 MB or 100 megapixels."],
      ["gone.png", "The file of the result is missing."],
    ] as const) {
      await show(file);
      await tab.page.getByText(words).waitFor();
      assert.equal(await tab.page.getByRole("button", { name: "Save", exact: true }).count(), 0);
    }
    await show("gone.png", { picture: { state: "none" } });
    await tab.page.getByText("The file of the result is missing.").waitFor();
    await tab.page.getByRole("button", { name: "Get Result" }).click();
    assert.deepEqual((await tab.intents()).at(-1), { type: "result-get" });
    await show("made-0.png", { picture: { state: "reading" } });
    await tab.page.getByText("Reading the picture…").waitFor();
    await show("made-0.png");
    await tab.page.getByText("Original").waitFor();
  });

  it("T17: after it was saved, the markup can be copied and the file shown", async () => {
    await show("made-0.png", { saved: { files: "assets/pier.webp, assets/pier@2x.webp", at: 1 } });
    await tab.page.getByText("Saved as assets/pier.webp, assets/pier@2x.webp").waitFor();
    await tab.page.getByRole("button", { name: "Copy Markup" }).click();
    await tab.page.getByRole("button", { name: "Show" }).click();
    assert.deepEqual((await tab.intents<{ type: string }>()).slice(1), [
      { type: "markup-copy" },
      { type: "saved-show" },
    ]);
  });
});
