/**
 * A chat after one more session event. Pure, and the same function in the host and in the chat page; entries that an event does not concern stay the
 * same objects.
 */
import { definedFields } from "../../base/definedFields";
import type { ChatEvent } from "./chatEvent";
import {
  withBranchedPlan,
  reducePlan,
  withoutPlan,
  withPlanOf,
  withToldDocument,
  withToldPlan,
  plansOfBranches,
} from "./planOfChat";
import { modeOf, reduceChoice, withMode } from "./choices";
import { emptyOutput, joinOutput } from "./cappedText";
import {
  addAnswer,
  addSpentBy,
  addTokens,
  type AnswerEntry,
  type Block,
  type Chat,
  type Entry,
  isPaused,
  isStreaming,
  lastSpoken,
  turnStart,
  type UserEntry,
  type QueuedPrompt,
  type SessionEvent,
  type ToolCallBlock,
  type ToolProgress,
  type ToolStep,
  type Rewound,
} from "./chat";

type CallEvent = Extract<
  SessionEvent,
  { readonly type: "tool-progress" | "tool-reading" | "tool-activity" | "tool-step" | "tool-output" }
>;

/** Applies one report to a tool call. */
function reduceCall(block: ToolCallBlock, event: CallEvent): ToolCallBlock {
  switch (event.type) {
    case "tool-progress":
      return { ...block, progress: event.progress };
    case "tool-reading":
      return { ...block, reading: event.reading };
    case "tool-activity":
      return { ...block, activity: event.activity };
    case "tool-step":
      return { ...block, steps: withStep(block.steps ?? [], event.step) };
    case "tool-output":
      return { ...block, output: joinOutput(block.output ?? emptyOutput, event.output) };
  }
}

/** The number of a reader's steps that are kept; further ones are not shown. */
const stepCap = 200;

function withStep(steps: readonly ToolStep[], step: ToolStep): readonly ToolStep[] {
  const at = steps.findLastIndex(({ call }) => call === step.call);
  if (at >= 0) return steps.with(at, step);
  return steps.length < stepCap ? [...steps, step] : steps;
}

export function reduceChat(chat: Chat, event: SessionEvent): Chat {
  switch (event.type) {
    case "prompt-added":
      return addPrompt(chat, event);
    case "prompt-queued":
      return queuePrompt(chat, event);
    case "mode-set":
    case "model-set":
    case "effort-set":
      return reduceChoice(chat, event);
    case "plan-edited":
    case "plan-written":
    case "plan-told":
      return reducePlan(chat, event);
    case "image-stored":
      return { ...chat, images: [...(chat.images ?? []), event.image] };
    case "attachments-read":
      return withUser(chat, event.id, (entry) => ({ ...entry, attachments: event.attachments }));
    case "edits-told":
      return withEntry(chat, event.id, (entry) =>
        entry.type === "user" || entry.type === "answer" ? { ...entry, outcomes: event.outcomes } : entry,
      );
    case "message-pinned":
      return pin(chat, event.id, event.pinned);
    case "environment-read":
      return { ...chat, environment: event.environment };
    case "instructions-added":
    case "instructions-offered":
    case "instructions-removed":
      return changeInstructions(chat, event);
    case "prompt-unqueued":
      return withoutQueued(chat, event.id);
    case "prompt-rescheduled":
      return reschedule(chat, event.id, event.now);
    case "queue-released":
      return withQueue(chat, ({ held: _held, ...prompt }) => prompt);
    case "task-added":
      return { ...chat, entries: [...chat.entries, { ...event, type: "task" }] };
    case "entries-replaced":
      return branchAt(chat, event.from, event.rewound);
    case "branch-switched":
      return switchBranch(chat);
    case "chat-imported":
      return markUntrusted(chat, event.untrusted);
    case "turn-started":
      return startTurn(chat);
    case "turn-ended":
      return endTurn(chat);
    case "turn-interrupted":
      return interruptTurn(chat);
    case "answer-started": {
      const { at, ...started } = event;
      return { ...chat, entries: [...chat.entries, { ...started, type: "answer", ...begun(at) }] };
    }
    case "summary-started":
      return startSummary(chat, event);
    case "summary-switched":
      return switchSummary(chat, event.id, event.undone);
    case "answer-retry":
      return withAnswer(chat, event.id, (answer) => ({ ...answer, retries: [...(answer.retries ?? []), event.retry] }));
    case "answer-event":
      return withAnswer(chat, event.id, (answer) => reduceAnswer(answer, event.event));
    case "calls-written":
      return withAnswer(chat, event.id, (answer) => takeWrittenCalls(answer, event));
    case "answer-ended":
      return endAnswer(chat, event);
    case "answer-continued":
      // The partial text of a failed answer counts as an answer whose stream was cut.
      return withAnswer(chat, event.id, (answer) => ({
        ...answer,
        ...(answer.state === "failed" ? { state: "complete", cut: true } : {}),
        continued: true,
      }));
    case "tokens-spent":
      return addTokens(withSpent(chat, event), event.tokens);
    case "tool-progress":
    case "tool-reading":
    case "tool-activity":
    case "tool-step":
    case "tool-output": {
      const now = withAnswer(chat, event.id, (answer) => withCall(answer, event.call, (one) => reduceCall(one, event)));
      return event.type === "tool-progress" ? withPlanOf(now, event.id, event.progress) : now;
    }
  }
}

