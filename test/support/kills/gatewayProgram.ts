/** The local gateway as a process of its own, for runs that kill it. */
import { join } from "node:path";
import { startFaultyGateway } from "../../faults/faultyGateway";
import { createFastClock } from "../fastClock";
import type { FromProgram, ProgramOptions } from "./protocol";

const say = (message: FromProgram): void => void process.send?.(message);
const { folder, epoch, factor, port = 0, faults = [] } = JSON.parse(process.argv[2] ?? "{}") as ProgramOptions;

startFaultyGateway(
  {
    stateDir: join(folder, "gateway"),
    port,
    clock: createFastClock(epoch, factor),
    tokensPerSecond: Infinity,
    firstTokenMs: 0,
    // A run takes a few seconds, in which tasks have to end.
    speed: 4,
  },
  faults,
).then(
  ({ url, key }) => say({ type: "listening", url, key, port: Number(new URL(url).port) }),
  (failure: unknown) => say({ type: "failed", message: String(failure) }),
);
