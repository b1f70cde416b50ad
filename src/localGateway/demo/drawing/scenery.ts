/** Draws the common parts of landscapes (sky, stars, clouds, sea, hills, rain), and chooses time of day, weather and colors. */
import type { SeededRandom } from "../seededRandom";
import {
  type Color,
  darker,
  lighter,
  mixColors,
  white,
  hsl,
  arc,
  type Drawing,
  gradient,
  type Point,
  smooth,
} from "./drawing";

/** The input for drawing a subject. */
export interface Scene {
  readonly drawing: Drawing;
  readonly mood: Mood;
  readonly random: SeededRandom;
  readonly prompt: string;
}

interface SunPlace {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
}

/** Draws the sky down to the horizon; returns the place of the sun or the moon. */
export function drawSky({ drawing, mood, random }: Scene, horizon: number): SunPlace {
  const { width, height } = drawing;
  drawing.fill(gradient(mood.high, mood.low, 0, horizon));
  const sun = {
    x: width * random.between(0.15, 0.85),
    y: horizon * (mood.isNight ? random.between(0.2, 0.4) : random.between(0.35, 0.8)),
    radius: mood.isNight ? random.between(0.04, 0.055) : random.between(0.05, 0.08),
  };
  if (mood.isNight) {
    const count = Math.round(60 * width * height);
    for (let star = 0; star < count; star += 1) {
      const size = random.between(0.0012, 0.0032);
      drawing.rect(
        random.between(0, width),
        random.between(0, horizon * 0.9),
        size,
        size,
        white,
        random.between(0.3, 0.95),
      );
    }
  }
  if (!mood.isRain) {
    drawing.glow(sun.x, sun.y, sun.radius * (mood.isNight ? 5 : 8), mood.light, mood.isNight ? 0.45 : 0.7);
    if (mood.isNight) {
      const shadow = arc([sun.x + sun.radius * 0.55, sun.y], sun.radius * 0.9, 0.32, 0.68);
      drawing.polygon([...arc([sun.x, sun.y], sun.radius, 0.2, 0.8), ...shadow.toReversed()], mood.light);
    } else drawing.circle(sun.x, sun.y, sun.radius, mood.light);
  }
  drawClouds({ drawing, mood, random }, horizon);
  return sun;
}

function drawClouds({ drawing, mood, random }: Omit<Scene, "prompt">, horizon: number): void {
  const count = mood.isRain ? 7 : random.integer(2, 4);
  for (let cloud = 0; cloud < count; cloud += 1) {
    const x = random.between(-0.05, 1) * drawing.width;
    const y = horizon * random.between(0.12, 0.6);
    const size = random.between(0.06, 0.13) * (mood.isRain ? 1.5 : 1);
    const color = mood.isNight
      ? lighter(mood.high, 0.16)
      : mood.isRain
        ? darker(mood.low, 0.18)
        : lighter(mood.low, 0.55);
    drawCloud(drawing, { x, y, size }, color, mood.isNight ? 0.35 : 0.7, random);
  }
}

/** Draws round humps on a flat base as one outline, so that they do not show through each other. */
function drawCloud(
  drawing: Drawing,
  { x, y, size }: { readonly x: number; readonly y: number; readonly size: number },
  color: Color,
  alpha: number,
  random: SeededRandom,
): void {
  let left = x;
  const outline: Point[] = [];
  for (const rise of [0.3, 0.5, 0.72, 0.55, 0.34]) {
    const radius = size * 0.5 * rise * random.between(0.85, 1.15);
    outline.push(...arc([left + radius, y - radius * 0.25], radius, 0.5, 1));
    left += radius * 1.75;
  }
  drawing.polygon([[x, y], ...outline, [left, y]], color, alpha);
}

