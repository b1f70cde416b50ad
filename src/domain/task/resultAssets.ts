/** The addresses of a finished task, and which of them is the result. */
import { assetUrlOf } from "../gateway/assetUrl";
import { type MediaKind, mediaKinds, mediaOf } from "./taskTypes";
import type { RemoteTask, ResultAssets, TaskHome } from "./taskSchema";

type ReadableAssets = Extract<ResultAssets, { kind: "assets" }>;

/** The kind of the result that the service named; `undefined` where it named a thumbnail only, or nothing. */
export function assetKindOf(assets: ResultAssets | undefined): MediaKind | undefined {
  if (assets?.kind !== "assets") return undefined;
  return mediaKinds.find((kind) => assets[`${kind}Url`] !== undefined);
}

/** The address of the kind that tasks of `type` make, or where there is none of any kind, so that nothing that was paid for is given up. */
export function resultUrlOf(assets: ReadableAssets, type: string): string | undefined {
  const own = mediaOf(type);
  const kind = own !== undefined && assets[`${own}Url`] !== undefined ? own : assetKindOf(assets);
  return kind === undefined ? assets.thumbnailUrl : assets[`${kind}Url`];
}

/** Matches web addresses in a text that can't be read otherwise. */
const addressInText = /https?:\/\/[^\s"'\\<>{}|^`,;)\]]{1,8000}/gi;
const maxAddresses = 20;

/**
 * The full web addresses at which the results of a task can be had, that of its file first. A result that can't be read was paid for too, so its
 * addresses are looked for in what the gateway wrote.
 */
export function resultAddresses({ assets, more = [] }: RemoteTask, type: string, home: TaskHome): readonly string[] {
  const main = assets?.kind === "assets" ? [resultUrlOf(assets, type) ?? ""] : [];
  const inText = assets?.kind === "unreadable" ? (assets.raw.replaceAll("\\/", "/").match(addressInText) ?? []) : [];
  const base = URL.canParse(home.baseUrl) ? new URL(home.baseUrl) : undefined;
  const full = [...main, ...more, ...inText].flatMap((text) => {
    const url = base && !/^data:/i.test(text) ? assetUrlOf(text, base) : undefined;
    return url !== undefined && /^https?:$/.test(url.protocol) ? [url.href] : [];
  });
  return [...new Set(full)].slice(0, maxAddresses);
}
