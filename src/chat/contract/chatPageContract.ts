/** The contract of the chat page: intents in; a snapshot, then revisioned events out. */
import type { Effort } from "../../domain/chat/modelOptions";
import * as z from "zod/mini";
import { referenceCap } from "../../domain/chat/attachmentSchema";
import type { ErrorDescription } from "../../domain/words/describeError";
import type { FoundEntry } from "../../domain/chat/findPattern";
import { scopeSchema } from "../../domain/chat/ruleSchema";
import type { BackgroundProcess } from "../../domain/tools/backgroundProcess";
import { type Chat, promptCap, type SessionEvent } from "../../domain/chat/chat";
import type { PriceList } from "../../domain/prices/priceList";
import type { Price } from "../../domain/prices/price";
import { attachmentIntents, type AttachmentMessage, referenceIntent } from "./attachmentMessages";
import { type AnswerChanges, changeIntents } from "./changeMessages";
import type { EntriesPage } from "./entryPages";
import { taskCardIntents, type TaskCardState } from "./taskCardMessages";
import { promptIntents, type PromptMessage } from "./promptMessages";
import { instructionIntents } from "./instructionMessages";
import { modeIntents } from "./modeMessages";
import { type MediaMessage, mediaIntents } from "./mediaMessages";
import { type ScaleMessage } from "../../tools/contract/scaleMessage";
import type { IntentOf, PageContract, ToHost } from "../../base/contract/pageContract";
import type { ProjectedMessage } from "../../base/contract/projector";

const intents = {
  /** Sends the prompt, or queues it while a turn runs; `now`: to be sent in that turn. `chat` is the one that the page showed: the host may show another one by now. */
  "prompt-submit": {
    chat: z.string().check(z.maxLength(64)),
    text: z.string().check(z.maxLength(promptCap)),
    references: z.exactOptional(z.array(referenceIntent).check(z.minLength(1), z.maxLength(referenceCap))),
    now: z.exactOptional(z.literal(true)),
  },
  /** The response to `draft-request`. */
  "draft-given": {
    text: z.string().check(z.maxLength(1_000_000)),
    references: z.array(referenceIntent).check(z.maxLength(referenceCap)),
  },
  ...attachmentIntents,
  ...changeIntents,
  ...instructionIntents,
  ...promptIntents,
  ...modeIntents,
  /** Sends an edited prompt in place of `entry`. `without`: which of its attachments are left out, counted from 0. */
  "prompt-resend": {
    entry: z.string(),
    text: z.string().check(z.maxLength(promptCap)),
    without: z.exactOptional(z.array(z.int().check(z.nonnegative())).check(z.maxLength(referenceCap))),
  },
  /** Asks for another answer in place of the last one. */
  "turn-regenerate": {},
  /** Undoes the two before, or that undo. */
  "branch-switch": {},
  /** Has the messages so far replaced by a summary in what is sent. */
  "chat-summarize": {},
  /** Undoes a summary, or that undo. */
  "summary-switch": { summary: z.string(), undone: z.boolean() },
  "message-pin": { entry: z.string(), pinned: z.boolean() },
  "queue-send": {},
  /** Also for editing it: the page has put its text into the composer before. */
  "queue-remove": { id: z.string() },
  /** Has a queued prompt sent in the turn that runs, or at its end. */
  "queue-reschedule": { id: z.string(), now: z.boolean() },
  "turn-stop": {},
  /** Asks again after the last answer failed. */
  "turn-retry": {},
  /** Goes on with a turn that was cut by the end of its window, or from an answer that did not come to its end. */
  "turn-continue": {},
  /** Makes this window the writer of the chat, where its former one is gone. */
  "chat-take-over": {},
  /** `approval` is the id that the host issued; each is decided once. */
  "approval-decide": {
    approval: z.string(),
    allow: z.boolean(),
    note: z.optional(z.string().check(z.maxLength(10_000))),
    /** A yes to what the host offered beyond the call: what that covers is the host's. */
    scope: z.exactOptional(scopeSchema),
  },
  /** Opens a proposed change in the editor's own diff: of several the one of that call. */
  "diff-open": { approval: z.string(), call: z.exactOptional(z.string()) },
  /** Opens the file that the call of that answer reads or changes. */
  "file-open": { answer: z.string().check(z.maxLength(64)), call: z.string().check(z.maxLength(1000)) },
  /** Lists the rules. */
  "approvals-show": {},
  /** Has commands of this chat ask again. */
  "profile-end": {},
  /** Ends the running command of that id and opens a terminal for it. The id is one that the host issued. */
  "command-move": { id: z.string().check(z.maxLength(64)) },
  /** Ends a command in the background, by the id under which it is listed. */
  "process-end": { id: z.string().check(z.maxLength(64)) },
  /** Starts one of the sandbox that serves a port again with the network, after a question. */
  "process-restart": { id: z.string().check(z.maxLength(64)) },
  /** The button of an error card, for the answer of that id. */
  "error-action": { answer: z.string(), isSecond: z.exactOptional(z.literal(true)) },
  /** Shows the requests behind the answer of that id. */
  "request-show": { answer: z.string() },
  /** The page asks for the entries before the first one that it has; as far as `until`, which it wants to show. */
  "entries-request": { before: z.string(), until: z.exactOptional(z.string()) },
  /** Finds a text in the shown chat, and again as it changes; an empty one ends that. */
  "chat-find": { query: z.string().check(z.maxLength(1000)) },
  "chat-open": { id: z.string().check(z.maxLength(64)) },
  ...taskCardIntents,
  ...mediaIntents,
  "model-choose": {},
  /** A button of the empty chat, of a notice or of the composer. */
  "state-action": { action: z.enum(["open-folder", "manage-trust", "connect", "choose-gateway"]) },
  "chat-new": {},
  "page-focused": {},
  /** The response to `focus-await`: a key would arrive in the page, at what has its focus. */
  "focus-taken": { id: z.number() },
  "code-insert": { text: z.string().check(z.maxLength(1_000_000)) },
  /** Opens a diff of the named file, or of the active editor's, with the code in it. */
  "code-apply": {
    text: z.string().check(z.maxLength(1_000_000)),
    file: z.exactOptional(z.string().check(z.maxLength(1000))),
  },
  "code-new-file": {
    text: z.string().check(z.maxLength(1_000_000)),
    language: z.string().check(z.maxLength(100)),
  },
  "link-open": { url: z.string().check(z.maxLength(10_000)) },
};

