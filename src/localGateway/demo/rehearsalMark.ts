/** Marks the picture of a rehearsal, so that nobody takes it for a result: it gets a labelled band and, below it, the words of the prompt. */
import { wrapWords } from "../../base/text/wrapWords";
import type { DrawnPixels } from "./drawing/rasterize";

/** The letters from the blank to the tilde: five columns each, with eight rows, the lowest bit at the top. */
const letters = Buffer.from(
  "0000000000" +
    "00005f0000" +
    "0007000700" +
    "147f147f14" +
    "242a7f2a12" +
    "2313086462" +
    "3649562050" +
    "0008070300" +
    "001c224100" +
    "0041221c00" +
    "2a1c7f1c2a" +
    "08083e0808" +
    "0080703000" +
    "0808080808" +
    "0000606000" +
    "2010080402" +
    "3e5149453e" +
    "00427f4000" +
    "7249494946" +
    "2141494d33" +
    "1814127f10" +
    "2745454539" +
    "3c4a494931" +
    "4121110907" +
    "3649494936" +
    "464949291e" +
    "0000140000" +
    "0040340000" +
    "0008142241" +
    "1414141414" +
    "0041221408" +
    "0201590906" +
    "3e415d594e" +
    "7c1211127c" +
    "7f49494936" +
    "3e41414122" +
    "7f4141413e" +
    "7f49494941" +
    "7f09090901" +
    "3e41415173" +
    "7f0808087f" +
    "00417f4100" +
    "2040413f01" +
    "7f08142241" +
    "7f40404040" +
    "7f021c027f" +
    "7f0408107f" +
    "3e4141413e" +
    "7f09090906" +
    "3e4151215e" +
    "7f09192946" +
    "2649494932" +
    "03017f0103" +
    "3f4040403f" +
    "1f2040201f" +
    "3f4038403f" +
    "6314081463" +
    "0304780403" +
    "6159494d43" +
    "007f414141" +
    "0204081020" +
    "004141417f" +
    "0402010204" +
    "4040404040" +
    "0003070800" +
    "2054547840" +
    "7f28444438" +
    "3844444428" +
    "384444287f" +
    "3854545418" +
    "00087e0902" +
    "18a4a49c78" +
    "7f08040478" +
    "00447d4000" +
    "2040403d00" +
    "7f10284400" +
    "00417f4000" +
    "7c04780478" +
    "7c08040478" +
    "3844444438" +
    "fc18242418" +
    "18242418fc" +
    "7c08040408" +
    "4854545424" +
    "04043f4424" +
    "3c4040207c" +
    "1c2040201c" +
    "3c4030403c" +
    "4428102844" +
    "4c9090907c" +
    "4464544c44" +
    "0008364100" +
    "0000770000" +
    "0041360800" +
    "0201020402",
  "hex",
);
const letterWidth = 6;
const letterHeight = 8;

type Color = readonly [red: number, green: number, blue: number];
const amber: Color = [255, 184, 28];
const ink: Color = [24, 20, 16];
const paper: Color = [250, 246, 236];

/** `width`: that of the visible picture, if the pixels are those of a wider scene. `alpha` becomes opaque under the marks. */
export function markRehearsal(pixels: DrawnPixels, prompt: string, width = pixels.width, alpha?: Uint8Array): void {
  const canvas = new Canvas(pixels, alpha);
  const { height } = pixels;
  const word = "REHEARSED";
  const scale = Math.max(1, Math.floor(Math.min(width / (word.length * letterWidth + 6), height / 70)));
  const bandHeight = Math.min(height, (letterHeight + 4) * scale);
  const top = Math.floor((height - bandHeight) / 2);
  // The stripes are drawn even if the picture is too small for the word.
  const stripe = Math.max(2, bandHeight);
  canvas.fill(0, top, pixels.width, bandHeight, amber);
  for (let y = 0; y < bandHeight; y += 1)
    if (y < 2 * Math.ceil(scale / 2) || y >= bandHeight - 2 * Math.ceil(scale / 2))
      for (let x = 0; x < pixels.width; x += 1) if ((x + y) % stripe < stripe / 2) canvas.set(x, top + y, ink);
  const wordWidth = word.length * letterWidth * scale;
  if (wordWidth <= width && bandHeight >= letterHeight)
    canvas.write(word, Math.floor((width - wordWidth) / 2), top + Math.floor((bandHeight - 7 * scale) / 2), scale, ink);
  const below = { width, height: top, top: top + bandHeight };
  writeCaption(canvas, prompt, below, Math.max(1, Math.floor(scale / 2)));
}

const maxCaptionLines = 4;

/** Writes as many words as fit, centred below the band on paper, because a picture that is cut to the shape of its file loses its edges. */
function writeCaption(
  canvas: Canvas,
  prompt: string,
  { width, height, top }: { readonly width: number; readonly height: number; readonly top: number },
  scale: number,
): void {
  const columns = Math.floor((width * 0.9) / (letterWidth * scale)) - 1;
  const rows = Math.min(maxCaptionLines, Math.floor((height - 4) / ((letterHeight + 1) * scale)));
  const words = latin(prompt);
  if (columns < 6 || rows < 1 || words === "") return;
  const lines = wrapWords(words, columns).slice(0, rows);
  const longest = Math.max(...lines.map((line) => line.length));
  const boxHeight = lines.length * (letterHeight + 1) * scale + scale;
  const boxWidth = (longest + 1) * letterWidth * scale;
  const left = Math.floor((width - boxWidth) / 2);
  canvas.fill(left, top, boxWidth, boxHeight, paper);
  for (const [index, line] of lines.entries())
    canvas.write(line, left + 3 * scale, top + scale + index * (letterHeight + 1) * scale, scale, ink);
}

/** The text that can be drawn: accents and words in other scripts are left out. */
function latin(text: string): string {
  return text
    .slice(0, 400)
    .normalize("NFKD")
    .replaceAll(/\p{M}+/gu, "")
    .replaceAll(/[^ -~]+/g, " ")
    .replaceAll(/ +/g, " ")
    .trim();
}

class Canvas {
  readonly #pixels: DrawnPixels;
  readonly #alpha: Uint8Array | undefined;

  constructor(pixels: DrawnPixels, alpha: Uint8Array | undefined) {
    this.#pixels = pixels;
    this.#alpha = alpha;
  }

  set(x: number, y: number, color: Color): void {
    const { width, height, rgb } = this.#pixels;
    if (x < 0 || y < 0 || x >= width || y >= height) return;
    rgb.set(color, (y * width + x) * 3);
    if (this.#alpha) this.#alpha[y * width + x] = 255;
  }

  fill(left: number, top: number, width: number, height: number, color: Color): void {
    for (let y = top; y < top + height; y += 1) for (let x = left; x < left + width; x += 1) this.set(x, y, color);
  }

  write(text: string, left: number, top: number, scale: number, color: Color): void {
    for (let index = 0; index < text.length; index += 1) {
      const at = (text.charCodeAt(index) - 32) * 5;
      for (let column = 0; column < 5; column += 1)
        for (let row = 0; row < letterHeight; row += 1)
          if (((letters[at + column] ?? 0) >> row) & 1)
            this.fill(left + (index * letterWidth + column) * scale, top + row * scale, scale, scale, color);
    }
  }
}
