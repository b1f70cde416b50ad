/** State of a whole test process: each test file is a bundle with its own copy of every module. */
export function processWide<T extends object>(name: string, create: () => T): T {
  const all = globalThis as Record<symbol, T | undefined>;
  return (all[Symbol.for(`sluice.${name}`)] ??= create());
}
