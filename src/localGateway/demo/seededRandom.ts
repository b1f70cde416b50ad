/** Seeded random numbers: the same seed gives the same numbers in every process. */

export interface SeededRandom {
  /** A number from 0 to below 1. */
  next(): number;
  between(min: number, max: number): number;
  /** An integer; both bounds are included. */
  integer(min: number, max: number): number;
  pick<T>(list: readonly [T, ...T[]]): T;
}

/** 32-bit FNV-1a with a final mix, so that similar texts have different hashes. */
export function hashText(...parts: readonly (string | number)[]): number {
  let hash = 0x811c9dc5;
  for (const part of parts) {
    const text = `${part}\u0000`;
    for (let index = 0; index < text.length; index += 1) {
      hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
    }
  }
  return mixBits(hash);
}

/** Mixes the bits of an integer (the finalizer of MurmurHash3). */
export function mixBits(value: number): number {
  let bits = value | 0;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}

export function createRandom(seed: number): SeededRandom {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x9e3779b9) >>> 0;
    return mixBits(state) / 0x1_0000_0000;
  };
  return {
    next,
    between: (min, max) => min + next() * (max - min),
    integer: (min, max) => min + Math.floor(next() * (max - min + 1)),
    pick: (list) => list[Math.floor(next() * list.length)] ?? list[0],
  };
}
