/** Paints a picture of a prompt: words choose the scene and the hour, the seed does the rest. */
import { createRandom, hashText } from "./seeded";
import { choosePalette, type Color } from "./color";
import { makeCity, makeHills, makeOrbs, makeSea, makeSilk, type MakeScene, type Scene } from "./scenes";

export interface Subject {
  readonly prompt: string;
  readonly seed: number;
  /** In few flat tones, with a paper border. */
  readonly stylized: boolean;
}

/** Rows from the top, three bytes a pixel. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly rgb: Uint8Array;
}

const byWord: readonly (readonly [RegExp, MakeScene])[] = [
  [
    /\b(sea|ocean|water|lake|river|waves?|beach|coast|lighthouse|boat|ship|harbou?r|island|gate)\b|海|湖|河|船/i,
    makeSea,
  ],
  [/\b(city|street|skyline|town|tower|building|house|neon|office|cyberpunk)\b|城|街|楼/i, makeCity],
  [/\b(mountains?|hills?|dunes?|desert|valley|forest|field|landscape|snow|fox|canyon)\b|山|林|沙/i, makeHills],
  [/\b(abstract|silk|smoke|liquid|marble|texture|pattern|background|cloth|flow)\b|抽象|丝/i, makeSilk],
  [/\b(planets?|space|orbs?|balls?|spheres?|bubbles?|icon|logo|geometric)\b|球|星/i, makeOrbs],
];
const anyScene = [makeHills, makeSea, makeSilk, makeOrbs, makeCity] as const;

function makeScene({ prompt, seed }: Subject): Scene {
  const random = createRandom(hashText("picture", prompt, seed));
  const palette = choosePalette(prompt, random);
  const chosen = random.pick(anyScene);
  const make = byWord.find(([words]) => words.test(prompt))?.[1] ?? chosen;
  return make(palette, random);
}

/** Leaves the thread to others between rows. `time`: from 0 to 1, for the frames of a video. */
export async function paintPicture(
  subject: Subject,
  { width, height, time = 0 }: { readonly width: number; readonly height: number; readonly time?: number },
): Promise<Pixels> {
  const scene = makeScene(subject);
  const rgb = new Uint8Array(width * height * 3);
  for (let row = 0; row < height; row += 1) {
    if (row % 24 === 23) await new Promise((resolve) => setImmediate(resolve));
    for (let column = 0; column < width; column += 1) {
      const x = ((column + 0.5) / width) * 1.5;
      const y = (row + 0.5) / height;
      const color = finish(scene(x, y, time), x, y, subject.stylized);
      const at = (row * width + column) * 3;
      rgb[at] = toByte(color[0]);
      rgb[at + 1] = toByte(color[1]);
      rgb[at + 2] = toByte(color[2]);
    }
  }
  return { width, height, rgb };
}

function finish(color: Color, x: number, y: number, stylized: boolean): Color {
  const edge = Math.min(x, 1.5 - x, y, 1 - y);
  if (stylized && edge < 0.035) return [0.965, 0.95, 0.915];
  const corner = (x / 1.5 - 0.5) ** 2 + (y - 0.5) ** 2;
  const shade = 1 - corner * 0.42;
  const tone = (part: number): number => {
    const shown = part * shade;
    return stylized ? Math.round(shown * 7) / 7 : shown;
  };
  return [tone(color[0]), tone(color[1]), tone(color[2])];
}

const toByte = (part: number): number => (part <= 0 ? 0 : part >= 1 ? 255 : Math.round(part * 255));