type EventOf<Type extends SessionEvent["type"]> = Extract<SessionEvent, { type: Type }>;

function addPrompt(before: Chat, event: EventOf<"prompt-added">): Chat {
  const chat = event.mode === undefined ? before : withMode(before, event.mode);
  const { id, text, at, references, context, started, replaces, steers } = event;
  const kept = replaces === undefined ? withoutOtherBranch(chat) : branchAt(chat, replaces);
  const { entries, ...rest } = withoutQueued(kept, id);
  // An edited copy may be foreign text with one letter changed, so it stays untrusted.
  const untrusted = event.untrusted ?? chat.entries.find((entry) => entry.id === replaces)?.untrusted;
  const optional = definedFields({ references, context, started, untrusted, steers, mode: chat.mode });
  const prompt: UserEntry = { type: "user", id, text, at, ...optional };
  return withToldPlan(withToldDocument({ ...rest, entries: [...entries, prompt] }, prompt.id), prompt.id);
}

function queuePrompt(chat: Chat, { type: _type, ...prompt }: EventOf<"prompt-queued">): Chat {
  return { ...chat, queue: [...(chat.queue ?? []), prompt] };
}

function endTurn(chat: Chat): Chat {
  const ended = { ...chat, running: false };
  return hasEnded(chat) ? ended : withQueue(ended, hold);
}

/** A turn that is repeated runs in the chat's current mode, so its prompt gets that mode. */
function startTurn({ interrupted: _before, ...before }: Chat): Chat {
  const chat: Chat = { ...before, running: true };
  const prompt = chat.entries.findLast(({ type }) => type === "user");
  if (prompt?.type !== "user" || prompt.mode === chat.mode) return chat;
  return withUser(chat, prompt.id, (entry) => withMode(entry, modeOf(chat)));
}

function changeInstructions(
  chat: Chat,
  event: EventOf<"instructions-added" | "instructions-offered" | "instructions-removed">,
): Chat {
  const { environment, removedInstructions: removed = [] } = chat;
  if (event.type === "instructions-removed")
    return removed.includes(event.path) ? chat : { ...chat, removedInstructions: [...removed, event.path] };
  if (environment === undefined) return chat;
  const { instructions, offered = [], ...facts } = environment;
  if (event.type === "instructions-offered")
    return { ...chat, environment: { ...environment, offered: [...new Set([...offered, ...event.paths])] } };
  const { path } = event.instructions;
  const others = { ...facts, offered: offered.filter((one) => one !== path) };
  return { ...chat, environment: { ...others, instructions: [...instructions, event.instructions] } };
}

function pin(chat: Chat, id: string, isPinned: boolean): Chat {
  const pinned = isPinned ? (true as const) : undefined;
  return withUser(chat, id, ({ pinned: _before, ...entry }) => ({ ...entry, ...definedFields({ pinned }) }));
}

function startSummary(chat: Chat, { type: _type, at, ...started }: EventOf<"summary-started">): Chat {
  const plan = chat.plan?.steps;
  const optional = definedFields({ plan: plan?.length === 0 ? undefined : plan });
  return { ...chat, entries: [...chat.entries, { type: "summary", ...started, ...optional, ...begun(at) }] };
}

