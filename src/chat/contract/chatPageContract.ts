/** The contract of the chat page: intents in; a snapshot, then revisioned events out. */
import * as z from "zod/mini";
import type { Effort } from "../../domain/chat/modelOptions";
import { referenceCap, type FileReference } from "../../domain/chat/attachmentSchema";
import type { ErrorDescription } from "../../domain/words/describeError";
import type { FoundEntry } from "../../domain/chat/findPattern";
import { scopeSchema } from "../../domain/chat/ruleSchema";
import type { BackgroundProcess } from "../../domain/tools/backgroundProcess";
import { type Chat, promptCap, type SessionEvent, type Entry } from "../../domain/chat/chat";
import type { PriceList, Price } from "../../domain/prices/priceList";
import type { ScaleMessage } from "../../domain/tools/toolPorts";
import type { IntentOf, PageContract, ToHost } from "../../base/pageContract";
import type { ProjectedMessage } from "../../base/projector";
import { imageSizeCap, imageTypes } from "../../domain/chat/imageTypes";
import { chatModes, type ChatMode } from "../../domain/chat/chatMode";
import { stepLengthCap, stepStates } from "../../domain/chat/plan";
import { type CardAction, isCardAction, taskActions } from "../../domain/task/taskActions";
import { maxCompared } from "../../tasks/contract/galleryPageContract";
import { taskId } from "../../domain/task/taskId";
import type { ShownFile, StateTone } from "../../tasks/contract/taskPageContract";

/** The intents about the instructions of a chat, by their path: empty for the person's own. */
const path = z.string().check(z.maxLength(4096));

const instructionIntents = {
  /** Opens the file, or the setting. */
  "instructions-open": { path },
  /** Takes them out of this chat. */
  "instructions-remove": { path },
  /** Lets a file guide the model that git does not track. */
  "instructions-allow": { path },
} as const;

/** The commands of the page. */
const commandNames = [
  "explain",
  "fix",
  "tests",
  "doc",
  "new",
  "mode",
  "model",
  "find",
  "summarize",
  "rewind",
  "history",
  "export",
] as const;

/** As other chats call them: found when they are typed, and not listed. */
export const commandAliases = { clear: "new", compact: "summarize", resume: "history" } as const satisfies Readonly<
  Record<string, CommandName>
>;

/** A file of such a name gets another one. */
export const reservedNames: readonly string[] = [...commandNames, ...Object.keys(commandAliases)];

export type CommandName = (typeof commandNames)[number];

const name = z.string().check(z.maxLength(200));

const promptIntents = {
  /** Asks for `prompts-listed`. */
  "prompts-list": {},
  /** Chooses the model, or the mode, that the prompt of that name asks for, for the chat that is shown. */
  "prompt-use": { name, what: z.enum(["model", "mode"]) },
  /** Opens the file of the prompt of that name. */
  "prompt-open": { name },
} as const;

export type PromptIntent = IntentOf<PageContract<typeof promptIntents, never>>;

/** One that can be started by its name. */
export interface PromptItem {
  readonly name: string;
  readonly group: "own" | "workspace" | "skill";
  /** The path in the workspace. */
  readonly path?: string;
  readonly description?: string;
  readonly hint?: string;
  /** git does not track it. */
  readonly isUntracked?: true;
  /** What it asks for: the person decides. `canUseModel`: the gateway lists it. `knownMode`: the mode here that is meant. */
  readonly model?: string;
  readonly canUseModel?: true;
  readonly mode?: string;
  readonly knownMode?: ChatMode;
  readonly tools?: readonly string[];
}

export type PromptMessage =
  /** `more`: files that are not listed, because there are too many. */
  | { readonly type: "prompts-listed"; readonly prompts: readonly PromptItem[]; readonly more: number }
  /** The list has changed; a page that has asked for it asks again. */
  | { readonly type: "prompts-changed" };

