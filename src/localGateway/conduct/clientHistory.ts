/** What the conduct rules compare a request with: earlier reads, creates, pauses and refused keys. Bounded; what was dropped counts as new. */
import { BoundedMap } from "../../base/boundedMap";

/** A request that created a task, or tried to. */
export interface SeenCreate {
  readonly idempotencyKey: string | undefined;
  /** The client received a response that decides the outcome. */
  isOutcomeKnown: boolean;
  /** No response has been sent yet. */
  isPending: boolean;
}

const maxTasks = 10_000;
const maxRoutes = 1_000;
const maxKeys = 16;

export class ClientHistory {
  /** Time of the last read by task id. */
  readonly lastRead = new BoundedMap<string, number>(maxTasks);
  /** Number of reads since the client received the end, by task id. */
  readonly readsAfterEnd = new BoundedMap<string, number>(maxTasks);
  /** End of a Retry-After by key and route. */
  readonly pausedUntil = new BoundedMap<string, number>(maxRoutes);
  /** By the hash of the body without its idempotency key. */
  readonly creates = new BoundedMap<string, SeenCreate>(maxTasks);
  /** By `keyMark`. */
  readonly refusedKeys = new BoundedMap<string, true>(maxKeys);
}
