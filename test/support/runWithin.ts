/** Runs synchronous code that may hang, and ends it: a pattern that backtracks can be interrupted by V8 only. */
import { createContext, Script } from "node:vm";

const context = createContext({});
const script = new Script("run()");

/** Milliseconds of the clock. `false`: it was ended. */
export function runWithin(milliseconds: number, run: () => void): boolean {
  Object.assign(context, { run });
  try {
    script.runInContext(context, { timeout: milliseconds });
    return true;
  } catch (error) {
    // The error is one of the context, whose classes are others.
    const { code } = error as { readonly code?: unknown };
    if (code === "ERR_SCRIPT_EXECUTION_TIMEOUT") return false;
    throw error;
  }
}
