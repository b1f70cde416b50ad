/** Smooth chance over one and two dimensions: the same place and seed give the same value, from 0 to 1. */
import { mix } from "./seeded";

function lattice(x: number, y: number, seed: number): number {
  return mix(Math.imul(x, 0x27d4eb2d) ^ Math.imul(y, 0x165667b1) ^ seed) / 0x1_0000_0000;
}

export function noise(x: number, y: number, seed: number): number {
  const left = Math.floor(x);
  const top = Math.floor(y);
  const across = fade(x - left);
  const down = fade(y - top);
  const above = lerp(lattice(left, top, seed), lattice(left + 1, top, seed), across);
  const below = lerp(lattice(left, top + 1, seed), lattice(left + 1, top + 1, seed), across);
  return lerp(above, below, down);
}

/** Several noises of rising fineness and falling weight. */
export function fractal(x: number, y: number, seed: number, octaves: number): number {
  let sum = 0;
  let weight = 0.5;
  let total = 0;
  let scale = 1;
  for (let octave = 0; octave < octaves; octave += 1) {
    sum += weight * noise(x * scale, y * scale, seed + octave * 101);
    total += weight;
    weight /= 2;
    scale *= 2.03;
  }
  return sum / total;
}

const fade = (part: number): number => part * part * part * (part * (part * 6 - 15) + 10);
const lerp = (a: number, b: number, part: number): number => a + (b - a) * part;
