// The packages that benches compare with. `bench/peers` pins them, apart from the dependencies of the product; they are installed on first use.
import path from "node:path";
import { ensurePackages } from "../scripts/setup.mjs";

/** Resolves with a folder whose `node_modules` has all of them. */
export const ensurePeers = () =>
  ensurePackages(path.join(import.meta.dirname, "peers"), "what the benches compare with (bench/peers, about 135 MB)");
