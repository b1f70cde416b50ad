/** Draws a picture for the local gateway, chosen by type, prompt and seed. */
import { paper } from "./drawing/colors";
import { Drawing } from "./drawing/drawing";
import { moodOf } from "./drawing/mood";
import { type Pixels, type PixelSize, rasterize } from "./drawing/rasterize";
import { subjectOf, subjects } from "./drawing/subjects";
import { createRandom, hashText } from "./seededRandom";
import type { TaskTypeWord } from "./taskKinds";

export interface Subject {
  readonly type: TaskTypeWord;
  readonly prompt: string;
  readonly seed: number;
}

/** The drawing of which a picture is the left part, in its own pixels, and how much smaller it is painted. */
export interface Scene {
  readonly width: number;
  readonly height: number;
  readonly scale: number;
}

export async function paintPicture(
  { type, prompt, seed }: Subject,
  size: PixelSize,
  scene: Scene = { ...size, scale: 1 },
): Promise<Pixels> {
  const shorter = Math.min(scene.width, scene.height);
  const drawing = new Drawing(scene.width / shorter, scene.height / shorter);
  const random = createRandom(hashText("picture", type, prompt, seed));
  // A prompt without a known subject gives hills: the answer and the events say so.
  subjects[subjectOf(prompt) ?? "hills"].draw({ drawing, mood: moodOf(prompt, random), random, prompt });
  const pixels = await rasterize(drawing, size, shorter * scene.scale);
  if (type === "stylized_image") stylize(pixels);
  return pixels;
}

/** Few flat tones inside a border of paper. */
function stylize({ width, height, rgb }: Pixels): void {
  const tones = Uint8Array.from({ length: 256 }, (_, byte) => Math.round(Math.round((byte / 255) * 7) * (255 / 7)));
  const border = Math.max(1, Math.round(Math.min(width, height) * 0.035));
  const edge = paper.map((part) => Math.round(part * 255));
  for (let row = 0; row < height; row += 1) {
    const isEdge = row < border || row >= height - border;
    for (let column = 0; column < width; column += 1) {
      const at = (row * width + column) * 3;
      const isBorder = isEdge || column < border || column >= width - border;
      for (let part = 0; part < 3; part += 1)
        rgb[at + part] = isBorder ? (edge[part] ?? 0) : (tones[rgb[at + part] ?? 0] ?? 0);
    }
  }
}
