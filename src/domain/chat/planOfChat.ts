/** The plan in a chat: calls of the model set it, the next prompt carries it once the person has changed it, and each branch has its own. Pure. */
import { definedFields } from "../../base/definedFields";
import { editPlan, type Plan, type PlanEdit, type PlanPlace, type PlanStep } from "./plan";
import { followSteps, planDocumentCap, stepsOfDocument } from "./planDocument";
import {
  type AnswerEntry,
  type Chat,
  type Entry,
  type SessionEvent,
  type ToolCallBlock,
  toolCalls,
  type ToolProgress,
  turnStart,
  type UserEntry,
} from "./chat";

type PlanEvent = Extract<SessionEvent, { readonly type: `plan-${string}` }>;

export function reducePlan(chat: Chat, event: PlanEvent): Chat {
  switch (event.type) {
    case "plan-edited":
      return editSteps(chat, event.edit);
    case "plan-written":
      return writeDocument(chat, event);
    case "plan-told":
      return toldPlan(chat);
  }
}

/** A plan that is removed leaves its document as it is. */
function editSteps(chat: Chat, edit: PlanEdit): Chat {
  const { plan: before } = chat;
  if (before === undefined) return chat;
  const plan = editPlan(before, edit);
  if (edit.do !== "clear") return followPlan({ ...chat, plan }, before);
  const { document: _left, ...steps } = plan;
  return { ...chat, plan: steps };
}

/** Takes over the plan that a finished call has set. `answer` is the id of the answer with the call. */
export function withPlanOf(chat: Chat, answer: string, progress: ToolProgress): Chat {
  const given = planOfCall(answer, progress);
  if (given === undefined) return chat;
  const { plan: former } = chat;
  const isSame = given.document !== undefined && isSamePlace(former?.document, given.document);
  const plan = {
    ...given,
    ...definedFields({ untrusted: given.untrusted ?? (isSame ? former?.untrusted : undefined) }),
  };
  const ids = new Set(plan.steps.map(({ id }) => id));
  // A step that the person has added while the call ran is in no step of the model, but stays in the document.
  const before = former && { ...former, steps: former.steps.filter(({ id }) => ids.has(id)) };
  return followPlan({ ...chat, plan }, before);
}

/** After a change of branches. The document is the same on both, so its plan changes the states of its steps only. */
export function withBranchedPlan(chat: Chat, before: Plan | undefined): Chat {
  const { plan } = chat;
  if (plan?.document === undefined || !isSamePlace(before?.document, plan.document)) return chat;
  const states = new Map(plan.steps.map(({ id, state }) => [id, state]));
  const steps = before?.steps.map((step) => ({ ...step, state: states.get(step.id) ?? ("pending" as const) })) ?? [];
  return followPlan({ ...chat, plan: { ...plan, steps } }, before);
}

/** Writes the changes from the plan `before` to that of the chat into its document. */
function followPlan(chat: Chat, before: Plan | undefined): Chat {
  const { plan } = chat;
  const { document } = plan ?? {};
  if (plan === undefined || document === undefined || !isSamePlace(before?.document, document)) return chat;
  return withDocument(chat, document, ({ text, ...told }) => {
    const now = followSteps(text, before?.steps ?? [], plan.steps);
    if (now === text || now.length > planDocumentCap) return undefined;
    return { ...told, text: now, ...definedFields({ untrusted: told.untrusted ?? plan.untrusted }) };
  });
}

/** The steps of the plan if it is that of this document. */
export function stepsOfPlace({ plan }: Pick<Chat, "plan">, place: PlanPlace): readonly PlanStep[] | undefined {
  return isSamePlace(plan?.document, place) ? plan?.steps : undefined;
}

function isSamePlace(one: PlanPlace | undefined, other: PlanPlace): boolean {
  return one?.answer === other.answer && one.call === other.call;
}

/** Adds the plan to the prompt if the person has changed it since the model got it. */
export function withToldPlan(chat: Chat, prompt: string): Chat {
  const { plan } = chat;
  if (plan?.isEdited !== true) return chat;
  return toldPlan(withPrompt(chat, prompt, { plan: plan.steps }, plan.untrusted));
}

