/** What there is to see: hills, sea, city, silk and orbs, each a function from a place and a time to a colour. */
import { mix, type SeededRandom } from "./seeded";
import { addLight, clamp, type Color, mixColors, type Palette, scaleColor, smoothstep } from "./color";
import { fractal, noise } from "./noise";

/** `x` runs from 0 to 1.5, `y` from 0 (top) to 1, `time` from 0 to 1 over a video. */
export type Scene = (x: number, y: number, time: number) => Color;
export type MakeScene = (palette: Palette, random: SeededRandom) => Scene;

const far = 1 / 400;

/** Sky with sun or moon, and stars at night; every landscape stands before it. */
function makeSky(
  palette: Palette,
  random: SeededRandom,
  horizon: number,
): Scene & { readonly sun: readonly [number, number] } {
  const seed = random.integer(0, 1e9);
  const sun = [random.between(0.3, 1.2), random.between(0.18, horizon - 0.12)] as const;
  const radius = palette.night ? random.between(0.035, 0.06) : random.between(0.06, 0.11);
  const clouds = random.between(0.05, 0.3);
  const sky: Scene = (x, y, time) => {
    let color = mixColors(palette.high, palette.low, Math.pow(smoothstep(0, horizon + 0.05, y), 1.3));
    if (palette.night) {
      color = addLight(color, [0.9, 0.95, 1], starAt(x, y, time, seed) * clamp(1 - y / horizon));
    }
    const veil = smoothstep(0.5, 0.75, fractal(x * 1.8 + time * 0.15, y * 6, seed + 7, 4));
    color = mixColors(color, mixColors(palette.low, palette.light, 0.5), veil * clouds * 1.6);
    const distance = Math.hypot(x - sun[0], y - sun[1]);
    color = mixColors(color, palette.light, (palette.night ? 0.45 : 0.7) * Math.exp(-distance * 3.6));
    return mixColors(color, palette.light, smoothstep(radius + far, radius - far, distance));
  };
  return Object.assign(sky, { sun });
}

/** One star in some of the cells of a grid, round and of its own brightness. */
function starAt(x: number, y: number, time: number, seed: number): number {
  const cell = 0.045;
  const column = Math.floor(x / cell);
  const row = Math.floor(y / cell);
  const place = mix(Math.imul(column, 0x9e3779b1) ^ Math.imul(row, 0x85ebca77) ^ seed);
  const part = (shift: number): number => ((place >>> shift) & 255) / 255;
  if (part(0) > 0.6) return 0;
  const distance = Math.hypot(x / cell - column - 0.1 - part(8) * 0.8, y / cell - row - 0.1 - part(16) * 0.8);
  const size = 0.02 + 0.05 * part(24) ** 3;
  return (
    smoothstep(size, size * 0.3, distance) * (0.35 + 0.65 * part(24)) * (0.75 + 0.25 * Math.sin(time * 14 + place))
  );
}

export const makeHills: MakeScene = (palette, random) => {
  const horizon = random.between(0.48, 0.62);
  const sky = makeSky(palette, random, horizon);
  const ridges = Array.from({ length: 6 }, (_, index) => {
    const depth = index / 5;
    return {
      base: horizon + depth * (0.95 - horizon),
      height: 0.2 - depth * 0.05,
      scale: 1.6 + depth * 1.4,
      seed: random.integer(0, 1e9),
      rough: random.integer(3, 6),
      drift: 0.02 + depth * 0.1,
      color: ground(palette, depth),
    };
  });
  return (x, y, time) => {
    let color = sky(x, y, time);
    for (const { base, height, scale, seed, rough, drift, color: own } of ridges) {
      const top = base - height * (fractal((x + time * drift) * scale, 0.5, seed, rough) * 1.7 - 0.55);
      const inside = smoothstep(top - far, top + far, y);
      if (inside === 0) continue;
      const mist = smoothstep(0, 0.22, y - top);
      color = mixColors(color, mixColors(own, palette.low, mist * 0.34), inside);
    }
    return color;
  };
};

export const makeSea: MakeScene = (palette, random) => {
  const horizon = random.between(0.42, 0.55);
  const sky = makeSky(palette, random, horizon);
  const seed = random.integer(0, 1e9);
  const island = random.next() > 0.35;
  const islandSeed = random.integer(0, 1e9);
  return (x, y, time) => {
    if (y < horizon) {
      const color = sky(x, y, time);
      if (!island) return color;
      const top = horizon - 0.16 * Math.max(0, fractal(x * 2.2, 0, islandSeed, 5) - 0.47) * 2.4;
      return mixColors(color, mixColors(palette.far, palette.low, 0.35), smoothstep(top - far, top + far, y));
    }
    const depth = (y - horizon) / (1 - horizon);
    // Waves get longer and wider towards the eye.
    const across = (x - 0.75) / (0.15 + depth);
    const along = Math.log(0.06 + depth);
    const swell = fractal(across * 3 + time * 0.6, along * 9 - time * 1.4, seed, 4);
    const ripple = noise(across * 16, along * 46 - time * 5, seed + 3);
    let color = mixColors(mixColors(palette.low, palette.far, 0.45), palette.near, Math.pow(depth, 0.6));
    color = mixColors(color, palette.middle, smoothstep(0.35, 0.65, swell) * 0.55);
    const path = Math.exp(-Math.abs(x - sky.sun[0]) / (0.05 + depth * 0.16));
    const glint = smoothstep(0.55, 0.8, ripple * 0.6 + swell * 0.4) * path;
    color = addLight(color, palette.light, glint * 0.75 + path * 0.1);
    return addLight(color, palette.light, smoothstep(0.68, 0.76, swell) * depth * 0.16);
  };
};

