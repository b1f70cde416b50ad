/** The page of a task, a batch or the usage alone in a real browser, with a host that the test plays. */
import type { Page } from "playwright-core";
import { isFullRun } from "../../support/runs";
import { type OpenedPage, openPage, type PageOptions } from "./openPage";
import type { Media, ServedPage, Theme } from "./pageServer";
import { setThemeOf, untilIn } from "./panelPage";
import type { ConvertPageSnapshot } from "../../../src/tasks/contract/convertPageContract";
import { encodeClip, sceneWidth } from "../../../src/localGateway/demo/clip";
import { paintPicture } from "../../../src/localGateway/demo/painter";
import { clearPng, movingGif, palettePngOf, withDeclaredSize } from "../../support/testImages";

export interface TabOptions extends PageOptions, Partial<Pick<ServedPage, "theme" | "words" | "media">> {}

/** A picture whose colours depend on its name. */
function picture(name: string): Buffer {
  const hue = Array.from(name).reduce((sum, character) => sum + (character.codePointAt(0) ?? 0) * 37, 0) % 360;
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="640" height="400"><rect width="640" height="400" fill="hsl(${hue} 50% 70%)"/><circle cx="320" cy="220" r="120" fill="hsl(${hue} 60% 40%)"/></svg>`,
  );
}

/** Pictures of several ratios in a format that is decoded, and files that are none. */
async function madePictures(): Promise<Media> {
  const sizes = [
    [160, 100],
    [100, 160],
    [120, 120],
  ] as const;
  const made: [string, readonly [string, Buffer]][] = [];
  for (let index = 0; index < 12; index += 1) {
    const [width, height] = sizes[index % sizes.length] ?? [120, 120];
    const picture = await palettePngOf(width, height, [
      (index * 67) % 256,
      (index * 29 + 80) % 256,
      (index * 113 + 40) % 256,
    ]);
    made.push([`made-${index}.png`, ["image/png", picture]]);
  }
  const whole = await palettePngOf(8, 8);
  made.push(["huge.png", ["image/png", withDeclaredSize(whole, 60_000, 60_000)]]);
  made.push(["broken.png", ["image/png", Buffer.from("no picture")]]);
  made.push(["moving.gif", ["image/gif", movingGif]], ["clear.png", ["image/png", clearPng]]);
  return Object.fromEntries(made);
}

/** The page that converts one of those. */
export function convertScene(file: string, change: Partial<ConvertPageSnapshot> = {}): ConvertPageSnapshot {
  const picture = { state: "here", url: `/results/${file}` } as const;
  return {
    subject: "task",
    title: "Poster of a pier",
    picture,
    path: "assets/pier",
    hasPrompt: true,
    isSaving: false,
    ...change,
  };
}

/** All files that a page may load. */
async function madeFiles(): Promise<Media> {
  const drawn = Array.from({ length: 101 }, (_, index) => `picture-${index}.svg`);
  const size = { width: 480, height: 320 };
  const subject = { type: "video", prompt: "a lighthouse at dusk", seed: 1 } as const;
  const scene = await paintPicture(subject, { width: sceneWidth(size.width), height: size.height });
  const clip = encodeClip(scene, size, 4);
  return {
    ...Object.fromEntries(drawn.map((name) => [name, ["image/svg+xml", picture(name)] as const])),
    ...(await madePictures()),
    "clip.mp4": ["video/mp4", clip],
  };
}

/** Made once for all pages. */
let files: Promise<Media> | undefined;

/** The pages in editor tabs that have scenes. */
export type TabBundle = "task" | "batch" | "money" | "usage" | "localGateway" | "gallery" | "assets" | "mediaForm";

export interface TabScene {
  readonly name: string;
  readonly snapshot: unknown;
  /** What is done on the page before it is looked at. */
  readonly act?: (tab: TabPage) => Promise<void>;
}

export class TabPage {
  readonly page: Page;
  #revision = 0;
  #isTouched = false;

  readonly #opened: OpenedPage;

  readonly #bundle: TabBundle;

  private constructor(bundle: TabBundle, opened: OpenedPage) {
    this.#bundle = bundle;
    this.page = opened.page;
    this.#opened = opened;
  }

  static async open(
    bundle: TabBundle,
    { theme = "dark", words, media = {}, size = { width: 900, height: 800 }, ...options }: TabOptions = {},
  ): Promise<TabPage> {
    const served = { bundle, theme, words, media: { ...(await (files ??= madeFiles())), ...media } };
    return new TabPage(bundle, await openPage(served, { size, ...options }));
  }

  /** Posts a snapshot, and waits until it has been drawn. */
  async show(snapshot: unknown): Promise<void> {
    await this.#post({ type: "snapshot", revision: this.#revision, snapshot });
  }

  /**
   * Shows a scene on the page that has shown others. It is loaded again before and after what is done by hand, and in a full run for each
   * scene. The form for media keeps its fields whatever the host repeats, so it is always loaded again.
   */
  async showScene({ snapshot, act }: TabScene): Promise<void> {
    const isNew = isFullRun || this.#isTouched || act !== undefined || this.#bundle === "mediaForm";
    if (isNew) await this.page.reload();
    this.#isTouched = act !== undefined;
    await this.show(snapshot);
    await act?.(this);
  }

  async event(event: unknown): Promise<void> {
    await this.#post({ type: "events", after: this.#revision, events: [event] });
    this.#revision += 1;
  }

  /** Shows the same page in another theme. */
  async setTheme(theme: Theme): Promise<void> {
    await setThemeOf(this.page, theme);
  }

  intents<T>(): Promise<T[]> {
    return this.page.evaluate("posted");
  }

  /** What the policy forbade and what was thrown. */
  violations(): Promise<string[]> {
    return this.page.evaluate("violations");
  }

  /** Until two more frames were drawn: what one of them sets off, such as an observer, is drawn by then. */
  async settled(): Promise<void> {
    await this.page.evaluate(
      "new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))))",
    );
  }

  /** Until all pictures that are in view have loaded. */
  async picturesLoaded(): Promise<void> {
    await this.page.evaluate(
      "Promise.all([...document.images].filter((one) => one.getBoundingClientRect().top < innerHeight).map((one) => one.decode().catch(() => undefined)))",
    );
    await this.settled();
  }

  async #post(message: unknown): Promise<void> {
    // The page's own listener was added before this one: it has taken the message then. (A timer may come before the message.)
    await this.page.evaluate(
      `new Promise((resolve) => {
        addEventListener("message", () => resolve(), { once: true });
        postMessage(${JSON.stringify(message)}, "*");
      })`,
    );
    await this.settled();
  }

  /** Waits until the expression holds in the page. */
  async until(expression: string): Promise<void> {
    await untilIn(this.page, expression);
  }

  async close(): Promise<void> {
    await this.#opened.close();
  }
}
