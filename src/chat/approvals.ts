/**
 * The open approvals: each is requested once, decided once, and ends when the turn is stopped (A3). The id of an approval
 * is random and sent to the page only, so nothing else can decide it. Only the page can see whether the whole change was
 * on the screen before the decision: the host relies on the page for that.
 */
import { randomUUID } from "node:crypto";
import { abortReason } from "../base/abort";
import type { AskingCall, ProposedChange } from "../domain/tool";
import type { WaitingCall } from "../domain/transcript";

export interface Decision {
  readonly allow: boolean;
  /** From the person to the model. */
  readonly note?: string;
}

interface OpenApproval {
  readonly call: AskingCall;
  readonly decide: (decision: Decision) => void;
}

export class Approvals {
  readonly #open = new Map<string, OpenApproval>();

  /** The decision rejects with the signal's reason when that aborts first. */
  request(
    call: AskingCall,
    signal: AbortSignal,
  ): { readonly approval: WaitingCall["approval"]; readonly decision: Promise<Decision> } {
    const id = randomUUID();
    const decision = new Promise<Decision>((resolve, reject) => {
      const close = (): void => {
        this.#open.delete(id);
        signal.removeEventListener("abort", onAbort);
      };
      const onAbort = (): void => {
        close();
        reject(abortReason(signal));
      };
      this.#open.set(id, {
        call,
        decide: (made) => {
          close();
          resolve(made);
        },
      });
      signal.addEventListener("abort", onAbort, { once: true });
      if (signal.aborted) onAbort();
    });
    return { approval: { id, reasons: call.reasons }, decision };
  }

  /** False when no such approval is open: it was decided, stopped, or never requested. */
  decide(id: string, decision: Decision): boolean {
    const approval = this.#open.get(id);
    approval?.decide(decision);
    return approval !== undefined;
  }

  /** The change of the call that waits for this approval, for the editor's diff. */
  changeOf(id: string): ProposedChange | undefined {
    return this.#open.get(id)?.call.change;
  }

  get count(): number {
    return this.#open.size;
  }
}