/** Adds the document of the last presented plan to the prompt if the person has edited it since the model got it. */
export function withToldDocument(chat: Chat, prompt: string): Chat {
  const at = chat.entries.findLastIndex((entry) => entry.type === "answer" && presentedIn(entry) !== undefined);
  const answer = chat.entries[at];
  const call = answer?.type === "answer" ? presentedIn(answer) : undefined;
  if (answer?.type !== "answer" || call?.document === undefined || call.document.isTold) return chat;
  const { document } = call;
  const told: ToolCallBlock = { ...call, document: { ...document, isTold: true } };
  const blocks = answer.blocks.map((block) => (block === call ? told : block));
  const title = planDocumentOf(call)?.title ?? "";
  const untrusted = sourceOf(answer, call);
  const entries = chat.entries.with(at, { ...answer, blocks });
  // The document has the steps of its plan, so the prompt does not get them twice.
  const rest = stepsOfPlace(chat, { answer: answer.id, call: call.call }) === undefined ? chat : toldPlan(chat);
  return withPrompt({ ...rest, entries }, prompt, { document: { title, text: document.text } }, untrusted);
}

function presentedIn(answer: AnswerEntry): ToolCallBlock | undefined {
  return toolCalls(answer).findLast((block) => planDocumentOf(block) !== undefined);
}

/** The plan that the last turn has presented and that nothing has followed: it waits to be started. `undefined` while a turn runs. */
export function waitingPlan({ entries, running }: Pick<Chat, "entries" | "running">): ToolCallBlock | undefined {
  const turn = running ? [] : entries.slice(turnStart(entries));
  return turn.flatMap((entry) => (entry.type === "answer" ? (presentedIn(entry) ?? []) : [])).at(-1);
}

/** The document of the plan that a call has presented, as the person has left it; `undefined` for another call. */
export function planDocumentOf({
  progress,
  document,
}: Pick<ToolCallBlock, "progress" | "document">): { readonly title: string; readonly text: string } | undefined {
  if (progress.state !== "done" || progress.action.type !== "present-plan") return undefined;
  const { title, text } = progress.action;
  return { title, text: document?.text ?? text };
}

/** `untrusted` is the source of foreign text that the model had read when it wrote the document. */
export interface PlanText {
  readonly title: string;
  readonly text: string;
  readonly untrusted?: string;
}

/** Finds the document on the other branch too, because it may be open in an editor. `undefined` for an unknown call. */
export function findPlanDocument(
  { entries, otherBranch }: Chat,
  { answer: id, call }: PlanPlace,
): PlanText | undefined {
  const answer = [...entries, ...(otherBranch?.entries ?? [])].find((entry) => entry.id === id);
  const block = answer?.type === "answer" ? toolCalls(answer).find((one) => one.call === call) : undefined;
  const document = block && planDocumentOf(block);
  if (answer?.type !== "answer" || block === undefined || document === undefined) return undefined;
  return { ...document, ...definedFields({ untrusted: sourceOf(answer, block) }) };
}

function sourceOf(answer: AnswerEntry, { progress, document }: ToolCallBlock): string | undefined {
  return answer.untrusted ?? document?.untrusted ?? ("untrusted" in progress ? progress.untrusted : undefined);
}

type StoredDocument = NonNullable<ToolCallBlock["document"]>;

/** Stores the person's edit of the document, on whichever branch its call is, and takes over its steps if it is the plan, or is started now. */
function writeDocument(chat: Chat, { id, call, text, isSent }: WrittenDocument): Chat {
  const place = { answer: id, call };
  const written = withDocument(chat, place, ({ isTold: _before, ...document }) => ({
    ...document,
    text,
    ...definedFields({ isTold: isSent, isStarted: isSent ?? document.isStarted }),
  }));
  const plan = isSent === true ? startedPlan(written, place, text) : rereadPlan(chat.plan, place, text);
  return plan === undefined ? written : { ...written, plan };
}

/** Changes the document of that call on whichever branch it is; `undefined` leaves it as it is. */
function withDocument(
  chat: Chat,
  { answer, call }: PlanPlace,
  change: (document: StoredDocument) => StoredDocument | undefined,
): Chat {
  const changed = (entries: readonly Entry[]): readonly Entry[] =>
    entries.map((entry) => {
      if (entry.type !== "answer" || entry.id !== answer) return entry;
      const blocks = entry.blocks.map((block) => {
        if (block.type !== "tool-call" || block.call !== call) return block;
        const text = planDocumentOf(block)?.text ?? "";
        const document = change(block.document ?? { text });
        return document === undefined ? block : { ...block, document };
      });
      return { ...entry, blocks };
    });
  const { otherBranch } = chat;
  const other = otherBranch && { ...otherBranch, entries: changed(otherBranch.entries) };
  return { ...chat, entries: changed(chat.entries), ...definedFields({ otherBranch: other }) };
}