/** The messages about what is attached to a prompt: found by `#`, pasted, dropped or picked. The page names things; the host reads and judges them. */
const line = z.int().check(z.gte(1));
const imageId = z.string().check(z.regex(/^[0-9a-f]{64}$/));
/** Characters; the page makes about 6,000. */
const maxThumbnailLength = 30_000;
const thumbnail = z
  .string()
  .check(z.maxLength(maxThumbnailLength), z.regex(/^data:image\/(?:webp|png);base64,[A-Za-z0-9+/]+=*$/));

/** A `FileReference` within bounds. */
const referenceIntent = z.object({
  path: z.string().check(z.maxLength(4096)),
  lines: z.exactOptional(z.object({ first: line, last: line })),
  kind: z.exactOptional(z.enum(["folder", "problems"])),
  image: z.exactOptional(
    z.object({
      id: imageId,
      mimeType: z.enum(imageTypes),
      size: z.int().check(z.gte(0), z.lte(imageSizeCap)),
      thumbnail: z.exactOptional(thumbnail),
    }),
  ),
});

/** The chat that the page showed; empty while it has loaded none. */
const chat = z.string().check(z.maxLength(64));

const attachmentIntents = {
  /** Lists what can be attached, for the completion after `#`. */
  "context-find": { query: z.string().check(z.maxLength(200)) },
  /** `menu` asks what; `code` is the selection or the file of the editor. `attaching-ended` follows, with the `key`. */
  "context-add": {
    chat,
    key: z.int(),
    from: z.enum(["menu", "selection", "code", "code-with-problems"]),
  },
  /** Files that were dropped on the page, or named by `context-found`. `attaching-ended` follows, with the `key`. */
  "uris-add": {
    chat,
    key: z.int(),
    uris: z.array(z.string().check(z.maxLength(4096))).check(z.minLength(1), z.maxLength(referenceCap)),
  },
  /** An image that was pasted or dropped, as base64. The answer has its `key`. */
  "image-add": {
    chat,
    key: z.int(),
    name: z.string().check(z.maxLength(255)),
    data: z.string().check(z.maxLength(Math.ceil(imageSizeCap / 3) * 4)),
  },
  "image-open": { id: imageId },
  /** Opens the media form with the prompt and seed that the image's file holds. The page offers it once `picture-origin` has named the image. */
  "origin-use": { id: imageId },
  /** A command that was typed after `/`. */
  "command-run": { command: z.enum(["approval", "export", "find", "history"]) },
} as const;

export type AttachmentIntent = IntentOf<PageContract<typeof attachmentIntents, never>>;

type ItemKind = "group" | "file" | "image" | "folder" | "selection" | "problems" | "class" | "method" | "variable";

/** One line of the completion. */
export interface ContextItem {
  readonly kind: ItemKind;
  readonly label: string;
  readonly detail: string;
  /** What is attached; an image is named by `uri` and read by the host, and with neither it is the selection. */
  readonly reference?: FileReference;
  readonly uri?: string;
  /** Of a group: what is after `#` once it was chosen; its items are listed then. */
  readonly narrow?: string;
}

export type AttachmentMessage =
  /** The answer to `context-find`, best first; with `more` a longer one may follow. */
  | {
      readonly type: "context-found";
      readonly query: string;
      readonly items: readonly ContextItem[];
      readonly more?: true;
    }
  /** Attaches it to the draft of that chat, shown or not. `key` as in `image-add`; `data`: an image that the page has not seen, as base64. */
  | {
      readonly type: "reference-add";
      readonly chat: string;
      readonly reference: FileReference;
      readonly key?: number;
      readonly data?: string;
    }
  /** The file of the attached image with that id holds how it was made: the beginning of the prompt, and whether there is a seed. Sent after `reference-add`. */
  | { readonly type: "picture-origin"; readonly id: string; readonly prompt: string; readonly hasSeed: boolean }
  /** A sentence below the composer: why something was not attached; with `isRefusal` why the prompt that was sent was not taken. */
  | { readonly type: "composer-hint"; readonly text: string; readonly key?: number; readonly isRefusal?: true }
  /** All of that `context-add` or `uris-add` was attached or refused. */
  | { readonly type: "attaching-ended"; readonly key: number };

