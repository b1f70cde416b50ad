/** The downloads of results, whose code is loaded with the first one. */
import { once } from "../../base/async/serialQueue";
import type { ResultPorts, PersonsRequest, ResultDownloads } from "./resultDownloads";

export interface LazyResults {
  readonly save: (id: string, request?: PersonsRequest) => Promise<string>;
  readonly fetchUnasked: (id: string, limit: number) => Promise<string>;
  dispose(): void;
  close(): Promise<void>;
}

export function createLazyResults(ports: ResultPorts): LazyResults {
  let downloads: ResultDownloads | undefined;
  let isDisposed = false;
  const load = once(async (): Promise<ResultDownloads> => {
    const loaded = await import("./resultDownloads");
    downloads = new loaded.ResultDownloads(ports);
    if (isDisposed) downloads.dispose();
    return downloads;
  });
  return {
    save: async (id, request) => (await load()).get(id, request),
    fetchUnasked: async (id, limit) => (await load()).getUnasked(id, limit),
    dispose() {
      isDisposed = true;
      downloads?.dispose();
    },
    close: async () => downloads?.close(),
  };
}
