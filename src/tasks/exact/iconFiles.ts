/** Files that hold an icon in several sizes, each as a PNG: ICO (Windows and favicons) and ICNS (macOS). Pure. */

export interface IconSize {
  readonly side: number;
  readonly png: Uint8Array;
}

/** The sides in pixels of the pictures in a favicon or icon with that largest side. */
export function icoSides(largest: number): readonly number[] {
  return [16, 24, 32, 48, 64, 128, 256].filter((side) => side <= largest && (side !== 24 || largest > 48));
}

/** The header is 6 bytes, an entry 16; 0 stands for 256 pixels. Source: Microsoft, "The ICO file format". */
export function writeIco(icons: readonly IconSize[]): Uint8Array {
  const head = Buffer.alloc(6 + 16 * icons.length);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(icons.length, 4);
  let offset = head.length;
  for (const [index, { side, png }] of icons.entries()) {
    const at = 6 + 16 * index;
    head.writeUInt8(side % 256, at);
    head.writeUInt8(side % 256, at + 1);
    head.writeUInt16LE(1, at + 4);
    head.writeUInt16LE(32, at + 6);
    head.writeUInt32LE(png.length, at + 8);
    head.writeUInt32LE(offset, at + 12);
    offset += png.length;
  }
  return Buffer.concat([head, ...icons.map(({ png }) => png)]);
}

/** The types of PNG pictures by their side. Source: Apple's icns, as `iconutil` writes it. */
const icnsTypes = new Map([
  [128, "ic07"],
  [256, "ic08"],
  [512, "ic09"],
  [1024, "ic10"],
]);

export function icnsSides(largest: number): readonly number[] {
  return [...icnsTypes.keys()].filter((side) => side <= Math.max(128, largest));
}

export function writeIcns(icons: readonly IconSize[]): Uint8Array {
  const parts = icons.flatMap(({ side, png }) => {
    const type = icnsTypes.get(side);
    if (type === undefined) return [];
    const head = Buffer.from(`${type}....`, "latin1");
    head.writeUInt32BE(png.length + 8, 4);
    return [head, png];
  });
  const head = Buffer.from("icns....", "latin1");
  head.writeUInt32BE(
    parts.reduce((sum, { length }) => sum + length, 8),
    4,
  );
  return Buffer.concat([head, ...parts]);
}
