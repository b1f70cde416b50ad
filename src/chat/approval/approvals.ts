/**
 * The open approvals: each is requested once, decided once, and ends when the turn is stopped (A3). The id of an approval
 * is random and sent to the page only, so nothing else can decide it. Only the page can see whether the whole change was
 * on the screen before the decision: the host relies on the page for that.
 */
import { randomUUID } from "node:crypto";
import { abortReason } from "../../base/async/abort";
import { Emitter, type Event } from "../../base/event";
import type { RuleScope } from "../../domain/tools/grant";
import type { ProposedChange } from "../../domain/tools/tool";

export interface Decision {
  readonly allow: boolean;
  /** The scope of the rule that the person chose with the yes. Ignored where it was not offered. */
  readonly scope?: RuleScope;
  /** A note from the person to the model. */
  readonly note?: string;
}

/** The changes that are approved together, by the ids of their calls. */
type Changes = ReadonlyMap<string, ProposedChange | undefined>;

interface OpenApproval {
  readonly changes: Changes;
  readonly decide: (decision: Decision) => void;
}

export class Approvals {
  readonly #open = new Map<string, OpenApproval>();
  readonly #ended = new Emitter<string>();

  /** Fires with the id of an approval that was decided or stopped. */
  readonly onDidEnd: Event<string> = this.#ended.event;

  /** The decision rejects with the signal's reason when that aborts first. */
  request(changes: Changes, signal: AbortSignal): { readonly id: string; readonly decision: Promise<Decision> } {
    const id = randomUUID();
    const decision = new Promise<Decision>((resolve, reject) => {
      const close = (): void => {
        this.#open.delete(id);
        signal.removeEventListener("abort", onAbort);
        this.#ended.fire(id);
      };
      const onAbort = (): void => {
        close();
        reject(abortReason(signal));
      };
      this.#open.set(id, {
        changes,
        decide: (made) => {
          close();
          resolve(made);
        },
      });
      signal.addEventListener("abort", onAbort, { once: true });
      if (signal.aborted) onAbort();
    });
    return { id, decision };
  }

  /** False when no such approval is open: it was decided, stopped, or never requested. */
  decide(id: string, decision: Decision): boolean {
    const approval = this.#open.get(id);
    approval?.decide(decision);
    return approval !== undefined;
  }

  /** Decides each open approval with no, because the person sent a message instead. */
  declineAll(): void {
    for (const { decide } of [...this.#open.values()]) decide({ allow: false });
  }

  /** A change that waits for this approval, for the editor's diff. Of several it is the one of `call`. */
  changeOf(id: string, call?: string): ProposedChange | undefined {
    const changes = this.#open.get(id)?.changes;
    return call === undefined ? changes?.values().next().value : changes?.get(call);
  }

  has(id: string): boolean {
    return this.#open.has(id);
  }

  /** Whether the approval is about one change and nothing else. */
  hasOneChange(id: string): boolean {
    const changes = [...(this.#open.get(id)?.changes.values() ?? [])];
    return changes.length === 1 && changes[0] !== undefined;
  }

  get count(): number {
    return this.#open.size;
  }
}
