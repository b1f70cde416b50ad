/** A log for the whole extension that removes every key in use from its lines. */
import type { Log } from "../../domain/ports";
import { createScrub } from "./scrub";

/** Enough for a few gateways and replaced keys. */
const maxKeys = 16;

export interface KeylessLog {
  readonly log: Log;
  /** Also removes this key from later lines. */
  hide(key: string): void;
}

export function createKeylessLog(target: Log): KeylessLog {
  let keys: readonly string[] = [];
  /** The target, wrapped by one scrub for each key. */
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
      keys = [...keys, key].slice(-maxKeys);
      inner = keys.reduce((log, each) => createScrub(each).log(log), target);
    },
  };
}
