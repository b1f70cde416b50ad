/** A picture as a list of filled outlines, independent of its size: its shorter side has the length 1. Also the colors of the drawings. */

export type Point = readonly [x: number, y: number];

/** One color, a gradient along a line, or a glow that fades out towards its radius. */
export type Paint =
  | { readonly kind: "flat"; readonly color: Color; readonly alpha: number }
  | { readonly kind: "linear"; readonly from: Color; readonly to: Color; readonly start: Point; readonly end: Point }
  | {
      readonly kind: "glow";
      readonly color: Color;
      readonly alpha: number;
      readonly center: Point;
      readonly radius: number;
    };

export interface Shape {
  readonly points: readonly Point[];
  readonly paint: Paint;
}

export class Drawing {
  readonly shapes: Shape[] = [];
  readonly width: number;
  readonly height: number;

  constructor(width: number, height: number) {
    this.width = width;
    this.height = height;
  }

  polygon(points: readonly Point[], paint: Paint | Color, alpha = 1): void {
    this.shapes.push({ points, paint: paintOf(paint, alpha) });
  }

  rect(x: number, y: number, width: number, height: number, paint: Paint | Color, alpha = 1): void {
    this.polygon(
      [
        [x, y],
        [x + width, y],
        [x + width, y + height],
        [x, y + height],
      ],
      paint,
      alpha,
    );
  }

  /** Fills the whole picture. */
  fill(paint: Paint | Color): void {
    // The rectangle is larger than the picture, whose edges may be within a pixel.
    this.rect(-1, -1, this.width + 2, this.height + 2, paint);
  }

  ellipse(x: number, y: number, radiusX: number, radiusY: number, paint: Paint | Color, alpha = 1): void {
    this.polygon(arc([x, y], radiusX, 0, 1, radiusY), paint, alpha);
  }

  circle(x: number, y: number, radius: number, paint: Paint | Color, alpha = 1): void {
    this.ellipse(x, y, radius, radius, paint, alpha);
  }

  roundRect(box: Box, radius: number, paint: Paint | Color, alpha = 1): void {
    const { x, y, width, height } = box;
    const r = Math.min(radius, width / 2, height / 2);
    this.polygon(
      [
        ...arc([x + r, y + r], r, 0.5, 0.75),
        ...arc([x + width - r, y + r], r, 0.75, 1),
        ...arc([x + width - r, y + height - r], r, 0, 0.25),
        ...arc([x + r, y + height - r], r, 0.25, 0.5),
      ],
      paint,
      alpha,
    );
  }

  /** Fills a closed outline through the points, without corners. */
  blob(points: readonly Point[], paint: Paint | Color, alpha = 1): void {
    this.polygon(smooth(points, true), paint, alpha);
  }

  /** Fills the area below a line from left to right. */
  ground(line: readonly Point[], paint: Paint | Color, alpha = 1): void {
    const [first, last] = [line[0] ?? [0, 0], line.at(-1) ?? [0, 0]];
    this.polygon([...line, [last[0], this.height], [first[0], this.height]], paint, alpha);
  }

  line(points: readonly Point[], width: number, paint: Paint | Color, alpha = 1): void {
    if (points.length > 1) this.polygon(strokeOf(points, width / 2), paint, alpha);
  }

  ring(center: Point, radius: number, width: number, paint: Paint | Color, alpha = 1): void {
    const outer = arc(center, radius + width / 2, 0, 1);
    const inner = arc(center, radius - width / 2, 0, 1).toReversed();
    const [first, hole] = [outer[0] ?? center, inner[0] ?? center];
    this.polygon([...outer, first, hole, ...inner, hole, first], paint, alpha);
  }

  glow(x: number, y: number, radius: number, color: Color, alpha: number): void {
    this.rect(x - radius, y - radius, radius * 2, radius * 2, { kind: "glow", color, alpha, center: [x, y], radius });
  }
}

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

function paintOf(paint: Paint | Color, alpha: number): Paint {
  return "kind" in paint ? paint : { kind: "flat", color: paint, alpha };
}

/** A gradient from top to bottom, or along any line. */
export function gradient(from: Color, to: Color, start: Point | number, end: Point | number): Paint {
  const point = (place: Point | number): Point => (typeof place === "number" ? [0, place] : place);
  return { kind: "linear", from, to, start: point(start), end: point(end) };
}

/** The points of an arc. Angles are in turns, clockwise from the right. */
export function arc(center: Point, radius: number, from: number, to: number, radiusY = radius): readonly Point[] {
  const steps = Math.max(2, Math.ceil(Math.abs(to - from) * (10 + 90 * Math.max(radius, radiusY))));
  return Array.from({ length: steps + 1 }, (_, step): Point => {
    const angle = (from + ((to - from) * step) / steps) * 2 * Math.PI;
    return [center[0] + radius * Math.cos(angle), center[1] + radiusY * Math.sin(angle)];
  });
}

const smoothSteps = 8;

/** A Catmull-Rom curve through the points. */
export function smooth(points: readonly Point[], isClosed = false): readonly Point[] {
  const count = points.length;
  const at = (index: number): Point =>
    points[isClosed ? (index + count) % count : Math.min(count - 1, Math.max(0, index))] ?? [0, 0];
  const spans = isClosed ? count : count - 1;
  const curve: Point[] = [];
  for (let span = 0; span < spans; span += 1) {
    const [a, b, c, d] = [at(span - 1), at(span), at(span + 1), at(span + 2)];
    for (let step = 0; step < smoothSteps; step += 1) {
      const t = step / smoothSteps;
      const between = (axis: 0 | 1): number =>
        0.5 *
        (2 * b[axis] +
          (c[axis] - a[axis]) * t +
          (2 * a[axis] - 5 * b[axis] + 4 * c[axis] - d[axis]) * t * t +
          (3 * b[axis] - a[axis] - 3 * c[axis] + d[axis]) * t * t * t);
      curve.push([between(0), between(1)]);
    }
  }
  if (!isClosed) curve.push(at(count - 1));
  return curve;
}

/** The outline of a line with that half width. */
function strokeOf(points: readonly Point[], half: number): readonly Point[] {
  const sides = points.map((point, index): readonly [Point, Point] => {
    const before = points[index - 1] ?? point;
    const after = points[index + 1] ?? point;
    const [dx, dy] = [after[0] - before[0], after[1] - before[1]];
    const length = Math.hypot(dx, dy) || 1;
    const [nx, ny] = [(-dy / length) * half, (dx / length) * half];
    return [
      [point[0] + nx, point[1] + ny],
      [point[0] - nx, point[1] - ny],
    ];
  });
  return [...sides.map(([left]) => left), ...sides.map(([, right]) => right).toReversed()];
}

// A color is red, green and blue from 0 to 1.

export type Color = readonly [number, number, number];

export function mixColors(a: Color, b: Color, share: number): Color {
  return [a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share, a[2] + (b[2] - a[2]) * share];
}

/** `hue` in turns; any number counts. */
export function hsl(hue: number, saturation: number, lightness: number): Color {
  const channel = (offset: number): number => {
    const part = (((hue * 12 + offset) % 12) + 12) % 12;
    return lightness - saturation * Math.min(lightness, 1 - lightness) * Math.max(-1, Math.min(part - 3, 9 - part, 1));
  };
  return [channel(0), channel(8), channel(4)];
}

export const white: Color = [1, 1, 1];
const black: Color = [0, 0, 0];
export const paper: Color = [0.965, 0.95, 0.915];

export const lighter = (color: Color, share: number): Color => mixColors(color, white, share);
export const darker = (color: Color, share: number): Color => mixColors(color, black, share);