/** The costs are left out of an imported chat: its file could name any amount, and no gateway has stated it to this window. */
function markUntrusted(chat: Chat, untrusted: string): Chat {
  const { plan: _plan, costs: _costs, ...rest } = chat;
  const marked = (entries: readonly Entry[]): readonly Entry[] =>
    entries.map((entry) => ({ ...withoutCost(entry), untrusted }));
  const { otherBranch } = chat;
  const other = otherBranch && withoutPlan({ ...otherBranch, entries: marked(otherBranch.entries) });
  return { ...rest, entries: marked(chat.entries), ...definedFields({ otherBranch: other }) };
}

function withoutCost(entry: Entry): Entry {
  if (!("usage" in entry && entry.usage.cost !== undefined)) return entry;
  const { cost: _cost, ...usage } = entry.usage;
  return { ...entry, usage };
}

function begun(startedAt: number): Pick<AnswerEntry, "startedAt" | "state" | "blocks"> {
  return { startedAt, state: "streaming", blocks: [] };
}

function withUser(chat: Chat, id: string, change: (entry: UserEntry) => UserEntry): Chat {
  return withEntry(chat, id, (entry) => (entry.type === "user" ? change(entry) : entry));
}

function switchSummary(chat: Chat, id: string, isUndone: boolean): Chat {
  const undone = isUndone ? (true as const) : undefined;
  return withEntry(chat, id, (entry) => {
    if (entry.type !== "summary") return entry;
    const { undone: _before, ...summary } = entry;
    return { ...summary, ...definedFields({ undone }) };
  });
}

function endAnswer(chat: Chat, event: EventOf<"answer-ended">): Chat {
  const { id, state, at: endedAt, failure } = event;
  return withAnswer(addAnswer(chat, event), id, (answer) => {
    return { ...closeCalls(answer, "stopped", isArriving), state, endedAt, ...definedFields({ failure }) };
  });
}

function withSpent(chat: Chat, { of, cost, isFree }: EventOf<"tokens-spent">): Chat {
  return isFree || (of === undefined && cost === undefined) ? chat : addSpentBy(chat, of?.model ?? "", of ?? {}, cost);
}

function withoutQueued(chat: Chat, id: string): Chat {
  const { queue: before, ...rest } = chat;
  if (!before?.some((prompt) => prompt.id === id)) return chat;
  const queue = before.filter((prompt) => prompt.id !== id);
  return { ...rest, ...definedFields({ queue: queue.length === 0 ? undefined : queue }) };
}

function reschedule(chat: Chat, id: string, isNow: boolean): Chat {
  const now = isNow ? (true as const) : undefined;
  return withQueue(chat, (prompt) => {
    if (prompt.id !== id) return prompt;
    const { now: _before, held, ...rest } = prompt;
    return { ...rest, ...definedFields({ now, held: isNow ? undefined : held }) };
  });
}

function withQueue(chat: Chat, change: (prompt: QueuedPrompt) => QueuedPrompt): Chat {
  const { queue, ...rest } = chat;
  return { ...rest, ...definedFields({ queue: queue?.map(change) }) };
}

function hold(prompt: QueuedPrompt): QueuedPrompt {
  return { ...prompt, held: true };
}

/** Whether the turn has come to its end: it was not stopped, and nothing failed. */
function hasEnded({ entries }: Chat): boolean {
  const [last, spoken] = [entries.findLast(({ type }) => type !== "task"), lastSpoken({ entries })];
  if (last?.type === "summary" && last.state !== "complete") return false;
  return spoken?.type === "answer" && spoken.state === "complete" && !isCut(spoken);
}

/**
 * Closes what a turn left open when its window ended. Earlier turns have ended. The usage that the gateway had reported counts, because it settles a
 * request that was cut.
 */
function interruptTurn(before: Chat): Chat {
  const first = turnStart(before.entries);
  const chat = before.entries.slice(first).filter(isStreaming).reduce(addAnswer, before);
  const entries = chat.entries.map((entry, index): Entry => {
    if (index < first || !("state" in entry)) return entry;
    if (entry.type === "summary") return isStreaming(entry) ? { ...entry, state: "interrupted" } : entry;
    const closed = closeCalls(entry, "interrupted", isOpen);
    return isStreaming(entry) ? { ...closed, state: "interrupted" as const } : closed;
  });
  const ended = withQueue({ ...chat, entries, running: false }, hold);
  return isCut(lastSpoken({ entries })) ? { ...ended, interrupted: true } : ended;
}

