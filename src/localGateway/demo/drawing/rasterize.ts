/** Fills the outlines of a drawing with smooth edges, a band of rows at a time. */
import type { Drawing, Paint, Shape } from "./drawing";

/** Rows from the top, three bytes a pixel. */
export interface DrawnPixels {
  readonly width: number;
  readonly height: number;
  readonly rgb: Uint8Array;
}

export interface PixelSize {
  readonly width: number;
  readonly height: number;
}

const bandRows = 32;

/** An outline in pixels. */
interface Placed {
  readonly edges: readonly number[];
  readonly paint: Paint;
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
}

/** `scale`: pixels of the drawing's unit. Yields to the event loop after each band, so that running streams keep their pace. */
export async function rasterize(drawing: Drawing, { width, height }: PixelSize, scale: number): Promise<DrawnPixels> {
  const placed = drawing.shapes.map((shape) => place(shape, scale, width));
  const rgb = new Uint8Array(width * height * 3);
  // The signed areas of the edges: their sum from the left is the covered part of a pixel.
  const areas = new Float32Array((width + 2) * bandRows);
  for (let top = 0; top < height; top += bandRows) {
    const bottom = Math.min(height, top + bandRows);
    for (const shape of placed) {
      if (shape.bottom <= top || shape.top >= bottom || shape.right <= 0 || shape.left >= width) continue;
      addEdges(areas, shape.edges, { width, top, bottom });
      blend(rgb, areas, shape, { width, top, bottom, scale });
    }
    await new Promise((resolve) => setImmediate(resolve));
  }
  return { width, height, rgb };
}

function place({ points, paint }: Shape, scale: number, width: number): Placed {
  const edges: number[] = [];
  let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity];
  let from = points.at(-1) ?? [0, 0];
  for (const point of points) {
    const [x, y] = [point[0] * scale, point[1] * scale];
    if (x < left) left = x;
    if (x > right) right = x;
    if (y < top) top = y;
    if (y > bottom) bottom = y;
    if (from[1] !== point[1]) addClipped(edges, from[0] * scale, from[1] * scale, x, y, width);
    from = point;
  }
  return { edges, paint, top, bottom, left, right };
}

/** Adds an edge. A part outside of the picture is moved to the nearest side, so that the outline still covers the rows there. */
function addClipped(edges: number[], ax: number, ay: number, bx: number, by: number, width: number): void {
  if (ax >= 0 && bx >= 0 && ax <= width && bx <= width) {
    edges.push(ax, ay, bx, by);
    return;
  }
  const cuts = [0, width]
    .map((side) => (side - ax) / (bx - ax))
    .filter((share) => share > 0 && share < 1)
    .toSorted((one, other) => one - other);
  let [x, y] = [Math.min(width, Math.max(0, ax)), ay];
  for (const share of [...cuts, 1]) {
    const nextX = Math.min(width, Math.max(0, ax + (bx - ax) * share));
    const nextY = ay + (by - ay) * share;
    edges.push(x, y, nextX, nextY);
    [x, y] = [nextX, nextY];
  }
}

interface Band {
  readonly width: number;
  readonly top: number;
  readonly bottom: number;
}

/** Adds, for every row that an edge crosses, the area between the edge and the right side of the picture. */
function addEdges(areas: Float32Array, edges: readonly number[], { width, top, bottom }: Band): void {
  const stride = width + 2;
  for (let at = 0; at < edges.length; at += 4) {
    const direction = (edges[at + 1] ?? 0) < (edges[at + 3] ?? 0) ? 1 : -1;
    const [first, second] = direction > 0 ? [at, at + 2] : [at + 2, at];
    const y0 = edges[first + 1] ?? 0;
    const y1 = edges[second + 1] ?? 0;
    if (y1 <= top || y0 >= bottom) continue;
    const x0 = edges[first] ?? 0;
    const slope = ((edges[second] ?? 0) - x0) / (y1 - y0);
    let y = Math.max(y0, top);
    let x = x0 + (y - y0) * slope;
    const end = Math.min(y1, bottom);
    for (let row = Math.floor(y); row < end; row += 1) {
      const nextY = Math.min(row + 1, end);
      const nextX = x + (nextY - y) * slope;
      addSpan(areas, (row - top) * stride, x, nextX, (nextY - y) * direction);
      y = nextY;
      x = nextX;
    }
  }
}

