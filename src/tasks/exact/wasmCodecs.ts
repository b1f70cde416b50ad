/**
 * PNG, JPEG and WebP by the codecs of Squoosh, in WebAssembly: what a gateway sent is decoded in its sandbox. For the thread that makes exact files.
 */
import decodeJpeg, { init as initJpegDecoder } from "@jsquash/jpeg/decode.js";
import encodeJpeg, { init as initJpegEncoder } from "@jsquash/jpeg/encode.js";
import jpegDecoder from "@jsquash/jpeg/codec/dec/mozjpeg_dec.wasm";
import jpegEncoder from "@jsquash/jpeg/codec/enc/mozjpeg_enc.wasm";
import decodePng, { init as initPng } from "@jsquash/png/decode.js";
import encodePng, { init as initPngEncoder } from "@jsquash/png/encode.js";
import * as pngFile from "@jsquash/png/codec/pkg/squoosh_png_bg.wasm";
import decodeWebp, { init as initWebpDecoder } from "@jsquash/webp/decode.js";
import webpDecoder from "@jsquash/webp/codec/dec/webp_dec.wasm";
import createWebpEncoder from "@jsquash/webp/codec/enc/webp_enc.js";
import webpEncoder from "@jsquash/webp/codec/enc/webp_enc.wasm";
import { defaultOptions as webpOptions } from "@jsquash/webp/meta.js";
import { initEmscriptenModule } from "@jsquash/webp/utils.js";
import { once } from "../../base/async/serialQueue";
import type { Codecs, CodedType } from "./makeExact";
import type { Pixels } from "./pixels";

/** Node's types do not declare WebAssembly, and the types of the packages expect that of browsers. */
const { WebAssembly: wasm } = globalThis as unknown as {
  readonly WebAssembly: { readonly Module: new (bytes: Uint8Array) => object };
};
const compiled = (bytes: Uint8Array): never => new wasm.Module(bytes) as never;
/** The types of the package describe what the file holds, but the build replaces it by its bytes. */
const { default: pngCodec } = pngFile as unknown as { readonly default: Uint8Array };

const starts: Readonly<Record<`${"decode" | "encode"} ${CodedType}`, () => Promise<unknown>>> = {
  "decode image/png": once(() => initPng(compiled(pngCodec))),
  "encode image/png": once(() => initPngEncoder(compiled(pngCodec))),
  "decode image/jpeg": once(() => initJpegDecoder(compiled(jpegDecoder))),
  "encode image/jpeg": once(() => initJpegEncoder(compiled(jpegEncoder))),
  "decode image/webp": once(() => initWebpDecoder(compiled(webpDecoder))),
  "encode image/webp": once(() => Promise.resolve()),
};
interface WebpEncoder {
  encode(data: Uint8ClampedArray, width: number, height: number, options: object): Uint8Array | null;
}

/** The package's own start looks for another build, which it would load by its address, so it is not used. */
const startWebpEncoder = once(() => initEmscriptenModule(createWebpEncoder, compiled(webpEncoder)));

/** The codecs create an `ImageData`, a class that Node does not have. */
class PlainImageData {
  readonly data: Uint8ClampedArray;
  readonly width: number;
  readonly height: number;

  constructor(data: Uint8ClampedArray, width: number, height?: number) {
    this.data = data;
    this.width = width;
    this.height = height ?? data.length / 4 / width;
  }
}

export function createWasmCodecs(): Codecs {
  Object.assign(globalThis, { ImageData: PlainImageData });
  return {
    async decode(bytes, type): Promise<Pixels> {
      await starts[`decode ${type}`]();
      const buffer = new Uint8Array(bytes).buffer;
      // The decoders return the `ImageData` of browsers.
      const decoders: Readonly<Record<CodedType, (of: ArrayBuffer) => Promise<unknown>>> = {
        "image/png": decodePng,
        "image/jpeg": decodeJpeg,
        "image/webp": decodeWebp,
      };
      return (await decoders[type](buffer)) as Pixels;
    },
    async encode(pixels, type): Promise<Uint8Array> {
      await starts[`encode ${type}`]();
      const picture = pixels as never;
      switch (type) {
        case "image/png":
          return new Uint8Array(await encodePng(picture));
        case "image/jpeg":
          return new Uint8Array(await encodeJpeg(picture, { quality: 88 }));
        case "image/webp": {
          const { data, width, height } = pixels;
          const encoder = (await startWebpEncoder()) as unknown as WebpEncoder;
          const encoded = encoder.encode(data, width, height, { ...webpOptions, quality: 85 });
          if (encoded === null) throw new Error("The picture could not be written as WebP.");
          return Uint8Array.from(encoded);
        }
      }
    },
  };
}
