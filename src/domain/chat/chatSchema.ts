/** The shape of a chat and of the events that lead to it. `chat.ts` has the types that are inferred from it. */
import * as z from "zod/mini";
import {
  attachmentSchema,
  fileReferenceSchema,
  startedPromptSchema,
  storedImageSchema,
  untrustedSchema,
} from "./attachmentSchema";
import { chatEventSchema, familySchema, finishSchema, inputSchema, usageSchema } from "./chatEventSchema";
import { environmentSchema, instructionsSchema, promptContextSchema } from "./environmentSchema";
import { efforts } from "./modelOptions";
import { appErrorSchema } from "../errors/appErrorSchema";
import { chatModes } from "./chatMode";
import { editOutcomeSchema } from "./editOutcome";
import { planEditSchema, planSchema, planStepSchema } from "./plan";
import { amountSources, priceSchema } from "../prices/priceList";
import { spentTokensSchema } from "../prices/tokenDays";
import { momentSchema } from "../../base/momentSchema";
import {
  argumentReadingSchema,
  outputSchema,
  toolActivitySchema,
  toolCallBlockSchema,
  toolProgressSchema,
  toolStepSchema,
} from "./toolSchema";

const text = z.string();
const at = momentSchema;

/** The reason why an answer failed. */
export const answerFailureSchema = z.discriminatedUnion("type", [
  /** `home`: the gateway and account that were asked (`homeMark`). `fallback`: the model that is asked in its place. */
  z.object({
    type: z.literal("gateway"),
    error: appErrorSchema,
    home: z.exactOptional(text),
    fallback: z.exactOptional(text),
  }),
  /** No model was chosen, so nothing was sent. */
  z.object({ type: z.literal("no-model") }),
  /** The model gave so many answers in a row without ending the turn. */
  z.object({ type: z.literal("round-limit"), rounds: z.number() }),
  /** So many answers in a row held the same unreadable call of that tool. */
  z.object({ type: z.literal("invalid-calls"), name: text, times: z.number() }),
  /** The answer ends with a call in the tokens of a template, which neither the server nor the chat can read. */
  z.object({ type: z.literal("unread-call") }),
  /** One answer made more than `calls` calls. */
  z.object({ type: z.literal("call-limit"), calls: z.number() }),
  /** The next request, of about `next` tokens, would exceed the person's cap of tokens for the chat: it was not sent. */
  z.object({ type: z.literal("token-cap"), cap: z.number(), used: z.number(), next: z.number() }),
  /**
   * The next request, of about `next` where that is known, would exceed the person's cap of money for the chat: it was not sent. `sources` are those
   * of the amounts; they are missing where all amounts are by the person's list.
   */
  z.object({
    type: z.literal("money-cap"),
    cap: z.number(),
    used: z.number(),
    next: z.exactOptional(z.number()),
    currency: text,
    sources: z.exactOptional(z.array(z.enum(amountSources))),
  }),
  /** A call would have submitted a task beyond the person's cap on tasks or money per day; `cap` names it. */
  z.object({ type: z.literal("task-cap"), cap: z.string() }),
  /**
   * The chat does not fit into the model's context. `error` is the gateway's, where it refused the request. `isSentAgain`: a smaller request follows.
   * `isAllNeeded`: nothing is left that could be summarised, shortened or left out.
   */
  z.object({
    type: z.literal("context-full"),
    error: z.exactOptional(appErrorSchema),
    isSentAgain: z.exactOptional(z.literal(true)),
    isAllNeeded: z.exactOptional(z.literal(true)),
  }),
]);

/** An option or tool that a request omits because the service refused it: the option with that value, or the tool of that name. */
export const leftOutSchema = z.object({
  type: z.enum(["thinking", "temperature", "tool-choice", "tool"]),
  value: text,
});

/** A request that was sent again before anything was produced. `delayMs` is missing when it was sent at once as another variant. */
export const answerRetrySchema = z.object({
  error: appErrorSchema,
  delayMs: z.exactOptional(z.number()),
  /** The time at which the wait began. */
  at: z.exactOptional(at),
  leftOut: z.exactOptional(leftOutSchema),
});

/** `block` is the event's number: a citation has the number of its text, a signature that of the part that it signs. */
export const blockSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("text"), block: z.number(), text, refusal: z.exactOptional(z.literal(true)) }),
  z.object({ type: z.literal("reasoning"), block: z.number(), text }),
  toolCallBlockSchema,
  z.object({
    type: z.literal("citation"),
    block: z.number(),
    url: z.exactOptional(text),
    title: z.exactOptional(text),
  }),
  z.object({ type: z.literal("media"), block: z.number(), mimeType: text, data: text }),
  z.object({
    type: z.literal("opaque"),
    block: z.number(),
    family: familySchema,
    data: z.unknown(),
    read: z.exactOptional(text),
  }),
]);

