/** The addresses of a finished task, and which of them is the result. */
import { type MediaKind, mediaKinds } from "./mediaKinds";
import type { ResultAssets } from "./taskSchema";
import { mediaOf } from "./taskTypes";

type ReadableAssets = Extract<ResultAssets, { kind: "assets" }>;

/** The kind of the result that the service named; `undefined` where it named a thumbnail only, or nothing. */
export function assetKindOf(assets: ResultAssets | undefined): MediaKind | undefined {
  if (assets?.kind !== "assets") return undefined;
  return mediaKinds.find((kind) => assets[`${kind}Url`] !== undefined);
}

/** That of the kind which tasks of `type` make; where there is none, of any kind, so that nothing that was paid for is given up. */
export function resultUrlOf(assets: ReadableAssets, type: string): string | undefined {
  const own = mediaOf(type);
  const kind = own !== undefined && assets[`${own}Url`] !== undefined ? own : assetKindOf(assets);
  return kind === undefined ? assets.thumbnailUrl : assets[`${kind}Url`];
}