/** Draws the sea from the horizon down, with the reflection of the sun or the moon. */
export function drawSea({ drawing, mood, random }: Scene, horizon: number, sun?: SunPlace): void {
  const { width, height } = drawing;
  const from = mixColors(mood.water, mood.low, 0.45);
  drawing.rect(0, horizon, width, height - horizon, gradient(from, darker(mood.water, 0.25), horizon, height));
  const depth = height - horizon;
  for (let ripple = 0; ripple < 46; ripple += 1) {
    const near = random.next() ** 1.6;
    const length = (0.03 + near * 0.16) * random.between(0.5, 1.2);
    const color = random.next() < 0.6 ? lighter(from, 0.25) : darker(mood.water, 0.3);
    drawRipple(drawing, [random.between(-0.1, 1) * width, horizon + near * depth], length, color, 0.35);
  }
  if (sun === undefined || mood.isRain) return;
  for (let step = 0; step < 22; step += 1) {
    const near = (step + random.next()) / 22;
    const length = (0.03 + near * 0.12) * random.between(0.5, 1.2);
    drawRipple(
      drawing,
      [sun.x - length / 2 + random.between(-0.03, 0.03), horizon + near * depth],
      length,
      mood.light,
      0.55 * (1 - near * 0.6),
    );
  }
}

export function drawRipple(drawing: Drawing, [x, y]: Point, length: number, color: Color, alpha: number): void {
  const rise = length * 0.035 + 0.0012;
  drawing.polygon(
    [
      [x, y],
      [x + length * 0.5, y - rise],
      [x + length, y],
      [x + length * 0.5, y + rise],
    ],
    color,
    alpha,
  );
}

/** A line of hills from left to right. `rough`: the weight of small waves. */
export function hillLine(scene: Scene, base: number, rise: number, rough: number): readonly Point[] {
  const { drawing, random } = scene;
  const waves = [1.7, 3.9, 8.3, 17].map((frequency, index) => ({
    frequency: frequency * random.between(0.75, 1.35),
    phase: random.between(0, 2 * Math.PI),
    height: (rise * (index === 0 ? 1 : rough)) / (1 + index * 1.6),
  }));
  const steps = Math.ceil(drawing.width * 48);
  return Array.from({ length: steps + 1 }, (_, step): Point => {
    const x = (step / steps) * drawing.width;
    return [x, waves.reduce((y, wave) => y - wave.height * Math.sin(x * wave.frequency + wave.phase), base)];
  });
}

export function drawRain({ drawing, mood, random }: Scene): void {
  if (!mood.isRain) return;
  for (let drop = 0; drop < 110 * drawing.width * drawing.height; drop += 1) {
    const [x, y] = [random.between(0, drawing.width), random.between(-0.05, drawing.height)];
    const length = random.between(0.025, 0.06);
    drawing.line(
      [
        [x, y],
        [x - length * 0.22, y + length],
      ],
      0.002,
      white,
      0.32,
    );
  }
}

/** The outline of a line and its mirror image about a vertical axis, for sails, trees and vases. */
export function mirrored(x: number, half: readonly Point[]): readonly Point[] {
  const left = half.toReversed().map(([dx, y]): Point => [x - dx, y]);
  return [...half.map(([dx, y]): Point => [x + dx, y]), ...left];
}

export function smoothMirrored(x: number, half: readonly Point[]): readonly Point[] {
  return mirrored(x, smooth(half));
}

// Chooses time of day, weather and colors of a picture from the words of its prompt, else from its seed.

interface Mood {
  readonly isNight: boolean;
  readonly isRain: boolean;
  /** The sky from its top to the horizon. */
  readonly high: Color;
  readonly low: Color;
  /** Sun or moon. */
  readonly light: Color;
  readonly water: Color;
  /** The land from far to near. */
  readonly far: Color;
  readonly near: Color;
  /** Lit windows and lamps. */
  readonly lamp: Color;
  /** The colors of things: one that the words name, and colors that match it. */
  readonly accent: Color;
  readonly second: Color;
  readonly pale: Color;
  readonly ink: Color;
}

const hours = {
  night: /\b(?:night|midnight|moon|stars?|neon|dark|black)\b|夜|月|星|黑/i,
  dusk: /\b(?:dusk|sunset|evening|twilight|golden hour|warm|autumn)\b|黄昏|日落|傍晚|晚霞|暖|秋/i,
  dawn: /\b(?:dawn|sunrise|morning|mist|misty|fog|foggy|soft|spring)\b|黎明|日出|清晨|雾|柔|春/i,
  winter: /\b(?:winter|snow|snowy|ice|cold)\b|冬|雪|冰/i,
  day: /\b(?:day|noon|sunny|summer|bright|blue sky)\b|白天|正午|晴|夏|明亮/i,
} as const;
type Hour = keyof typeof hours;

