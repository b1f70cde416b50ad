/** A log for the whole extension: whatever writes to it, no key that was used for a connection gets into a line. */
import type { Log } from "../../domain/ports";
import { createScrub } from "./scrub";

/** Keys at once; a person has a few gateways and replaces a key now and then. */
const mostKeys = 16;

export interface KeylessLog {
  readonly log: Log;
  /** From now on this key is taken out too. */
  hide(key: string): void;
}

export function createKeylessLog(target: Log): KeylessLog {
  let keys: readonly string[] = [];
  /** The target behind one scrub for each key. */
  let inner = target;
  return {
    log: {
      debug: (message, facts) => inner.debug(message, facts),
      info: (message, facts) => inner.info(message, facts),
      warn: (message, facts) => inner.warn(message, facts),
      error: (message, facts) => inner.error(message, facts),
    },
    hide(key) {
      if (keys.includes(key)) return;
      keys = [...keys, key].slice(-mostKeys);
      inner = keys.reduce((log, each) => createScrub(each).log(log), target);
    },
  };
}
