/** L2: what the local gateway makes is what a browser shows: its videos play, and begin with their thumbnail. */
import assert from "node:assert/strict";
import { readResultOptions } from "../../../src/localGateway/demo/resultOptions";
import type { GatewayTask } from "../../../src/localGateway/tasks/gatewayTask";
import { readResultFile } from "../../../src/localGateway/tasks/resultFiles";
import { TabPage } from "../support/tabPage";

type Made = Pick<GatewayTask, "type" | "prompt"> & { readonly metadata: Readonly<Record<string, unknown>> };

function taskOf({ type, prompt, metadata }: Made): GatewayTask {
  const taskId = `${type}/${prompt}/${JSON.stringify(metadata)}`;
  const plan = { queuedAt: 0, processingAt: 0, expiresAt: 0, outcome: { state: "succeeded", usage: 0 } } as const;
  const ids = { taskId, account: 1, holdId: "h", requestId: "r", model: "demo", fingerprint: "f" };
  return { ...ids, type, prompt, seed: 3, createdAt: 0, plan, options: readResultOptions(type, metadata) };
}

/** Served to the page below `/results/`. */
async function openWith(files: Readonly<Record<string, readonly [GatewayTask, string]>>): Promise<TabPage> {
  const made = Object.entries(files).map(async ([served, [task, name]]) => {
    const { type, bytes } = await readResultFile(task, name);
    return [served, [type, bytes]] as const;
  });
  return TabPage.open("task", { media: Object.fromEntries(await Promise.all(made)) });
}

/** What the scripts in the page share. */
const helpers = `
  const pictureAt = async (url) => {
    const image = new Image();
    image.src = url;
    await image.decode();
    return image;
  };
  const pixelsOf = (source, width, height) => {
    const context = new OffscreenCanvas(width, height).getContext("2d");
    context.drawImage(source, 0, 0, width, height);
    return context.getImageData(0, 0, width, height).data;
  };
  const difference = (one, other) => one.reduce((sum, byte, at) => sum + Math.abs(byte - other[at]), 0) / one.length;`;

interface SeenVideo {
  readonly width: number;
  readonly height: number;
  readonly duration: number;
  /** Of 255, the mean of all bytes. */
  readonly fromThumbnail: number;
  readonly moved: number;
}

describe("results of the local gateway in a browser", () => {
  for (const [prompt, metadata, width, height, seconds] of [
    ["a lighthouse at dusk", { duration: 5 }, 480, 320, 5],
    ["a city at night", { size: "406x722", duration: "2.5s" }, 406, 722, 2.5],
    ["abstract shapes", { aspect_ratio: "16:9", duration: 7 }, 522, 294, 7],
  ] as const)
    it(`L2 (newuser H3): the video of ${prompt} has size and duration as asked, begins with its thumbnail and moves`, async () => {
      const task = taskOf({ type: "video", prompt, metadata });
      const tab = await openWith({ "made.mp4": [task, "video.mp4"], "made.png": [task, "thumbnail.png"] });
      const seen = await tab.page.evaluate<SeenVideo>(`(async () => {
        ${helpers}
        const video = document.createElement("video");
        video.muted = true;
        const until = (event) => new Promise((resolve, reject) => {
          video.addEventListener(event, resolve, { once: true });
          video.onerror = () => reject(new Error(video.error.message));
        });
        // A frame that is loaded may not be drawn yet: what a canvas gets before that is black.
        const drawn = new Promise((resolve) => video.requestVideoFrameCallback(resolve));
        document.body.append(video);
        const loaded = until("loadeddata");
        video.src = "/results/made.mp4";
        await Promise.all([loaded, drawn]);
        const image = await pictureAt("/results/made.png");
        const opening = pixelsOf(video, image.width, image.height);
        const ended = until("ended");
        video.playbackRate = 4;
        await video.play();
        await ended;
        return {
          width: video.videoWidth,
          height: video.videoHeight,
          duration: video.duration,
          fromThumbnail: difference(opening, pixelsOf(image, image.width, image.height)),
          moved: difference(opening, pixelsOf(video, image.width, image.height)),
        };
      })()`);
      assert.deepEqual([seen.width, seen.height], [width, height]);
      assert.ok(Math.abs(seen.duration - seconds) < 0.05, `${seen.duration} s`);
      assert.ok(seen.fromThumbnail < 6, `differs from its thumbnail by ${seen.fromThumbnail}`);
      assert.ok(seen.moved > seen.fromThumbnail, `moved by ${seen.moved}`);
      assert.deepEqual(await tab.violations(), []);
    });

  it("L2 (newuser H3): a JPEG shows the same picture as the PNG of the same task", async () => {
    const task = (format: string): GatewayTask =>
      taskOf({ type: "async_image", prompt: "a map", metadata: { size: "203x147", format } });
    const tab = await openWith({ "made.png": [task("png"), "image.png"], "made.jpg": [task("jpeg"), "image.jpg"] });
    const seen = await tab.page.evaluate<readonly number[]>(`(async () => {
      ${helpers}
      const [png, jpeg] = [await pictureAt("/results/made.png"), await pictureAt("/results/made.jpg")];
      return [png, jpeg].flatMap(({ width, height }) => [width, height]).concat(
        difference(pixelsOf(png, png.width, png.height), pixelsOf(jpeg, png.width, png.height)));
    })()`);
    assert.deepEqual(seen.slice(0, 4), [203, 147, 203, 147]);
    assert.ok((seen[4] ?? 255) < 6, `differs by ${seen[4]}`);
  });

  it("T20: a WebP has the very pixels of the PNG, transparent or not, also where it is a rehearsal", async () => {
    for (const background of ["transparent", "opaque"]) {
      const task = (format: string): GatewayTask => ({
        ...taskOf({
          type: "async_image",
          prompt: "an icon of a map",
          metadata: { size: "203x147", format, background },
        }),
        isRehearsal: true,
      });
      const tab = await openWith({ "made.png": [task("png"), "image.png"], "made.webp": [task("webp"), "image.webp"] });
      const seen = await tab.page.evaluate<readonly number[]>(`(async () => {
        ${helpers}
        const [png, webp] = [await pictureAt("/results/made.png"), await pictureAt("/results/made.webp")];
        return [webp.width, webp.height,
          difference(pixelsOf(png, png.width, png.height), pixelsOf(webp, png.width, png.height))];
      })()`);
      assert.deepEqual(seen, [203, 147, 0], background);
    }
  });
});
