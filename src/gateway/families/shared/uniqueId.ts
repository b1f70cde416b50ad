/** Ids and names that must differ within one request. */

/** Returns `wanted`, or with a number at its end if that is in use, and adds it to `used`. `longest`: characters. */
export function uniqueId(wanted: string, used: Set<string>, longest = Infinity): string {
  let id = wanted;
  for (let next = 2; used.has(id); next++) id = `${wanted.slice(0, longest - 4)}_${next}`;
  used.add(id);
  return id;
}