const mode = z.enum(chatModes);
const effort = z.enum(efforts);
const references = z.exactOptional(z.array(fileReferenceSchema));
/** The day, and the active editor when the person sent the prompt. */
const context = z.exactOptional(promptContextSchema);
/** The prompt file or skill whose name the text begins with. */
const started = z.exactOptional(startedPromptSchema);
/** The prompt was sent in the middle of a turn, after the results of an answer, and the same turn went on with it. */
const steers = z.exactOptional(z.literal(true));
/** The local gateway was asked, which charges nothing for answers. Missing for any other gateway. */
const isFree = z.exactOptional(z.literal(true));
/** The outcomes of the model's edits that it is told after this entry. */
const outcomes = z.exactOptional(z.array(editOutcomeSchema));
/** Set on each entry of an imported chat, because all its text is untrusted. */
const untrusted = untrustedSchema;

export const userEntrySchema = z.object({
  type: z.literal("user"),
  id: text,
  text,
  at,
  references,
  context,
  started,
  /** The content of `references`; missing until they were read. */
  attachments: z.exactOptional(z.array(attachmentSchema)),
  /** The message is sent unchanged even when a summary covers it. */
  pinned: z.exactOptional(z.literal(true)),
  /** The mode of the turn that the prompt began last, or was sent in; missing for `agent`. */
  mode: z.exactOptional(mode),
  /** The steps of the plan, set when the person has changed them since the model last got the plan. */
  plan: z.exactOptional(z.array(planStepSchema)),
  /** The document of a plan as the person had edited it since the model got it. */
  document: z.exactOptional(z.object({ title: text, text })),
  outcomes,
  steers,
  untrusted,
});

/** A prompt that waits for the turn to end. It keeps its id when it becomes an entry. */
export const queuedPromptSchema = z.object({
  id: text,
  text,
  at,
  references,
  context,
  started,
  /** The foreign text that the prompt quotes. */
  untrusted,
  /** The mode of the chat from this prompt on; missing where it stays. */
  mode: z.exactOptional(mode),
  /** It does not wait for the end of the turn: it is sent in the turn, after the calls that run. */
  now: z.exactOptional(z.literal(true)),
  /** The turn before it was interrupted, so it is not sent automatically: the person has to send it. */
  held: z.exactOptional(z.literal(true)),
});

/** One answer of the model: one request. Its tool calls carry their results; the next answer follows them. */
export const answerEntrySchema = z.object({
  type: z.literal("answer"),
  id: text,
  /** Empty when the model was not known. */
  model: text,
  family: familySchema,
  isFree,
  startedAt: at,
  endedAt: z.exactOptional(at),
  /** `interrupted`: the window ended while it arrived. */
  state: z.enum(["streaming", "complete", "stopped", "failed", "interrupted"]),
  blocks: z.array(blockSchema),
  finish: z.exactOptional(finishSchema),
  /** No sign of completion was read: the answer may be cut. */
  cut: z.exactOptional(z.boolean()),
  usage: z.exactOptional(usageSchema),
  failure: z.exactOptional(answerFailureSchema),
  retries: z.exactOptional(z.array(answerRetrySchema)),
  /** The answer was unfinished and the person had the model go on from it: its partial text is sent with a note that says so. */
  continued: z.exactOptional(z.literal(true)),
  outcomes,
  untrusted,
});

/** Paid tasks that were submitted from the chat. What became of them is read from the task board by these ids, never stored here. */
export const taskEntrySchema = z.object({
  type: z.literal("task"),
  id: text,
  /** The prompt of the tasks; of a batch, the first one. */
  text,
  at,
  /** The ids of the tasks' intents. */
  tasks: z.array(text),
  untrusted,
});

const coverage = {
  /** The id of the last entry that the summary covers; it covers all earlier ones too. */
  until: text,
  /** Requests omit the covered entries without a summary of them. */
  leftOut: z.exactOptional(z.literal(true)),
  /** The foreign text of the entries that the summary covers. */
  untrusted,
};