/** The messages about files that tools have changed. Which these are, and whether an undo is possible, only the host decides. */
const answer = z.string().check(z.maxLength(64));

/** The intents about the changes of a turn; `answer` is the id of the answer that ends it. */
const changeIntents = {
  "changes-show": { answer },
  "changes-undo": { answer },
  "changes-redo": { answer },
  "changes-keep": { answer },
  /** Takes the chat and the files back to before the message of that id, or before the last one where it is empty, after a question. */
  "chat-rewind": { entry: z.string().check(z.maxLength(64)) },
} as const;

/** The files that one answer has changed. `undone`: an undo has taken all of it back. */
export interface AnswerChanges {
  readonly answer: string;
  readonly files: readonly string[];
  readonly state: "made" | "kept" | "undone";
  /** Those of the files of which every change was undone, where that is only a part of them. */
  readonly undone?: readonly string[];
}

/** A media block of an answer, or an image in the result of a call, by its id. */
const place = { answer: z.string(), block: z.number(), image: z.exactOptional(z.string().check(z.maxLength(64))) };

export interface PicturePlace {
  readonly answer: string;
  readonly block: number;
  readonly image?: string;
}

export const mediaActions = ["save", "save-into-workspace", "insert"] as const;
export type MediaAction = (typeof mediaActions)[number];

const mediaIntents = {
  "media-request": { ...place },
  "media-act": { ...place, action: z.enum(mediaActions) },
  /** The answer to `image-scale`, as base64; without data where the image can't be decoded. */
  "image-scaled": {
    key: z.int(),
    data: z.exactOptional(z.string().check(z.maxLength(Math.ceil(imageSizeCap / 3) * 4))),
  },
} as const;

/** Without a picture: of a type or size that is not shown. `data` is base64. */
export interface MediaMessage extends PicturePlace {
  readonly type: "media";
  readonly picture?: { readonly mimeType: string; readonly data: string };
}

/** The messages about how a chat works: its mode. */
const step = z.string().check(z.minLength(1), z.maxLength(100));
const stepText = z.string().check(z.minLength(1), z.maxLength(stepLengthCap));

const planPlace = {
  answer: z.string().check(z.maxLength(64)),
  call: z.string().check(z.maxLength(1000)),
};

const reviewActs = ["list", "keep", "undo"] as const;
export type ReviewAct = (typeof reviewActs)[number];

const modeIntents = {
  /** `chat`: the one that the page showed. */
  "mode-set": { chat: z.string().check(z.maxLength(64)), mode: z.enum(chatModes) },
  /** What the person says to a question of the model: a choice by its place, words, or neither, which leaves it to the model. `question` is the id that the host issued. */
  "question-answer": {
    question: z.string().check(z.maxLength(64)),
    choice: z.exactOptional(z.int().check(z.gte(0), z.lte(5))),
    text: z.exactOptional(z.string().check(z.minLength(1), z.maxLength(10_000))),
  },
  /** What the person does to the plan. A new step has an id that the page makes. */
  "plan-edit": {
    chat: z.string().check(z.maxLength(64)),
    edit: z.discriminatedUnion("do", [
      z.object({ do: z.literal("mark"), step, state: z.enum(stepStates) }),
      z.object({ do: z.literal("reword"), step, text: stepText }),
      z.object({ do: z.literal("remove"), step }),
      z.object({ do: z.literal("add"), step, text: stepText }),
      z.object({ do: z.literal("clear") }),
    ]),
  },
  /** Opens the plan that the call has presented, in an editor. */
  "plan-open": planPlace,
  /** Has the model carry it out. */
  "plan-start": planPlace,
  /** Lists the modes. */
  "mode-choose": {},
  /** Whether edits of tracked files land at once, to be reviewed, or ask first: the other one than now. */
  "edits-set": { review: z.boolean() },
  /** Lists what is to be kept or undone in all files, or decides about it. */
  "review-act": { act: z.enum(reviewActs) },
};

