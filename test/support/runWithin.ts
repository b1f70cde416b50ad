/** Runs synchronous code that may hang, and ends it: a pattern that backtracks can be interrupted by V8 only. */
import { createContext, Script } from "node:vm";
import { startBusyTime } from "./busyTime";

const context = createContext({});
const script = new Script("run()");

/** Returns `false` where it was ended after that many milliseconds. If the machine let the process wait, it is run again with more of the clock. */
export function runWithin(milliseconds: number, run: () => void): boolean {
  for (let timeout = milliseconds; ; timeout *= 2) {
    const spent = startBusyTime();
    if (hasEnded(run, timeout)) return true;
    if (spent() > milliseconds * 0.9 || timeout > milliseconds * 20) return false;
  }
}

function hasEnded(run: () => void, timeout: number): boolean {
  Object.assign(context, { run });
  try {
    script.runInContext(context, { timeout });
    return true;
  } catch (error) {
    // The error comes from the context, which has classes of its own.
    const { code } = error as { readonly code?: unknown };
    if (code === "ERR_SCRIPT_EXECUTION_TIMEOUT") return false;
    throw error;
  }
}