/** The model's summary of older entries. Requests hold it in their place; the entries stay in the chat. */
export const summaryEntrySchema = z.extend(answerEntrySchema, {
  type: z.literal("summary"),
  ...coverage,
  /** The plan as it was when the summary was begun. */
  plan: z.exactOptional(z.array(planStepSchema)),
  /** The person has the older entries sent again. */
  undone: z.exactOptional(z.literal(true)),
});

const entriesSchema = z.array(
  z.discriminatedUnion("type", [userEntrySchema, answerEntrySchema, taskEntrySchema, summaryEntrySchema]),
);

/** What a rewind did apart from the messages: the operation of the change ledger, and how many files it restored. */
const rewoundSchema = z.object({ operation: text, files: z.number() });

/** The entries that an edited prompt or a second answer replaced, or a rewind took back, kept for one undo until the next message. */
const otherBranchSchema = z.object({
  /** The entry that both branches follow; missing when they begin the chat. */
  after: z.exactOptional(text),
  entries: entriesSchema,
  /** The plan of this branch, set where the shown branch has another one. */
  plan: z.exactOptional(planSchema),
  /** The person went back to the older branch, and these are the newer one. */
  isNewer: z.exactOptional(z.literal(true)),
  rewound: z.exactOptional(rewoundSchema),
});

export const chatSchema = z.object({
  id: text,
  entries: entriesSchema,
  /** The mode of requests from now on; missing for `agent`. */
  mode: z.exactOptional(mode),
  /** The id that the person chose for this chat. */
  model: z.exactOptional(text),
  /** The effort of thinking, which replaces the one that is set for the model. */
  effort: z.exactOptional(effort),
  plan: z.exactOptional(planSchema),
  /** A turn is under way: from the prompt to the last answer, including the tools between. */
  running: z.boolean(),
  /** The last turn was cut by the end of its window and nothing has gone on from it. */
  interrupted: z.exactOptional(z.literal(true)),
  /** The queued prompts in the order in which they will be sent; missing when none waits. */
  queue: z.exactOptional(z.array(queuedPromptSchema)),
  otherBranch: z.exactOptional(otherBranchSchema),
  /** The images of all prompts and results, also of those that were replaced. */
  images: z.exactOptional(z.array(storedImageSchema)),
  /** Missing until the first request is prepared. */
  environment: z.exactOptional(environmentSchema),
  /** The paths of instructions that the person has removed from this chat. */
  removedInstructions: z.exactOptional(z.array(text)),
  /** Tokens of all answers that have ended, also of those that were replaced. Missing for none. */
  tokens: z.exactOptional(z.number()),
  /** The tokens by model of answers without a stated cost, as far as gateways reported them. Missing for none. */
  spent: z.exactOptional(z.array(spentTokensSchema)),
  /** The cost of answers that have a stated cost: a sum for each source and currency. Missing for none. */
  costs: z.exactOptional(z.array(priceSchema)),
});