/** The steps of a document that the person starts become the plan of the chat. `undefined` for a document without steps. */
function startedPlan(chat: Chat, place: PlanPlace, text: string): Plan | undefined {
  const steps = stepsOfDocument(text, stepsOfPlace(chat, place) ?? [], place);
  if (steps.length === 0) return undefined;
  const untrusted = findPlanDocument(chat, place)?.untrusted;
  return { steps, answer: place.answer, document: place, ...definedFields({ untrusted }) };
}

/** The plan after the person has edited its document. `undefined` where its steps are the same, or the plan has another document. */
function rereadPlan(plan: Plan | undefined, place: PlanPlace, text: string): Plan | undefined {
  if (plan === undefined || !isSamePlace(plan.document, place)) return undefined;
  const steps = stepsOfDocument(text, plan.steps, place);
  const isSame =
    steps.length === plan.steps.length &&
    steps.every(({ id, text: words, state }, at) => {
      const before = plan.steps[at];
      return before?.id === id && before.text === words && before.state === state;
    });
  return isSame ? undefined : { ...plan, steps, isEdited: true };
}

type WrittenDocument = Extract<PlanEvent, { readonly type: "plan-written" }>;

/** The model's plan may repeat foreign text that it had read, so the prompt that quotes the plan is marked as untrusted too. */
function withPrompt(
  chat: Chat,
  id: string,
  told: Pick<UserEntry, "plan" | "document">,
  source: string | undefined,
): Chat {
  const entries = chat.entries.map((entry) =>
    entry.type === "user" && entry.id === id
      ? { ...entry, ...told, ...definedFields({ untrusted: entry.untrusted ?? source }) }
      : entry,
  );
  return { ...chat, entries };
}

function toldPlan(chat: Chat): Chat {
  if (chat.plan === undefined) return chat;
  const { isEdited: _told, ...plan } = chat.plan;
  return plan.steps.length === 0 ? withoutPlan(chat) : { ...chat, plan };
}

export function withoutPlan<T extends { readonly plan?: Plan }>({ plan: _plan, ...rest }: T): Omit<T, "plan"> {
  return rest;
}

/** The plan as the model set it last, or as a prompt changed it since. */
function lastPlan(entries: readonly Entry[], known: readonly PlanStep[]): Plan | undefined {
  let plan: Plan | undefined;
  for (const entry of entries) {
    if (entry.untrusted !== undefined && entry.type !== "user") continue;
    if (entry.type === "user" && entry.plan !== undefined && plan !== undefined) plan = withSteps(plan, entry.plan);
    if (entry.type === "answer")
      for (const block of toolCalls(entry))
        plan = planOfCall(entry.id, block.progress) ?? planOfStarted(entry, block, known) ?? plan;
  }
  return plan;
}

function withSteps(plan: Plan, steps: readonly PlanStep[]): Plan | undefined {
  return steps.length === 0 ? undefined : { ...plan, steps };
}

function planOfCall(answer: string, progress: ToolProgress): Plan | undefined {
  if (progress.state !== "done" || progress.action.type !== "update-plan") return undefined;
  const steps = progress.action.steps.map((step, at): PlanStep => ({ ...step, id: step.id ?? `${answer}/${at}` }));
  const { document } = progress.action;
  return { steps, answer, ...definedFields({ document, untrusted: progress.untrusted }) };
}

/** The plan of a document that was started, with nothing done yet. */
function planOfStarted(answer: AnswerEntry, block: ToolCallBlock, known: readonly PlanStep[]): Plan | undefined {
  const { document, call } = block;
  if (document?.isStarted === undefined) return undefined;
  const place = { answer: answer.id, call };
  const steps = stepsOfDocument(document.text, known, place).map((step): PlanStep => ({ ...step, state: "pending" }));
  if (steps.length === 0) return undefined;
  return { steps, answer: answer.id, document: place, ...definedFields({ untrusted: sourceOf(answer, block) }) };
}

/**
 * The plans of both branches after `entries` have replaced the entries that ended with `replaced`. `other` is the plan of the branch that is shown
 * from now on. A page has the newest entries only, so a plan whose answer it does not find belongs to an older entry.
 */
export function plansOfBranches(
  { plan: before }: Pick<Chat, "plan">,
  entries: readonly Entry[],
  replaced: readonly Entry[],
  other?: Plan,
): { readonly shown: { readonly plan?: Plan }; readonly other: { readonly plan?: Plan } } {
  const isGone = before === undefined || replaced.some(({ id }) => id === before.answer);
  const plan = other ?? (isGone ? lastPlan(entries, before?.steps ?? []) : before);
  return { shown: definedFields({ plan }), other: definedFields({ plan: plan === before ? undefined : before }) };
}
