/** A small picture, and bodies that bring it whole, in part or not at all. */
import { AppFailure } from "../../src/domain/errors/appError";

export const picture = Buffer.from("\x89PNG\r\n\x1a\n and then the rest of the picture", "latin1");

export async function* piece(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(bytes);
}

/** Breaks after these bytes, as a connection does. */
export async function* cutAfter(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(bytes);
  throw new AppFailure({ kind: "unreachable", message: "The connection was closed." });
}

export async function* bytes(): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(picture);
}

/** The first bytes, and the others once `rest` resolves. */
export async function* bytesAround(rest: Promise<unknown>): AsyncGenerator<Uint8Array> {
  yield picture.subarray(0, 10);
  await rest;
  yield picture.subarray(10);
}
