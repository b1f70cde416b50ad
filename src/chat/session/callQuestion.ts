/** Asks a person about calls of one answer, all at once, unless a rule covers them or a sandbox holds them. */
import { definedFields } from "../../base/definedFields";
import { abortable } from "../../base/async/abort";
import { type AskingCall, ToolRefusal } from "../../domain/tools/tool";
import { type Allowed, type Chat, partId, type WaitingCall } from "../../domain/chat/chat";
import type { Approvals } from "../approval/approvals";
import type { OpenCall } from "./openCall";
import type { Guard, Judgement } from "../approval/guard";
import { readUntrusted } from "./untrusted";

/** One step of a call that asks, and the guard's judgement on it. */
export interface JudgedCall {
  readonly call: OpenCall;
  readonly step: AskingCall;
  readonly judgement: Judgement;
}

function shownOf({ change, changes }: AskingCall): Pick<WaitingCall, "change" | "changes"> {
  const parts = changes?.map((part) => ({ action: part.action, ...definedFields({ change: part.change?.preview }) }));
  return definedFields({ change: change?.preview, changes: parts });
}

/** What came before the step that was refused has a result. */
async function endRefused(call: OpenCall, step: AskingCall, note: string | undefined): Promise<void> {
  if (step.leave === undefined) {
    call.deny(note);
    return;
  }
  if (step.whole) call.did(step.whole);
  const said = note === undefined || note === "" ? "" : `\nThe person says: ${note}`;
  await step.leave().then(
    (result) => call.finish(`${result}${said}`),
    (error: unknown) => call.fail(new ToolRefusal(`${error instanceof Error ? error.message : String(error)}${said}`)),
  );
}

export interface QuestionPorts {
  readonly approvals: Approvals;
  readonly guard: Guard;
  readonly chat: () => Chat;
}

export class CallQuestion {
  readonly #ports: QuestionPorts;
  readonly #signal: AbortSignal;

  constructor(ports: QuestionPorts, signal: AbortSignal) {
    this.#ports = ports;
    this.#signal = signal;
  }

  async judge(call: OpenCall, step: AskingCall): Promise<JudgedCall> {
    const { guard, chat } = this.#ports;
    if (step.isConfined) return { call, step, judgement: { reasons: step.reasons, offers: [] } };
    const judged = guard.judge(step, chat(), readUntrusted(chat()));
    return { call, step, judgement: await abortable(judged, this.#signal) };
  }

  /** How they were allowed; `undefined` when a person did not, and then the calls have ended. Rejects with an abort only. */
  async ask(group: readonly JudgedCall[]): Promise<Allowed | undefined> {
    const { approvals, guard, chat } = this.#ports;
    const [first] = group;
    if (!first) return undefined;
    if (first.step.isConfined) return "sandbox";
    const { rules, offers } = first.judgement;
    if (rules && (await this.#use(first))) return rules[0].scope;
    const changes = new Map(
      group.flatMap(({ call, step }) => [
        [call.id, step.change] as const,
        ...(step.changes ?? []).map(({ change }, at) => [partId(call.id, at), change] as const),
      ]),
    );
    const { id, decision } = approvals.request(changes, this.#signal);
    // A longer yes must not cover a file that was only in the company of others.
    const offered = group.every(({ judgement }) => judgement.offers.length > 0) ? offers : [];
    for (const { call, step, judgement } of group) {
      const { reasons, after, onceAfter, changed, profileEnded } = judgement;
      const longer = offered.length > 0 ? offered : undefined;
      const approval = { id, reasons, ...definedFields({ after, onceAfter, changed, profileEnded, offers: longer }) };
      call.wait(step.action, { approval, ...shownOf(step) });
    }
    const { allow, note, scope } = await decision;
    if (!allow) {
      for (const { call, step } of group) await endRefused(call, step, note);
      return undefined;
    }
    // Else the card of the others would be there again while the first one runs.
    for (const { call } of group.slice(1)) call.waitForOthers();
    for (const { judgement } of group)
      if (judgement.changed) await abortable(guard.noteSeen(judgement.changed), this.#signal);
    const chosen = offered.find((offer) => offer.scope === scope);
    if (chosen) await abortable(guard.grant(chosen, chat()), this.#signal);
    return "call";
  }

  /** Counts the use. A rule that was revoked meanwhile, or whose file can't be written, covers nothing. */
  async #use({ step, judgement: { rules } }: JudgedCall): Promise<boolean> {
    const { guard, chat } = this.#ports;
    if (!rules) return false;
    return abortable(guard.use(rules, step, chat()), this.#signal).catch((error: unknown) => {
      if (this.#signal.aborted) throw error;
      return false;
    });
  }
}