/** The messages about the tasks of a chat. The page sends the ids of the tasks whose cards are drawn; the host answers with what each card shows. */
const cardActions = taskActions.filter(isCardAction);

/** More cards are never near the view, but for those of one task entry that has more. */
export const maxWatched = 500;

const taskCardIntents = {
  /** Asks in the quick pick what the prompt is to become, and submits it as a task. Empty: the prompt is asked for too. */
  "task-submit": { text: z.string().check(z.maxLength(promptCap)) },
  /** All tasks whose cards are drawn now, in place of those before. */
  "task-cards-watch": { tasks: z.array(taskId).check(z.maxLength(maxWatched)) },
  /** The results of tasks that were ordered together, beside each other. */
  "task-cards-compare": { tasks: z.array(taskId).check(z.maxLength(maxCompared)) },
  "task-card-action": { task: taskId, action: z.enum(cardActions) },
} as const;

export interface TaskCardView {
  /** The id of the task's intent. */
  readonly id: string;
  readonly state: { readonly name: string; readonly tone: StateTone };
  /** Its first line. */
  readonly prompt: string;
  /** Type, model, and what the state does not say: stale, cancel requested. */
  readonly facts: readonly string[];
  /** What went wrong and what it means, while there is something to decide. */
  readonly problem?: string;
  readonly money: string;
  readonly file?: ShownFile;
  readonly actions: readonly CardAction[];
  /** All of it in a sentence, for screen readers. */
  readonly spoken: string;
}

/** The state without a view means that the task is not on the list. */
export interface TaskCardState {
  readonly id: string;
  readonly view?: TaskCardView;
}

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
  /** What all answers of the chat have cost. Missing where nothing is known of it. */
  readonly prices?: readonly Price[];
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
  /** What is left there, as the gateway states it; missing where it is not known. */
  readonly balance?: readonly Price[];
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
  /** Edits of tracked files land at once, or ask first; missing until the person has chosen once in this workspace. */
  readonly edits?: "review" | "ask";
  /** The files with changes by a model, of any chat, that are to be kept or undone; missing for none. */
  readonly undecided?: number;
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
  /** The chat; a long one has its newest entries only. */
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

/** Where a piece is full: entries, or characters of their text. */
const limits = { entries: 60, characters: 300_000 };

interface EntriesPage {
  readonly entries: readonly Entry[];
  /** How many entries of the chat come before them. */
  readonly older: number;
}

/** The entries before the one of that id, as many as fit, and as far as `until`; the newest without one. */
export function entriesPage({ entries }: Chat, before?: string, until?: string): EntriesPage {
  const end = before === undefined ? entries.length : entries.findLastIndex(({ id }) => id === before);
  if (end < 0) return { entries: [], older: 0 };
  const wanted = until === undefined ? -1 : entries.findIndex(({ id }) => id === until);
  let start = end;
  let characters = 0;
  while (start > 0) {
    const isFull = end - start >= limits.entries || characters >= limits.characters;
    const isEnough = isFull && (wanted < 0 || start <= wanted);
    if (isEnough && !("blocks" in (entries[start] ?? {}))) break;
    start -= 1;
    characters += lengthOf(entries[start]);
  }
  return { entries: entries.slice(start, end), older: start };
}

function lengthOf(entry: Entry | undefined): number {
  if (entry === undefined) return 0;
  if (!("blocks" in entry)) return entry.text.length;
  return entry.blocks.reduce((sum, block) => sum + ("text" in block ? block.text.length : 1000), 0);
}
