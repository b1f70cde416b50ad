/** Time of day, weather and colors of a picture: from its words where they say them, else from its seed. */
import type { SeededRandom } from "../seededRandom";
import { type Color, darker, hsl, lighter, mix } from "./colors";

export interface Mood {
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
  /** The colors of things: one that the words name, and what goes with it. */
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

/** Without the greens that glare. */
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
  const [high, low] = isRain ? [mix(skyHigh, gray, 0.65), mix(skyLow, gray, 0.5)] : [skyHigh, skyLow];
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
    water: mix(mix(high, low, 0.25), hsl(0.56, 0.5, isNight ? 0.14 : 0.34), 0.55),
    far: mix(land, low, 0.6),
    near: hour === "winter" ? land : darker(mix(land, high, 0.15), isNight ? 0.45 : hour === "dusk" ? 0.4 : 0.12),
    lamp: [1, 0.86, 0.5],
    accent: hsl(hue, 0.56, 0.5),
    second: hsl(secondHue, 0.45, 0.58),
    pale: lighter(hsl(hue + turn, 0.45, 0.86), 0.25),
    ink: hsl(hue + 0.5, 0.3, 0.16),
  };
}