/** Adds one edge in one row. `height`: that of its part in the row, negative where the edge goes up. */
function addSpan(areas: Float32Array, start: number, xa: number, xb: number, height: number): void {
  const left = Math.min(xa, xb);
  const right = Math.max(xa, xb);
  const first = Math.floor(left);
  const last = Math.ceil(right);
  if (last <= first + 1) {
    const covered = height * (1 - ((left + right) / 2 - first));
    areas[start + first] = (areas[start + first] ?? 0) + covered;
    areas[start + first + 1] = (areas[start + first + 1] ?? 0) + height - covered;
    return;
  }
  const perColumn = height / (right - left);
  let before = 0;
  let previous = 0;
  for (let column = first; column < last; column += 1) {
    const from = Math.max(left, column);
    const to = Math.min(right, column + 1);
    const part = perColumn * (to - from);
    // The parts of the edge in earlier columns cover this column fully; its own part covers the area to the right of it.
    const covered = before + part * (column + 1 - (from + to) / 2);
    areas[start + column] = (areas[start + column] ?? 0) + covered - previous;
    previous = covered;
    before += part;
  }
  areas[start + last] = (areas[start + last] ?? 0) + before - previous;
}

interface Blending extends Band {
  readonly scale: number;
}

/** Applies the paint where the outline covers, and resets the areas to 0 for the next outline. */
function blend(rgb: Uint8Array, areas: Float32Array, shape: Placed, { width, top, bottom, scale }: Blending): void {
  const stride = width + 2;
  const firstRow = Math.max(top, Math.floor(shape.top));
  const lastRow = Math.min(bottom, Math.ceil(shape.bottom));
  const firstColumn = Math.max(0, Math.floor(shape.left));
  const lastColumn = Math.min(width, Math.ceil(shape.right));
  const mixer = new Mixer(shape.paint, scale);
  for (let row = firstRow; row < lastRow; row += 1) {
    const start = (row - top) * stride;
    mixer.beginRow(row);
    let sum = 0;
    let at = (row * width + firstColumn) * 3;
    for (let column = firstColumn; column < lastColumn; column += 1, at += 3) {
      sum += areas[start + column] ?? 0;
      const coverage = sum < 0 ? -sum : sum;
      if (coverage < 0.004) continue;
      const share = (coverage > 1 ? 1 : coverage) * (mixer.isEven ? mixer.alpha : mixer.alphaAt(column));
      if (share > 0.998) {
        rgb[at] = mixer.red;
        rgb[at + 1] = mixer.green;
        rgb[at + 2] = mixer.blue;
        continue;
      }
      rgb[at] = mixed(rgb[at], mixer.red, share);
      rgb[at + 1] = mixed(rgb[at + 1], mixer.green, share);
      rgb[at + 2] = mixed(rgb[at + 2], mixer.blue, share);
    }
    areas.fill(0, start + firstColumn, start + Math.min(stride, lastColumn + 2));
  }
}

function mixed(below: number | undefined, above: number, share: number): number {
  const from = below ?? 0;
  return (from + (above - from) * share + 0.5) | 0;
}

/** The color of a paint at each pixel of a row. */
class Mixer {
  red = 0;
  green = 0;
  blue = 0;
  readonly #paint: Paint;
  readonly #scale: number;
  alpha = 1;
  /** Whether all pixels of a row have the same color. */
  readonly isEven: boolean;
  #row = 0;

  constructor(paint: Paint, scale: number) {
    this.#paint = paint;
    this.#scale = scale;
    this.isEven = paint.kind === "flat" || (paint.kind === "linear" && paint.start[0] === paint.end[0]);
    if (paint.kind === "linear") return;
    this.alpha = paint.alpha;
    this.#take(paint.color[0], paint.color[1], paint.color[2]);
  }

  beginRow(row: number): void {
    this.#row = (row + 0.5) / this.#scale;
    const paint = this.#paint;
    if (paint.kind === "linear" && this.isEven) this.#takeBetween(paint, 0);
  }

  /** Returns the alpha of a pixel, and sets the fields for the color to that of the pixel. */
  alphaAt(column: number): number {
    const paint = this.#paint;
    const x = (column + 0.5) / this.#scale;
    if (paint.kind === "linear") {
      this.#takeBetween(paint, x);
      return 1;
    }
    if (paint.kind === "flat") return this.alpha;
    const [dx, dy] = [x - paint.center[0], this.#row - paint.center[1]];
    const rest = 1 - Math.sqrt(dx * dx + dy * dy) / paint.radius;
    return rest <= 0 ? 0 : this.alpha * rest * rest;
  }

  #takeBetween({ from, to, start, end }: Extract<Paint, { readonly kind: "linear" }>, x: number): void {
    const [dx, dy] = [end[0] - start[0], end[1] - start[1]];
    const along = ((x - start[0]) * dx + (this.#row - start[1]) * dy) / (dx * dx + dy * dy || 1);
    const share = Math.min(1, Math.max(0, along));
    this.#take(
      from[0] + (to[0] - from[0]) * share,
      from[1] + (to[1] - from[1]) * share,
      from[2] + (to[2] - from[2]) * share,
    );
  }

  #take(red: number, green: number, blue: number): void {
    this.red = toByte(red);
    this.green = toByte(green);
    this.blue = toByte(blue);
  }
}

const toByte = (part: number): number => Math.round(Math.min(1, Math.max(0, part)) * 255);
