/** Collects all garbage at once, so that a test can measure what is still held. Node offers it only behind a flag. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose_gc");
export const collectGarbage = runInNewContext("gc") as () => void;
