/** Ports of the web for tests that are not about it: one short page, and one picture. */
import type { ToolExtras } from "./toolFolder";
import { pngOf } from "./testImages";

async function* page(): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(Buffer.from("Run npm test."));
}

export const fixedPages: Required<Pick<ToolExtras, "web" | "pages">> = {
  web: { proxyOf: () => undefined, get: () => Promise.resolve({ status: 200, body: page() }) },
  pages: { capture: () => pngOf(8, 6) },
};