/** `id` of an answer event is that of the answer, or of the summary. */
export const sessionEventSchema = z.discriminatedUnion("type", [
  /** Also takes the prompt of that id out of the queue, so that it is never in both or in neither. */
  z.object({
    type: z.literal("prompt-added"),
    id: text,
    text,
    at,
    references,
    context,
    started,
    untrusted,
    steers,
    /** The mode of the chat from here on; missing where it stays. */
    mode: z.exactOptional(mode),
    /** The prompt of which this is an edited copy: it and all after it become the other branch. */
    replaces: z.exactOptional(text),
  }),
  z.extend(queuedPromptSchema, { type: z.literal("prompt-queued") }),
  /** The person has set the mode. It applies to the rest of a running turn too. */
  z.object({ type: z.literal("mode-set"), mode }),
  /** The person has chosen the model of the requests from now on. */
  z.object({ type: z.literal("model-set"), model: text }),
  /** `effort` is missing where the setting of the model applies again. */
  z.object({ type: z.literal("effort-set"), effort: z.exactOptional(effort) }),
  z.object({ type: z.literal("plan-edited"), edit: planEditSchema }),
  /** The person has edited the document of the plan that the call presented. `isSent`: the prompt that follows has it in its text. */
  z.object({ type: z.literal("plan-written"), id: text, call: text, text, isSent: z.exactOptional(z.literal(true)) }),
  /** Comes before the request that has these outcomes after that prompt, or after the results of that answer. */
  z.object({ type: z.literal("edits-told"), id: text, outcomes: z.array(editOutcomeSchema) }),
  /** The result of a call has given the model the person's changes to the plan. */
  z.object({ type: z.literal("plan-told") }),
  /** Comes before the first `attachments-read` or `tool-progress` that names the image. */
  z.object({ type: z.literal("image-stored"), image: storedImageSchema }),
  /** The references of a prompt were read, before its first request. */
  z.object({ type: z.literal("attachments-read"), id: text, attachments: z.array(attachmentSchema) }),
  /** Comes before the first request of a chat, and when the chat is continued in another workspace. */
  z.object({ type: z.literal("environment-read"), environment: environmentSchema }),
  /** The person has allowed a file that was offered. */
  z.object({ type: z.literal("instructions-added"), instructions: instructionsSchema }),
  z.object({ type: z.literal("instructions-offered"), paths: z.array(text) }),
  z.object({ type: z.literal("instructions-removed"), path: text }),
  /** A person took the prompt out of the queue. */
  z.object({ type: z.literal("prompt-unqueued"), id: text }),
  /** A person had the queued prompt sent in the turn that runs, or wait for its end again. */
  z.object({ type: z.literal("prompt-rescheduled"), id: text, now: z.boolean() }),
  /** A task may be added while a turn runs, because the entry is no part of the turn. */
  z.extend(taskEntrySchema, { type: z.literal("task-added") }),
  /** The person sends what is held in the queue. */
  z.object({ type: z.literal("queue-released") }),
  /** These entries become the other branch, because another answer is asked for or the chat is rewound. */
  z.object({ type: z.literal("entries-replaced"), from: text, rewound: z.exactOptional(rewoundSchema) }),
  z.object({ type: z.literal("branch-switched") }),
  z.object({ type: z.literal("turn-started") }),
  z.object({ type: z.literal("answer-started"), id: text, model: text, family: familySchema, isFree, at }),
  /** The events of an answer follow, with this id. */
  z.object({
    type: z.literal("summary-started"),
    id: text,
    model: text,
    family: familySchema,
    isFree,
    at,
    ...coverage,
  }),
  /** The person undid a summary, or took that undo back. */
  z.object({ type: z.literal("summary-switched"), id: text, undone: z.boolean() }),
  z.object({ type: z.literal("message-pinned"), id: text, pinned: z.boolean() }),
  z.object({ type: z.literal("answer-retry"), id: text, retry: answerRetrySchema }),
  z.object({ type: z.literal("answer-event"), id: text, event: chatEventSchema }),
  /** The model wrote calls as text: the text block ends at `from`, where they begin. Comes before the end of the answer. */
  z.object({
    type: z.literal("calls-written"),
    id: text,
    block: z.number(),
    from: z.number(),
    calls: z.array(z.object({ call: text, name: text, input: inputSchema, written: text })),
  }),
  z.object({
    type: z.literal("answer-ended"),
    id: text,
    at,
    state: z.enum(["complete", "stopped", "failed"]),
    failure: z.exactOptional(answerFailureSchema),
    /** Tokens by estimate, where the gateway did not report how many the answer took. */
    estimate: z.exactOptional(z.number()),
  }),
  /** The person has the model go on from an answer that did not come to its end. */
  z.object({ type: z.literal("answer-continued"), id: text }),
  z.object({ type: z.literal("tool-progress"), id: text, call: text, progress: toolProgressSchema }),
  /** Comes before the first progress of the call. */
  z.object({ type: z.literal("tool-reading"), id: text, call: text, reading: argumentReadingSchema }),
  z.object({ type: z.literal("tool-activity"), id: text, call: text, activity: toolActivitySchema }),
  /** A call of the reader that the call has started; again when it has ended. */
  z.object({ type: z.literal("tool-step"), id: text, call: text, step: toolStepSchema }),
  /** The output of the call since the previous event. */
  z.object({ type: z.literal("tool-output"), id: text, call: text, output: outputSchema }),
  z.object({ type: z.literal("turn-ended") }),
  /**
   * The tokens of a request that has no answer in the chat, such as one for its title or of a reader, and the estimated ones of an answer that the end
   * of its window cut. Without `of` they have no price.
   */
  z.object({
    type: z.literal("tokens-spent"),
    tokens: z.number(),
    at,
    of: z.exactOptional(spentTokensSchema),
    isFree,
    /** The cost of these tokens, where the gateway's answer or its list of models has an amount. */
    cost: z.exactOptional(priceSchema),
  }),
  /** All entries so far were imported from a file, which others may have written. */
  z.object({ type: z.literal("chat-imported"), untrusted: text }),
  /** The window ended in the middle of a turn: everything that was open in it is closed as interrupted. */
  z.object({ type: z.literal("turn-interrupted") }),
]);