/** Whether something was still to come after this entry. */
function isCut(last: Entry | undefined): boolean {
  if (last?.type !== "answer") return last !== undefined;
  if (last.state !== "complete") return last.state === "interrupted";
  return last.cut !== true && (last.finish === "tool-calls" || isPaused(last));
}

function isArriving({ state }: ToolProgress): boolean {
  return state === "arriving";
}

function isOpen({ state }: ToolProgress): boolean {
  return state === "arriving" || state === "ready" || state === "waiting" || state === "asking" || state === "running";
}

function closeCalls(
  answer: AnswerEntry,
  state: "stopped" | "interrupted",
  concerns: (progress: ToolProgress) => boolean,
): AnswerEntry {
  if (!answer.blocks.some((block) => block.type === "tool-call" && concerns(block.progress))) return answer;
  const blocks = answer.blocks.map((block): Block => {
    if (block.type !== "tool-call" || !concerns(block.progress)) return block;
    const { name, progress } = block;
    const action = "action" in progress ? progress.action : ({ type: "call", name } as const);
    const input = "input" in progress ? progress.input : undefined;
    const started = progress.state === "running";
    return { ...block, progress: { state, action, started, ...definedFields({ input }) } };
  });
  return { ...answer, blocks };
}

/** Changes the newest entry of that id. Other entries, and a chat in which nothing changes, stay the same objects. */
function withEntry(chat: Chat, id: string, change: (entry: Entry) => Entry): Chat {
  const index = chat.entries.findLastIndex((entry) => entry.id === id);
  const entry = chat.entries[index];
  const changed = entry && change(entry);
  return changed === undefined || changed === entry ? chat : { ...chat, entries: chat.entries.with(index, changed) };
}

/** Changes the newest answer, or summary, of that id. */
function withAnswer(chat: Chat, id: string, change: (answer: AnswerEntry) => AnswerEntry): Chat {
  return withEntry(chat, id, (entry) => {
    if (entry.type === "answer") return change(entry);
    return entry.type === "summary" ? { ...entry, ...change({ ...entry, type: "answer" }), type: "summary" } : entry;
  });
}

function withCall(answer: AnswerEntry, call: string, change: (block: ToolCallBlock) => ToolCallBlock): AnswerEntry {
  const index = answer.blocks.findLastIndex((block) => block.type === "tool-call" && block.call === call);
  const block = answer.blocks[index];
  if (block?.type !== "tool-call") return answer;
  return { ...answer, blocks: answer.blocks.with(index, change(block)) };
}

function reduceAnswer(answer: AnswerEntry, event: ChatEvent): AnswerEntry {
  switch (event.type) {
    case "text-delta":
    case "reasoning-delta":
      return withDelta(answer, event);
    case "tool-call-start":
      return append(answer, {
        type: "tool-call",
        block: event.block,
        call: event.call,
        name: event.name,
        argumentText: "",
        progress: { state: "arriving" },
        ...definedFields({ wireId: event.wireId, calledAs: event.calledAs }),
      });
    case "tool-call-delta":
      return withCall(answer, event.call, (block) => ({ ...block, argumentText: block.argumentText + event.text }));
    case "tool-call-end":
      return withCall(answer, event.call, (block) => ({ ...block, progress: { state: "ready", input: event.input } }));
    case "tool-call-invalid":
      return withCall(answer, event.call, (block) => ({
        ...block,
        argumentText: event.text,
        progress: { state: "invalid", reason: event.reason, ...definedFields({ atLimit: event.atLimit }) },
      }));
    case "citation": {
      const { block, url, title } = event;
      return append(answer, {
        type: "citation",
        block,
        ...definedFields({ url, title }),
      });
    }
    case "media":
      return append(answer, { type: "media", block: event.block, mimeType: event.mimeType, data: event.data });
    case "opaque":
      return append(answer, event);
    case "usage": {
      const { type, ...usage } = event;
      return { ...answer, usage };
    }
    case "message-end":
      return { ...answer, finish: event.finish, cut: event.cut };
    // The session reports a stream error when the answer ends; a skipped part goes to the log.
    case "message-start":
    case "malformed":
    case "stream-error":
      return answer;
  }
}

