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

export function applyProjected<Snapshot, E>(
  projection: Projection<Snapshot>,
  message: ProjectedMessage<Snapshot, E>,
  reduce: (snapshot: Snapshot, event: E) => Snapshot,
): ProjectionChange<Snapshot> {
  if (message.type === "snapshot") {
    const { revision, snapshot } = message;
    return { projection: { type: "known", revision, snapshot }, lost: false };
  }
  if (projection.type !== "known") return { projection, lost: false };
  const behind = { projection: { ...projection, type: "behind" }, lost: true } as const;
  if (message.after > projection.revision) return behind;
  const revision = message.after + message.events.length;
  if (revision <= projection.revision) return { projection, lost: false };
  try {
    let { snapshot } = projection;
    for (const event of message.events.slice(projection.revision - message.after)) {
      snapshot = reduce(snapshot, event);
    }
    return { projection: { type: "known", revision, snapshot }, lost: false };
  } catch {
    return behind;
  }
}