export type ChatPageContract = PageContract<typeof intents, ChatPageMessage>;
export const chatPageContract: ChatPageContract = { intents };

export type ChatPageIntent = IntentOf<ChatPageContract>;
/** All that the page posts. */
export type ChatPageToHost = ToHost<ChatPageContract>;

/** The intents that do something in the editor; the others concern the page itself. */
export type EditorIntent = Exclude<
  ChatPageIntent,
  {
    readonly type:
      "entries-request" | "chat-find" | "draft-given" | "task-cards-watch" | "page-focused" | "focus-taken";
  }
>;

/** In tokens: `used` of `size`, and what it consists of. */
export interface ContextUse {
  readonly used: number;
  readonly size: number;
  /** The model's size is not known. */
  readonly isAssumed?: true;
  readonly messages: number;
  readonly answers: number;
  readonly tools: number;
  readonly rest: number;
  /** What all answers of the chat have cost. Missing where no price is known. */
  readonly price?: Price;
}

/** The state around the transcript. */
export interface ChatPageStatus {
  readonly connection: "starting" | "signed-out" | "ready" | "failed";
  /**
   * Why nothing can be asked of the gateway, in words, with the actions that help (`error-action` with an empty `answer`). Also of a connection that is
   * ready, when its list of models could not be read.
   */
  readonly problem?: ErrorDescription;
  /** The gateway as shown to the person: *Local gateway* or its host name. */
  readonly gateway: string;
  /** The gateway and account that the next prompt goes to (`homeMark`), once they are ready. */
  readonly home?: string;
  /** The gateway that ships inside: free, and on this machine. */
  readonly local?: true;
  /** Why there is no model to ask, where the gateway could be reached. */
  readonly noModel?: string;
  /** The model that the next prompt goes to; empty while none is known. */
  readonly model: string;
  /** What the model can do, in words; missing while nothing is known. */
  readonly modelFacts?: string;
  /** How much it is asked to think, where that was chosen for this chat. */
  readonly effort?: Effort;
  /** It was learnt that the model refuses tools, so none are sent to it. */
  readonly toolsRefused?: true;
  /** The model is known to take no images. */
  readonly imagesRefused?: true;
  /** Missing until a service has counted the tokens of this chat. */
  readonly context?: ContextUse;
  /** The model is the local gateway's own: rules, not a language model. */
  readonly demonstrator: boolean;
  /** Restricted Mode: chat works, tools don't. */
  readonly trusted: boolean;
  /** No folder is open, so there are no files for tools. */
  readonly noFolder?: true;
  /** No folder of a trusted workspace is on a disk of this machine: tools have no files. */
  readonly noFiles?: true;
  /** Prompts that work in this workspace; shown while the chat is empty. */
  readonly suggestions: readonly Suggestion[];
  /** Shown above the composer: another window writes the chat, or its file can't be written. */
  readonly chatNotice?: ChatNotice;
  /** Commands of this chat run without a question: the profile of its session is on. */
  readonly commandsAllowed?: true;
  /** The commands of this chat that run in the background; missing for none. */
  readonly processes?: readonly ShownProcess[];
  /** The files that tools have changed, for each answer of the chat that changed any; missing for none. */
  readonly changes?: readonly AnswerChanges[];
  /** The person's price list, unless it is empty. */
  readonly prices?: PriceList;
  /** The last chats, newest first; shown while the chat is empty. */
  readonly recent?: readonly RecentChat[];
}

