/** Colors of the drawings: red, green and blue from 0 to 1. */
export type Color = readonly [number, number, number];

export function mix(a: Color, b: Color, share: number): Color {
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

export const lighter = (color: Color, share: number): Color => mix(color, white, share);
export const darker = (color: Color, share: number): Color => mix(color, black, share);
