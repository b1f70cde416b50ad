/** A page's copy of what the host projects: revisions in order, gaps noticed. Pure: a message in, the next copy out. */
import type { ProjectedMessage } from "./projector";

export type Projection<Snapshot> =
  | { readonly type: "empty" }
  | { readonly type: "known"; readonly revision: number; readonly snapshot: Snapshot }
  /** Revisions were missed: the old copy is shown until the next snapshot comes. */
  | { readonly type: "behind"; readonly revision: number; readonly snapshot: Snapshot };

export interface ProjectionChange<Snapshot> {
  readonly projection: Projection<Snapshot>;
  /** A snapshot must be requested; true once for each gap. */
  readonly lost: boolean;
}

/** What the host posted, as far as the page could read it. */
export type ReadProjected<Snapshot, E> =
  /** `undefined` stands for an event of a kind that the page does not know: it counts, and changes nothing. */
  | ProjectedMessage<Snapshot, E | undefined>
  /** An event of a known kind that can't be read: the copy may be wrong from here on. */
  | { readonly type: "unreadable" };

export function applyProjected<Snapshot, E>(
  projection: Projection<Snapshot>,
  message: ReadProjected<Snapshot, E>,
  reduce: (snapshot: Snapshot, event: E) => Snapshot,
): ProjectionChange<Snapshot> {
  if (message.type === "snapshot") {
    const { revision, snapshot } = message;
    return { projection: { type: "known", revision, snapshot }, lost: false };
  }
  if (projection.type !== "known") return { projection, lost: false };
  const behind = { projection: { ...projection, type: "behind" }, lost: true } as const;
  if (message.type === "unreadable" || message.after > projection.revision) return behind;
  const revision = message.after + message.events.length;
  if (revision <= projection.revision) return { projection, lost: false };
  try {
    let { snapshot } = projection;
    for (const event of message.events.slice(projection.revision - message.after)) {
      if (event !== undefined) snapshot = reduce(snapshot, event);
    }
    return { projection: { type: "known", revision, snapshot }, lost: false };
  } catch {
    return behind;
  }
}