/** `line`: as the model wrote it; `lastLine`: what it wrote last. */
export interface ShownProcess extends Pick<
  BackgroundProcess,
  "id" | "line" | "lastLine" | "port" | "heldPort" | "made"
> {
  /** The chat that has started it, where that is another one of this window. */
  readonly otherChat?: string;
}

/** `kind`: what it shows of the product. */
export interface Suggestion {
  readonly kind: "ask" | "read" | "edit" | "make";
  readonly text: string;
}

/** `at`: of its last change, in milliseconds since 1970. `waits`: a question of it waits for the person. */
export interface RecentChat {
  readonly id: string;
  readonly title: string;
  readonly at: number;
  readonly waits?: true;
}

/** `canTakeOver`: the window that wrote the chat is gone. */
export interface ChatNotice {
  readonly text: string;
  readonly canTakeOver: boolean;
}

export interface ChatPageSnapshot {
  /** Of a long chat the newest entries. */
  readonly chat: Chat;
  readonly status: ChatPageStatus;
  /** How many entries come before them; the page asks for these as a person scrolls up. Missing for none. */
  readonly older?: number;
}

/** What the host posts. */
export type ChatPageMessage =
  | ProjectedMessage<ChatPageSnapshot, SessionEvent>
  | { readonly type: "status"; readonly status: ChatPageStatus }
  /** The entries right before the entry `before` of the chat, and how many come before these. */
  | ({ readonly type: "entries"; readonly chat: string; readonly before: string } & EntriesPage)
  /** The answer to `chat-find`: the entries that have the text. */
  | { readonly type: "chat-found"; readonly chat: string; readonly query: string; readonly hits: readonly FoundEntry[] }
  /** Asks for `focus-taken` once what was sent before is drawn and the page has the focus. */
  | { readonly type: "focus-await"; readonly id: number }
  /** Opens the find bar. */
  | { readonly type: "find-open" }
  /** Shows the entry and highlights the words in it. */
  | {
      readonly type: "entry-reveal";
      readonly chat: string;
      readonly entry: string;
      readonly words: readonly string[];
    }
  /** What the task board says of tasks that the page watches: those that changed. */
  | { readonly type: "task-cards"; readonly cards: readonly TaskCardState[] }
  | MediaMessage
  | ScaleMessage
  /** The text of that chat's draft became a task: it is cleared, unless it was edited meanwhile. */
  | { readonly type: "composer-clear"; readonly chat: string; readonly text: string }
  /** The composer sends its text with `task-submit`. */
  /**
   * The host puts text into the composer at the caret, or before the draft, and focuses it, without sending. Where another chat is shown than
   * `chat`, it goes into the draft that waits there. An empty text only focuses the composer.
   */
  | { readonly type: "composer-insert"; readonly chat: string; readonly text: string; readonly isBefore?: true }
  /** The host moves the chat to another page, with what is in the composer. */
  | { readonly type: "draft-request" }
  /** Something of the chat that the person has changed on the page, and that the page has shown already, was not taken: the page shows the chat's own again, and why. */
  | { readonly type: "change-refused"; readonly text: string }
  /** The host focuses the approval that waits. */
  | { readonly type: "approval-focus" }
  | AttachmentMessage
  | PromptMessage;
