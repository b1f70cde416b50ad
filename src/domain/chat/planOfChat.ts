/** The plan in a chat: calls of the model set it, the next prompt carries it once the person has changed it, and each branch has its own. Pure. */
import { definedFields } from "../../base/definedFields";
import { documentSteps, editPlan, type Plan, type PlanStep, stepCap, stepLengthCap } from "./plan";
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
      return chat.plan === undefined ? chat : { ...chat, plan: editPlan(chat.plan, event.edit) };
    case "plan-written":
      return writeDocument(chat, event);
    case "plan-told":
      return toldPlan(chat);
  }
}

/** Takes over the plan that a finished call has set. `answer` is the id of the answer with the call. */
export function withPlanOf(chat: Chat, answer: string, progress: ToolProgress): Chat {
  const plan = planOfCall(answer, progress);
  return plan === undefined ? chat : { ...chat, plan };
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
  return withPrompt({ ...chat, entries }, prompt, { document: { title, text: document.text } }, untrusted);
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

/** The call that has presented a plan. */
export interface PlanPlace {
  readonly answer: string;
  readonly call: string;
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

function sourceOf(answer: AnswerEntry, { progress }: ToolCallBlock): string | undefined {
  return answer.untrusted ?? ("untrusted" in progress ? progress.untrusted : undefined);
}

/** Stores the person's edit of the document, on whichever branch its call is. */
function writeDocument(chat: Chat, { id, call, text, isSent }: WrittenDocument): Chat {
  const document = { text, ...definedFields({ isTold: isSent }) };
  const written = (entries: readonly Entry[]): readonly Entry[] =>
    entries.map((entry) => {
      if (entry.type !== "answer" || entry.id !== id) return entry;
      const blocks = entry.blocks.map((block) =>
        block.type === "tool-call" && block.call === call ? { ...block, document } : block,
      );
      return { ...entry, blocks };
    });
  const { otherBranch } = chat;
  const other = otherBranch && { ...otherBranch, entries: written(otherBranch.entries) };
  const plan = isSent === true ? startedPlan(chat, { answer: id, call }, text) : undefined;
  return { ...chat, entries: written(chat.entries), ...definedFields({ otherBranch: other, plan: plan ?? chat.plan }) };
}

/** The steps of a document that the person starts become the plan of the chat. `undefined` for a document without steps. */
function startedPlan(chat: Chat, place: PlanPlace, text: string): Plan | undefined {
  const steps = documentSteps(text)
    .slice(0, stepCap)
    .map((step, at): PlanStep => {
      const [first = ""] = step.text.split("\n");
      const words = first.replace(/^\d{1,3}[.)]\s*/, "").trim();
      return { id: `${place.answer}/${place.call}/${at}`, text: words.slice(0, stepLengthCap), state: "pending" };
    })
    .filter((step) => step.text !== "");
  if (steps.length === 0) return undefined;
  const untrusted = findPlanDocument(chat, place)?.untrusted;
  return { steps, answer: place.answer, ...definedFields({ untrusted }) };
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
function lastPlan(entries: readonly Entry[]): Plan | undefined {
  let plan: Plan | undefined;
  for (const entry of entries) {
    if (entry.untrusted !== undefined && entry.type !== "user") continue;
    if (entry.type === "user" && entry.plan !== undefined && plan !== undefined) plan = withSteps(plan, entry.plan);
    if (entry.type === "answer")
      for (const { progress } of toolCalls(entry)) plan = planOfCall(entry.id, progress) ?? plan;
  }
  return plan;
}

function withSteps(plan: Plan, steps: readonly PlanStep[]): Plan | undefined {
  return steps.length === 0 ? undefined : { ...plan, steps };
}

function planOfCall(answer: string, progress: ToolProgress): Plan | undefined {
  if (progress.state !== "done" || progress.action.type !== "update-plan") return undefined;
  const steps = progress.action.steps.map((step, at): PlanStep => ({ ...step, id: step.id ?? `${answer}/${at}` }));
  return { steps, answer, ...definedFields({ untrusted: progress.untrusted }) };
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
  const plan = other ?? (isGone ? lastPlan(entries) : before);
  return { shown: definedFields({ plan }), other: definedFields({ plan: plan === before ? undefined : before }) };
}
