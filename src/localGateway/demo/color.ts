/** Colours as three numbers from 0 to 1, and the palettes that pictures are painted with. */
import type { SeededRandom } from "./seeded";

export type Color = readonly [number, number, number];

export function mixColors(a: Color, b: Color, part: number): Color {
  const share = clamp(part);
  return [a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share, a[2] + (b[2] - a[2]) * share];
}

export function addLight(a: Color, light: Color, strength: number): Color {
  return [a[0] + light[0] * strength, a[1] + light[1] * strength, a[2] + light[2] * strength];
}

export function scaleColor(a: Color, by: number): Color {
  return [a[0] * by, a[1] * by, a[2] * by];
}

export function clamp(value: number): number {
  return value < 0 ? 0 : value > 1 ? 1 : value;
}

/** 0 below `from`, 1 above `to`, and a soft way between. */
export function smoothstep(from: number, to: number, value: number): number {
  const part = clamp((value - from) / (to - from));
  return part * part * (3 - 2 * part);
}

/** From the far to the near: sky above, sky at the horizon, light, then three grounds that get darker. */
export interface Palette {
  readonly high: Color;
  readonly low: Color;
  readonly light: Color;
  readonly far: Color;
  readonly middle: Color;
  readonly near: Color;
  readonly night: boolean;
}

function hex(text: string): Color {
  const value = Number.parseInt(text, 16);
  return [(value >> 16) / 255, ((value >> 8) & 255) / 255, (value & 255) / 255];
}

function palette(colors: string, night = false): Palette {
  const [high = "", low = "", light = "", far = "", middle = "", near = ""] = colors.split(" ");
  return {
    high: hex(high),
    low: hex(low),
    light: hex(light),
    far: hex(far),
    middle: hex(middle),
    near: hex(near),
    night,
  };
}

const days: readonly [Palette, ...Palette[]] = [
  palette("2b4c7e f7c59f fff1c9 8d86c9 5a4e8c 2a1f4e"),
  palette("3f88c5 fbe9d0 fffdf0 7fb7be 3c7a89 16425b"),
  palette("7d4f9e ff9b71 ffe3b3 c05780 7a2e5d 2e1437"),
  palette("89c2d9 f1faee ffffff a8c686 5b8c5a 1f4d3a"),
  palette("d1495b edae49 fff3c4 b23a48 66293f 2b1627"),
  palette("54b2a9 f6f0c4 ffffff 6aa6a6 33658a 1d2f4f"),
  palette("e07a5f f4f1de fffbe8 d9a38f 81505c 3d405b"),
];
const nights: readonly [Palette, ...Palette[]] = [
  palette("0b1033 35477d f6f7d7 4a4e9b 252a63 0a0d2b", true),
  palette("071a2b 1f6f78 d8fff0 1d566e 123a52 061520", true),
  palette("1a0b2e 6c3a8e ffe0f7 5b2a86 371a5a 12061f", true),
  palette("10131f 4d3b57 ffd9a0 463b58 2a2740 0d0e1a", true),
];

const nightWords = /\b(night|dusk|midnight|moon|moonlit|stars?|starry|dark|neon|galaxy|space|aurora)\b|夜|星|月/i;
const dayWords = /\b(day|noon|morning|dawn|sunny|sunrise|summer|spring|snow|desert)\b|晨|日|春|夏/i;

export function choosePalette(prompt: string, random: SeededRandom): Palette {
  const chance = random.next();
  if (nightWords.test(prompt)) return random.pick(nights);
  return dayWords.test(prompt) || chance > 0.3 ? random.pick(days) : random.pick(nights);
}
