/** The addresses of a finished task, and which of them is the result. */
import { type MediaKind, mediaKinds } from "./mediaKinds";
import type { ResultAssets } from "./taskSchema";

type ReadableAssets = Extract<ResultAssets, { kind: "assets" }>;

/** The kind of the result that the service named; `undefined` where it named a thumbnail only, or nothing. */
export function assetKindOf(assets: ResultAssets | undefined): MediaKind | undefined {
  if (assets?.kind !== "assets") return undefined;
  return mediaKinds.find((kind) => assets[`${kind}Url`] !== undefined);
}

export function resultUrlOf(assets: ReadableAssets): string | undefined {
  const kind = assetKindOf(assets);
  return kind === undefined ? assets.thumbnailUrl : assets[`${kind}Url`];
}