export const makeCity: MakeScene = (palette, random) => {
  const horizon = 0.78;
  const sky = makeSky(palette, random, horizon);
  const rows = Array.from({ length: 4 }, (_, index) => ({
    depth: index / 3,
    width: 0.045 + index * 0.018,
    seed: random.integer(0, 1e6),
    color: mixColors(ground(palette, 0.1 + (index / 3) * 0.9), palette.near, 0.25),
  }));
  const lamp = mixColors(palette.light, [1, 0.82, 0.45], 0.6);
  return (x, y, time) => {
    let color = sky(x, y, time);
    for (const { depth, width, seed, color: own } of rows) {
      const at = (x + time * 0.05 * (depth + 0.2)) / width;
      const house = Math.floor(at);
      const tall = noise(house * 7.31, 0.5, seed) ** 1.5;
      const top = 0.96 - (0.66 - depth * 0.32) * tall - 0.1;
      const inside = smoothstep(top - far, top + far, y);
      if (inside === 0) continue;
      let wall = mixColors(own, palette.low, smoothstep(0.2, 0, y - top) * 0.12 + (1 - depth) * 0.14);
      const column = (at - house) * 6;
      const storey = (y - top) / 0.019;
      const pane = Math.min(column % 1, 1 - (column % 1)) > 0.2 && storey % 1 > 0.4 && column >= 1 && column < 5;
      const lit = noise(Math.floor(column) * 3.7 + house * 11, Math.floor(storey) * 5.3, seed + 5);
      const flicker = lit + 0.05 * Math.sin(time * 6 + house);
      if (pane && storey > 1 && flicker > (palette.night ? 0.5 : 0.66))
        wall = mixColors(wall, lamp, 0.85 * (0.4 + depth * 0.6));
      color = mixColors(color, wall, inside);
    }
    return color;
  };
};

export const makeSilk: MakeScene = (palette, random) => {
  const seed = random.integer(0, 1e9);
  const scale = random.between(0.9, 1.5);
  const bands = random.between(5, 9);
  const colors = [palette.near, palette.middle, palette.high, palette.far, palette.low, palette.light] as const;
  return (x, y, time) => {
    const u = fractal(x * scale, y * scale + time * 0.25, seed, 2);
    const v = fractal(x * scale + 5.2, y * scale - time * 0.2 + 1.3, seed + 11, 2);
    const value = fractal(x * scale + u * 1.7, y * scale * 0.7 + v * 1.7, seed + 23, 2);
    const place = smoothstep(0.22, 0.78, value) * 4.999;
    const index = Math.floor(place);
    const color = mixColors(colors[index] ?? palette.near, colors[index + 1] ?? palette.light, place - index);
    // Folds: light on one side of each band, shadow on the other.
    const fold = Math.sin(value * bands * Math.PI * 2);
    return addLight(scaleColor(color, 0.88 + fold * 0.12), palette.light, Math.pow(Math.max(0, fold), 12) * 0.28 * u);
  };
};

export const makeOrbs: MakeScene = (palette, random) => {
  const colors = [palette.low, palette.far, palette.middle, palette.light, palette.high] as const;
  const orbs = Array.from({ length: 9 }, (_, index) => ({
    x: random.between(0, 1.5),
    y: random.between(0.05, 0.95),
    radius: random.between(0.05, 0.3) * (1 - index * 0.05),
    color: colors[index % colors.length] ?? palette.light,
    swing: random.between(-0.12, 0.12),
  }));
  const seed = random.integer(0, 1e9);
  const tilt = random.between(-0.6, 0.6);
  return (x, y, time) => {
    const wash = smoothstep(0, 1, y + (x - 0.75) * tilt + (fractal(x * 2, y * 2, seed, 3) - 0.5) * 0.5);
    let color = mixColors(palette.near, palette.high, wash);
    for (const orb of orbs) {
      const dx = x - orb.x - orb.swing * Math.sin(time * 6.28);
      const dy = y - orb.y - orb.swing * 0.6 * Math.cos(time * 6.28);
      const distance = Math.hypot(dx, dy) / orb.radius;
      color = scaleColor(color, 1 - 0.3 * Math.exp(-Math.max(0, distance - 0.9) * 6) * smoothstep(2, 0.9, distance));
      const inside = smoothstep(1 + 0.004 / orb.radius, 1 - 0.004 / orb.radius, distance);
      if (inside === 0) continue;
      const shine = Math.exp(-(((dx / orb.radius + 0.35) ** 2 + (dy / orb.radius + 0.4) ** 2) * 2.2));
      const body = addLight(scaleColor(orb.color, 1.02 - 0.42 * distance ** 2.4), palette.light, shine * 0.3);
      color = mixColors(color, body, inside * 0.92);
    }
    return color;
  };
};

function ground({ far: a, middle, near, low }: Palette, depth: number): Color {
  const own = depth < 0.5 ? mixColors(a, middle, depth * 2) : mixColors(middle, near, depth * 2 - 1);
  return mixColors(own, low, (1 - depth) * 0.22);
}
