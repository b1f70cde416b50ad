/** Pixels of a picture, cut and scaled to an exact size. Pure. */

export interface Pixels {
  readonly width: number;
  readonly height: number;
  /** Red, green, blue and alpha, not multiplied; rows from the top. */
  readonly data: Uint8ClampedArray;
}

/** Scales the picture to cover the size: what is too long on one side is cut off evenly at both ends. */
export function coverPixels(picture: Pixels, width: number, height: number): Pixels {
  const ratio = width / height;
  const isWide = picture.width / picture.height > ratio;
  const across = isWide ? Math.max(1, Math.round(picture.height * ratio)) : picture.width;
  const down = isWide ? picture.height : Math.max(1, Math.round(picture.width / ratio));
  const left = Math.floor((picture.width - across) / 2);
  const top = Math.floor((picture.height - down) / 2);
  if (across === width && down === height && left === 0 && top === 0 && picture.width === width) return picture;
  return scale(picture, { left, top, across, down }, width, height);
}

/** The share of a maskable icon that systems show whatever their shape: four fifths of each side, in the middle. */
const safeShare = 0.8;

const white = [255, 255, 255] as const;

/** The picture with a margin in the colour of its corner, or white where that is transparent. */
export function maskablePixels(picture: Pixels, width: number, height: number): Pixels {
  const inner = coverPixels(
    picture,
    Math.max(1, Math.round(width * safeShare)),
    Math.max(1, Math.round(height * safeShare)),
  );
  const isOpaque = (picture.data[3] ?? 0) === 255;
  const corner = [picture.data[0] ?? 0, picture.data[1] ?? 0, picture.data[2] ?? 0];
  return drawOn(isOpaque ? corner : white, inner, width, height);
}

/** The picture on white, for formats without transparency. */
export function pixelsOnWhite(picture: Pixels): Pixels {
  return drawOn(white, picture, picture.width, picture.height);
}

/** Draws the picture in the middle of an opaque area of one colour. */
function drawOn(colour: readonly number[], inner: Pixels, width: number, height: number): Pixels {
  const data = new Uint8ClampedArray(width * height * 4);
  for (let at = 0; at < data.length; at += 4) data.set([...colour, 255], at);
  const left = Math.floor((width - inner.width) / 2);
  const top = Math.floor((height - inner.height) / 2);
  for (let row = 0; row < inner.height; row += 1)
    for (let column = 0; column < inner.width; column += 1) {
      const from = (row * inner.width + column) * 4;
      const to = ((row + top) * width + column + left) * 4;
      const alpha = (inner.data[from + 3] ?? 0) / 255;
      for (let channel = 0; channel < 3; channel += 1)
        data[to + channel] = (inner.data[from + channel] ?? 0) * alpha + (data[to + channel] ?? 0) * (1 - alpha);
    }
  return { width, height, data };
}

interface Part {
  readonly left: number;
  readonly top: number;
  readonly across: number;
  readonly down: number;
}

/** For each pixel of the result: the first of its source pixels, and their weights, whose sum is 1. */
interface Weights {
  readonly starts: Int32Array;
  readonly weights: readonly Float32Array[];
}

/** The weights are a triangle over as many source pixels as one of the result covers, so that none is skipped when the picture becomes smaller. */
function weightsOf(from: number, length: number, to: number): Weights {
  const factor = length / to;
  const support = Math.max(1, factor);
  const starts = new Int32Array(to);
  const weights: Float32Array[] = [];
  for (let at = 0; at < to; at += 1) {
    const centre = (at + 0.5) * factor - 0.5;
    const first = Math.max(0, Math.ceil(centre - support));
    const last = Math.min(length - 1, Math.floor(centre + support));
    const own = new Float32Array(last - first + 1);
    let sum = 0;
    for (let one = first; one <= last; one += 1) {
      const weight = Math.max(0, 1 - Math.abs(one - centre) / support);
      own[one - first] = weight;
      sum += weight;
    }
    for (let one = 0; one < own.length; one += 1) own[one] = sum > 0 ? (own[one] ?? 0) / sum : 1 / own.length;
    starts[at] = from + first;
    weights.push(own);
  }
  return { starts, weights };
}

/** Scales the rows, then the columns, with the colours multiplied by alpha, so that invisible pixels colour no edge. */
function scale(picture: Pixels, part: Part, width: number, height: number): Pixels {
  const rows = weightsOf(part.top, part.down, height);
  const columns = weightsOf(part.left, part.across, width);
  const between = new Float32Array(width * part.down * 4);
  for (let row = 0; row < part.down; row += 1) {
    const base = (row + part.top) * picture.width;
    for (let column = 0; column < width; column += 1) {
      const weights = columns.weights[column] ?? new Float32Array();
      const start = columns.starts[column] ?? 0;
      let [red, green, blue, alpha] = [0, 0, 0, 0];
      for (let one = 0; one < weights.length; one += 1) {
        const at = (base + start + one) * 4;
        const share = (weights[one] ?? 0) * (picture.data[at + 3] ?? 0);
        red += (picture.data[at] ?? 0) * share;
        green += (picture.data[at + 1] ?? 0) * share;
        blue += (picture.data[at + 2] ?? 0) * share;
        alpha += share;
      }
      const to = (row * width + column) * 4;
      between[to] = red;
      between[to + 1] = green;
      between[to + 2] = blue;
      between[to + 3] = alpha;
    }
  }
  const data = new Uint8ClampedArray(width * height * 4);
  for (let row = 0; row < height; row += 1) {
    const weights = rows.weights[row] ?? new Float32Array();
    const start = (rows.starts[row] ?? 0) - part.top;
    for (let column = 0; column < width; column += 1) {
      let [red, green, blue, alpha] = [0, 0, 0, 0];
      for (let one = 0; one < weights.length; one += 1) {
        const at = ((start + one) * width + column) * 4;
        const weight = weights[one] ?? 0;
        red += (between[at] ?? 0) * weight;
        green += (between[at + 1] ?? 0) * weight;
        blue += (between[at + 2] ?? 0) * weight;
        alpha += (between[at + 3] ?? 0) * weight;
      }
      const to = (row * width + column) * 4;
      data[to + 3] = alpha;
      if (alpha <= 0) continue;
      data[to] = red / alpha;
      data[to + 1] = green / alpha;
      data[to + 2] = blue / alpha;
    }
  }
  return { width, height, data };
}
