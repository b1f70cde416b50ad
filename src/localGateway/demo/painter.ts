/** Draws the result of a picture task for the local gateway: sky, sun and ridges of hills, chosen by type, prompt and seed. */
import type { TaskTypeWord } from "./taskKinds";
import { createRandom, hashText, type SeededRandom } from "./seededRandom";

export interface Subject {
  readonly type: TaskTypeWord;
  readonly prompt: string;
  readonly seed: number;
}

/** Rows from the top, three bytes a pixel. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly rgb: Uint8Array;
}

/** Red, green and blue from 0 to 1. */
type Color = readonly [number, number, number];
type MutableColor = [number, number, number];

interface Ridge {
  /** Height of the crest at a place from 0 (left) to 1.5; 0 is the top of the picture. */
  readonly crest: (x: number) => number;
  readonly color: Color;
}

interface Scene {
  readonly high: Color;
  readonly low: Color;
  readonly light: Color;
  readonly sun: { readonly x: number; readonly y: number; readonly radius: number };
  /** From the far to the near. */
  readonly ridges: readonly Ridge[];
}

/** Yields to the event loop every 24 rows, so that running streams keep their pace. */
export async function paintPicture(
  subject: Subject,
  { width, height }: Pick<Pixels, "width" | "height">,
): Promise<Pixels> {
  const scene = makeScene(createRandom(hashText("picture", subject.type, subject.prompt, subject.seed)));
  const crests = Array.from({ length: width }, (_, column) =>
    scene.ridges.map(({ crest }) => crest(((column + 0.5) / width) * 1.5)),
  );
  const rgb = new Uint8Array(width * height * 3);
  const stylizes = subject.type === "stylized_image";
  // One color for all pixels: a new one for each made half of the cost of a picture.
  const color: MutableColor = [0, 0, 0];
  let at = 0;
  for (let row = 0; row < height; row += 1) {
    if (row % 24 === 23) await new Promise((resolve) => setImmediate(resolve));
    const y = (row + 0.5) / height;
    const sky = mix(scene.high, scene.low, Math.min(1, y / 0.6));
    for (let column = 0; column < width; column += 1) {
      const x = ((column + 0.5) / width) * 1.5;
      colorAt(color, scene, sky, x, y, crests[column] ?? []);
      if (stylizes) stylize(color, x, y);
      rgb[at] = toByte(color[0]);
      rgb[at + 1] = toByte(color[1]);
      rgb[at + 2] = toByte(color[2]);
      at += 3;
    }
  }
  return { width, height, rgb };
}

const ridgeCount = 5;
const paper: Color = [0.965, 0.95, 0.915];

function makeScene(random: SeededRandom): Scene {
  const isNight = random.next() < 0.3;
  const hue = random.next();
  const horizon = random.between(0.45, 0.6);
  const low = hslColor(hue + random.between(0.05, 0.25), 0.7, isNight ? 0.35 : 0.82);
  const near = hslColor(hue + random.between(-0.1, 0.1), 0.5, isNight ? 0.05 : 0.14);
  return {
    high: hslColor(hue, 0.55, isNight ? 0.1 : 0.45),
    low,
    light: isNight ? [0.97, 0.96, 0.86] : [1, 0.96, 0.82],
    sun: { x: random.between(0.25, 1.25), y: random.between(0.15, horizon - 0.1), radius: random.between(0.04, 0.1) },
    ridges: Array.from({ length: ridgeCount }, (_, index): Ridge => {
      const depth = index / (ridgeCount - 1);
      const base = horizon + depth * (0.92 - horizon);
      const waves = [3, 7, 15, 33].map((frequency) => ({
        frequency: frequency * random.between(0.7, 1.4),
        phase: random.between(0, 2 * Math.PI),
        height: random.between(0.1, 0.25) / frequency,
      }));
      return {
        crest: (x) => waves.reduce((y, wave) => y - wave.height * Math.sin(x * wave.frequency + wave.phase), base),
        color: mix(mix(hslColor(hue, 0.4, isNight ? 0.25 : 0.5), low, 0.3), near, depth),
      };
    }),
  };
}

function colorAt(
  color: MutableColor,
  { low, light, sun, ridges }: Scene,
  sky: Color,
  x: number,
  y: number,
  crests: readonly number[],
): void {
  let front = crests.length - 1;
  while (front >= 0 && y <= (crests[front] ?? 0)) front -= 1;
  const ridge = ridges[front];
  if (ridge !== undefined) {
    // Haze rises from the foot of a ridge, so each one contrasts with the one before it.
    const haze = Math.min(1, (y - (crests[front] ?? y)) / 0.25);
    mixInto(color, ridge.color, low, haze * 0.35);
    return;
  }
  const distance = Math.sqrt((x - sun.x) ** 2 + (y - sun.y) ** 2);
  if (distance < sun.radius) mixInto(color, light, light, 0);
  else mixInto(color, sky, light, 0.6 * Math.exp((sun.radius - distance) * 4));
}

/** Few flat tones inside a border of paper. */
function stylize(color: MutableColor, x: number, y: number): void {
  if (Math.min(x, 1.5 - x, y, 1 - y) < 0.035) {
    mixInto(color, paper, paper, 0);
    return;
  }
  for (const part of [0, 1, 2] as const) color[part] = Math.round(color[part] * 7) / 7;
}

function mix(a: Color, b: Color, share: number): Color {
  const color: MutableColor = [0, 0, 0];
  mixInto(color, a, b, share);
  return color;
}

function mixInto(color: MutableColor, a: Color, b: Color, share: number): void {
  color[0] = a[0] + (b[0] - a[0]) * share;
  color[1] = a[1] + (b[1] - a[1]) * share;
  color[2] = a[2] + (b[2] - a[2]) * share;
}

/** `hue` in turns; any number counts. */
function hslColor(hue: number, saturation: number, lightness: number): Color {
  const channel = (offset: number): number => {
    const part = (((hue * 12 + offset) % 12) + 12) % 12;
    return lightness - saturation * Math.min(lightness, 1 - lightness) * Math.max(-1, Math.min(part - 3, 9 - part, 1));
  };
  return [channel(0), channel(8), channel(4)];
}

const toByte = (part: number): number => Math.round(Math.min(1, Math.max(0, part)) * 255);