/** The calls replace the text that they were written as. */
function takeWrittenCalls(answer: AnswerEntry, { block, from, calls }: EventOf<"calls-written">): AnswerEntry {
  const next = Math.max(...answer.blocks.map((one) => one.block)) + 1;
  const written = calls.map(({ input, ...call }, at): Block => ({
    type: "tool-call",
    block: next + at,
    argumentText: "",
    ...call,
    progress: { state: "ready", input },
  }));
  const blocks = answer.blocks.flatMap((one): readonly Block[] => {
    if (one.type !== "text" || one.block !== block) return [one];
    const text = one.text.slice(0, from);
    return text === "" ? written : [{ ...one, text }, ...written];
  });
  return { ...answer, blocks, finish: "tool-calls" };
}

function withDelta(
  answer: AnswerEntry,
  event: Extract<ChatEvent, { type: "text-delta" | "reasoning-delta" }>,
): AnswerEntry {
  const type = event.type === "text-delta" ? "text" : "reasoning";
  // A citation may come between two deltas of a text block.
  const index = answer.blocks.findLastIndex((block) => block.type === type && block.block === event.block);
  const known = answer.blocks[index];
  if (known?.type === type) {
    return { ...answer, blocks: answer.blocks.with(index, { ...known, text: known.text + event.text }) };
  }
  if (event.type === "reasoning-delta")
    return append(answer, { type: "reasoning", block: event.block, text: event.text });
  const refusal = event.refusal === undefined ? {} : { refusal: event.refusal };
  return append(answer, { type: "text", block: event.block, text: event.text, ...refusal });
}

function append(answer: AnswerEntry, block: Block): AnswerEntry {
  return { ...answer, blocks: [...answer.blocks, block] };
}

/**
 * Replaces the end of a chat: the entries from `from` on become the other branch, which an undo brings back, and an earlier other branch is dropped.
 * Tasks stay, because they are paid, and so do summaries of entries that stay.
 */
function branchAt(chat: Chat, from: string, rewound?: Rewound): Chat {
  const index = chat.entries.findIndex(({ id }) => id === from);
  if (index < 0) return chat;
  const after = chat.entries[index - 1]?.id;
  const common = chat.entries.slice(0, index);
  const [staying, replaced] = split(common, chat.entries.slice(index));
  const entries = [...common, ...staying];
  const plans = plansOfBranches(chat, entries, replaced);
  const otherBranch = { ...definedFields({ after, rewound }), entries: replaced, ...plans.other };
  return withBranchedPlan({ ...withoutPlan(chat), ...plans.shown, entries, otherBranch }, chat.plan);
}

/** The branches change places, so that switching twice changes nothing. */
function switchBranch(chat: Chat): Chat {
  const { otherBranch: other } = chat;
  if (other === undefined) return chat;
  const { after, isNewer, rewound } = other;
  const last = after === undefined ? -1 : chat.entries.findLastIndex(({ id }) => id === after);
  if (after !== undefined && last < 0) return chat;
  const common = chat.entries.slice(0, last + 1);
  const [staying, replaced] = split(common, chat.entries.slice(last + 1));
  const entries = [...common, ...staying, ...other.entries];
  const plans = plansOfBranches(chat, entries, replaced, other.plan);
  const otherBranch = {
    ...definedFields({ after, rewound, isNewer: isNewer ? undefined : (true as const) }),
    entries: replaced,
    ...plans.other,
  };
  return withBranchedPlan({ ...withoutPlan(chat), ...plans.shown, entries, otherBranch }, chat.plan);
}

/** Splits the entries into those that belong to both branches and those of one. */
function split(common: readonly Entry[], entries: readonly Entry[]): readonly [readonly Entry[], readonly Entry[]] {
  const stays = (entry: Entry): boolean =>
    entry.type === "task" || (entry.type === "summary" && common.some(({ id }) => id === entry.until));
  return [entries.filter(stays), entries.filter((entry) => !stays(entry))];
}

function withoutOtherBranch({ otherBranch, ...rest }: Chat): Chat {
  return rest;
}