const skies: Readonly<Record<Hour, readonly [high: Color, low: Color, light: Color]>> = {
  night: [hsl(0.63, 0.5, 0.1), hsl(0.61, 0.45, 0.26), [0.97, 0.95, 0.86]],
  dusk: [hsl(0.7, 0.35, 0.36), hsl(0.055, 0.85, 0.68), [1, 0.87, 0.62]],
  dawn: [hsl(0.56, 0.38, 0.68), hsl(0.1, 0.75, 0.87), [1, 0.96, 0.85]],
  winter: [hsl(0.58, 0.32, 0.7), hsl(0.57, 0.35, 0.92), [1, 0.99, 0.95]],
  day: [hsl(0.57, 0.62, 0.56), hsl(0.54, 0.55, 0.86), [1, 0.98, 0.86]],
};

const hues: readonly (readonly [RegExp, number])[] = [
  [/\b(?:red|crimson|scarlet)\b|红/i, 0.995],
  [/\b(?:orange|copper|terracotta)\b|橙/i, 0.06],
  [/\b(?:yellow|gold|golden|amber)\b|黄|金/i, 0.125],
  [/\b(?:green|olive|mint|emerald)\b|绿/i, 0.38],
  [/\b(?:teal|turquoise|cyan)\b|青/i, 0.49],
  [/\b(?:blue|navy|indigo)\b|蓝/i, 0.6],
  [/\b(?:purple|violet|lilac)\b|紫/i, 0.75],
  [/\b(?:pink|rose|magenta)\b|粉/i, 0.92],
];

/** Hues without glaring greens. */
const pleasantHues = [0, 0.035, 0.07, 0.11, 0.42, 0.48, 0.54, 0.59, 0.64, 0.76, 0.93] as const;

export function moodOf(prompt: string, random: SeededRandom): Mood {
  const drawn = random.pick<Hour>(["day", "day", "dusk", "dusk", "dawn", "night"]);
  const said = (["night", "dusk", "dawn", "winter", "day"] as const).find((hour) => hours[hour].test(prompt));
  const isRain = /\b(?:rain|rainy|storm|stormy|wet)\b|雨|风暴/i.test(prompt);
  const hour = said ?? drawn;
  const isNight = hour === "night";
  const turn = random.between(-0.025, 0.025);
  const [skyHigh, skyLow, light] = skies[hour];
  const gray = hsl(0.6, 0.08, isNight ? 0.16 : 0.6);
  const [high, low] = isRain ? [mixColors(skyHigh, gray, 0.65), mixColors(skyLow, gray, 0.5)] : [skyHigh, skyLow];
  const named = hues.flatMap(([words, hue]) => (words.test(prompt) ? [hue] : []));
  const hue = (named[0] ?? random.pick(pleasantHues)) + turn;
  const secondHue = named[1] ?? hue + random.pick([0.42, 0.5, 0.1]);
  const land = hour === "winter" ? hsl(0.58, 0.2, 0.93) : hsl(random.between(0.24, 0.42), 0.28, isNight ? 0.14 : 0.36);
  return {
    isNight,
    isRain,
    high,
    low,
    light,
    water: mixColors(mixColors(high, low, 0.25), hsl(0.56, 0.5, isNight ? 0.14 : 0.34), 0.55),
    far: mixColors(land, low, 0.6),
    near: hour === "winter" ? land : darker(mixColors(land, high, 0.15), isNight ? 0.45 : hour === "dusk" ? 0.4 : 0.12),
    lamp: [1, 0.86, 0.5],
    accent: hsl(hue, 0.56, 0.5),
    second: hsl(secondHue, 0.45, 0.58),
    pale: lighter(hsl(hue + turn, 0.45, 0.86), 0.25),
    ink: hsl(hue + 0.5, 0.3, 0.16),
  };
}
