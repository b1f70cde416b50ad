// Loaded into vsce by package.mjs: its zip library packs with zlib's default level and has no option for another. The highest one makes the package
// about 1 KB smaller.
import zlib from "node:zlib";

zlib.DeflateRaw = class extends zlib.DeflateRaw {
  /** @param {zlib.ZlibOptions} [options] */
  constructor(options) {
    super({ ...options, level: 9 });
  }
};
