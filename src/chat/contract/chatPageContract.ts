/** The contract of the chat page: the page posts intents, and the host posts a snapshot and then revisioned events. */
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
import { taskIdSchema } from "../../domain/task/taskId";
import type { ShownFile, StateTone } from "../../tasks/contract/taskPageContract";

/** The intents about the instructions of a chat. `path` names their file; it is empty for the person's own instructions. */
const path = z.string().check(z.maxLength(4096));

const instructionIntents = {
  /** Opens the file, or the setting. */
  "instructions-open": { path },
  /** Takes these instructions out of this chat. */
  "instructions-remove": { path },
  /** Allows instructions from a file that git does not track. */
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

/** Names that other chat products use for these commands. They work when typed, but the list does not show them. */
export const commandAliases = { clear: "new", compact: "summarize", resume: "history" } as const satisfies Readonly<
  Record<string, CommandName>
>;

/** A prompt file with one of these names is listed under another name. */
export const reservedNames: readonly string[] = [...commandNames, ...Object.keys(commandAliases)];

export type CommandName = (typeof commandNames)[number];

const name = z.string().check(z.maxLength(200));

const promptIntents = {
  /** Requests `prompts-listed`. */
  "prompts-list": {},
  /** Chooses, for the shown chat, the model or mode that the prompt with that name asks for. */
  "prompt-use": { name, what: z.enum(["model", "mode"]) },
  /** Opens the file of the prompt of that name. */
  "prompt-open": { name },
} as const;

export type PromptIntent = IntentOf<PageContract<typeof promptIntents, never>>;

/** A prompt or skill that can be started by its name. */
export interface PromptItem {
  readonly name: string;
  readonly group: "own" | "workspace" | "skill";
  /** The path in the workspace. */
  readonly path?: string;
  readonly description?: string;
  readonly hint?: string;
  /** True where git does not track the file. */
  readonly isUntracked?: true;
  /**
   * What the file asks for; the person decides whether to use it. `canUseModel`: the gateway lists the model. `knownMode`: the mode of Sluice that
   * `mode` stands for.
   */
  readonly model?: string;
  readonly canUseModel?: true;
  readonly mode?: string;
  readonly knownMode?: ChatMode;
  readonly tools?: readonly string[];
}

export type PromptMessage =
  /** `more`: files that are not listed, because there are too many. */
  | { readonly type: "prompts-listed"; readonly prompts: readonly PromptItem[]; readonly more: number }
  /** The list has changed. A page that has already requested the list requests it again. */
  | { readonly type: "prompts-changed" };

/** The messages about attachments of a prompt: found by `#`, pasted, dropped or picked. The page only names them; the host reads and checks them. */
const line = z.int().check(z.gte(1));
const imageId = z.string().check(z.regex(/^[0-9a-f]{64}$/));
/** The maximum length of a thumbnail, in characters. The page makes about 6,000. */
const maxThumbnailLength = 30_000;
const thumbnail = z
  .string()
  .check(z.maxLength(maxThumbnailLength), z.regex(/^data:image\/(?:webp|png);base64,[A-Za-z0-9+/]+=*$/));

/** A `FileReference` with limits on its lengths. */
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

/** The id of the chat that the page showed; empty while it has loaded none. */
const chat = z.string().check(z.maxLength(64));

const attachmentIntents = {
  /** Lists what can be attached, for the completion after `#`. */
  "context-find": { query: z.string().check(z.maxLength(200)) },
  /** `menu` asks what to attach; `code` is the selection or the file of the editor. The host posts `attaching-ended` with the `key` afterwards. */
  "context-add": {
    chat,
    key: z.int(),
    from: z.enum(["menu", "selection", "code", "code-with-problems"]),
  },
  /** Files that were dropped on the page, or named by `context-found`. The host posts `attaching-ended` with the `key` afterwards. */
  "uris-add": {
    chat,
    key: z.int(),
    uris: z.array(z.string().check(z.maxLength(4096))).check(z.minLength(1), z.maxLength(referenceCap)),
  },
  /** An image that was pasted or dropped, as base64. The host's reply has the same `key`. */
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
  /** The attachment. An image is named by `uri` and read by the host; an item with neither field is the selection. */
  readonly reference?: FileReference;
  readonly uri?: string;
  /** Only for a group: the text after `#` once the group was chosen. The page then lists the items of the group. */
  readonly narrow?: string;
}

export type AttachmentMessage =
  /** The reply to `context-find`, best match first. With `more`, a longer reply may follow. */
  | {
      readonly type: "context-found";
      readonly query: string;
      readonly items: readonly ContextItem[];
      readonly more?: true;
    }
  /**
   * Attaches the file to the draft of that chat, whether the chat is shown or not. `key` as in `image-add`; `data`: an image that the page has not
   * seen, as base64.
   */
  | {
      readonly type: "reference-add";
      readonly chat: string;
      readonly reference: FileReference;
      readonly key?: number;
      readonly data?: string;
    }
  /**
   * The image file with that id holds how the image was made: the beginning of the prompt, and whether there is a seed. Posted after `reference-add`.
   */
  | { readonly type: "picture-origin"; readonly id: string; readonly prompt: string; readonly hasSeed: boolean }
  /** A sentence below the composer that says why something was not attached or, with `isRefusal`, why the host refused the prompt. */
  | { readonly type: "composer-hint"; readonly text: string; readonly key?: number; readonly isRefusal?: true }
  /** Everything in the `context-add` or `uris-add` with that `key` was attached or refused. */
  | { readonly type: "attaching-ended"; readonly key: number };

/** The messages about files that tools have changed. Only the host decides which files these are and whether an undo is possible. */
const answer = z.string().check(z.maxLength(64));

/** The intents about the changes of a turn; `answer` is the id of the answer that ends it. */
const changeIntents = {
  "changes-show": { answer },
  "changes-undo": { answer },
  "changes-redo": { answer },
  "changes-keep": { answer },
  /** After a question, takes the chat and the files back to before the message with that id; an empty id means the last message. */
  "chat-rewind": { entry: z.string().check(z.maxLength(64)) },
} as const;

/** The files that one answer has changed. `undone`: an undo has reverted all of its changes. */
export interface AnswerChanges {
  readonly answer: string;
  readonly files: readonly string[];
  readonly state: "made" | "kept" | "undone";
  /** The files of which every change was undone, where these are only a part of `files`. */
  readonly undone?: readonly string[];
  /** Lines that the person has kept stay in a file whose other changes were undone. */
  readonly leavesKept?: true;
}

/** Addresses a media block of an answer, or an image in the result of a call by its id. */
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
  /** The reply to `image-scale`, as base64; it has no data where the image can't be decoded. */
  "image-scaled": {
    key: z.int(),
    data: z.exactOptional(z.string().check(z.maxLength(Math.ceil(imageSizeCap / 3) * 4))),
  },
} as const;

/** `picture` is missing where the type or size is not shown. `data` is base64. */
export interface MediaMessage extends PicturePlace {
  readonly type: "media";
  readonly picture?: { readonly mimeType: string; readonly data: string };
}

/** The messages about the mode of a chat, its plan, the questions of the model and the review. */
const step = z.string().check(z.minLength(1), z.maxLength(100));
const stepText = z.string().check(z.minLength(1), z.maxLength(stepLengthCap));

const planPlace = {
  answer: z.string().check(z.maxLength(64)),
  call: z.string().check(z.maxLength(1000)),
};

const reviewActs = ["list", "keep", "undo"] as const;
export type ReviewAct = (typeof reviewActs)[number];

const modeIntents = {
  /** `chat`: the id of the chat that the page showed. */
  "mode-set": { chat: z.string().check(z.maxLength(64)), mode: z.enum(chatModes) },
  /**
   * The person's reply to a question of the model: the index of a choice, a text, or neither, which leaves the decision to the model. `question` is
   * the id that the host issued.
   */
  "question-answer": {
    question: z.string().check(z.maxLength(64)),
    choice: z.exactOptional(z.int().check(z.gte(0), z.lte(5))),
    text: z.exactOptional(z.string().check(z.minLength(1), z.maxLength(10_000))),
  },
  /** A person's edit of the plan. The page makes the id of a new step. */
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
  /** Has the model carry out the plan that the call has presented. */
  "plan-start": planPlace,
  /** Lists the modes. */
  "mode-choose": {},
  /** `review`: edits of tracked files are applied at once, to be reviewed. Otherwise each asks first. */
  "edits-set": { review: z.boolean() },
  /** Lists what is to be kept or undone in all files, or decides about it. */
  "review-act": { act: z.enum(reviewActs) },
};

/** The messages about the tasks of a chat. The page sends the ids of the tasks whose cards are drawn; the host posts the content of each card. */
const cardActions = taskActions.filter(isCardAction);

/** No more cards than this are near the view, except where one task entry has more. */
export const maxWatched = 500;

const taskCardIntents = {
  /** Asks in the quick pick what the prompt is to become, and submits it as a task. An empty prompt is asked for too. */
  "task-submit": { text: z.string().check(z.maxLength(promptCap)) },
  /** All tasks whose cards are drawn now. The list replaces the previous one. */
  "task-cards-watch": { tasks: z.array(taskIdSchema).check(z.maxLength(maxWatched)) },
  /** Compares the results of tasks that were ordered together, next to each other. */
  "task-cards-compare": { tasks: z.array(taskIdSchema).check(z.maxLength(maxCompared)) },
  "task-card-action": { task: taskIdSchema, action: z.enum(cardActions) },
} as const;

export interface TaskCardView {
  /** The id of the task's intent. */
  readonly id: string;
  readonly state: { readonly name: string; readonly tone: StateTone };
  /** The first line of the prompt. */
  readonly prompt: string;
  /** The type, the model, and what the state does not name: stale, cancel requested. */
  readonly facts: readonly string[];
  /** The problem and its meaning. Missing where nothing needs a decision. */
  readonly problem?: string;
  readonly money: string;
  readonly file?: ShownFile;
  readonly actions: readonly CardAction[];
  /** The whole card as one sentence, for screen readers. */
  readonly spoken: string;
}

/** A state without `view` means that the task is not on the list. */
export interface TaskCardState {
  readonly id: string;
  readonly view?: TaskCardView;
}

/** The kinds of fields: the answer to a question of the model, the note to an approval that is refused, a step of the plan. */
export const fieldKinds = ["answer", "note", "step"] as const;

const typedText = z.string().check(z.maxLength(1_000_000));
const editedMessage = z.object({
  entry: z.string().check(z.maxLength(64)),
  text: typedText,
  without: z.array(z.int().check(z.nonnegative())).check(z.maxLength(referenceCap)),
});
/** `id`: that of the question, approval or step. */
const typedField = z.object({ kind: z.enum(fieldKinds), id: z.string().check(z.maxLength(1000)), text: typedText });

/** What is typed in a chat outside of the composer. */
export interface TypedTexts {
  readonly edits: readonly z.infer<typeof editedMessage>[];
  readonly fields: readonly z.infer<typeof typedField>[];
}

const intents = {
  /**
   * Sends the prompt, or queues it while a turn runs; `now`: sends it in that turn. `chat` is the id of the chat that the page showed, because the
   * host may show another one by now.
   */
  "prompt-submit": {
    chat: z.string().check(z.maxLength(64)),
    text: z.string().check(z.maxLength(promptCap)),
    references: z.exactOptional(z.array(referenceIntent).check(z.minLength(1), z.maxLength(referenceCap))),
    now: z.exactOptional(z.literal(true)),
  },
  /** The response to `draft-request`. The edited messages may be of any chat, because the page does not have all entries of the shown one. */
  "draft-given": {
    text: typedText,
    references: z.array(referenceIntent).check(z.maxLength(referenceCap)),
    edits: z.array(editedMessage).check(z.maxLength(1000)),
    fields: z.array(typedField).check(z.maxLength(1000)),
  },
  /** What was typed in the page, with the rest of its state (`SavedState`). Only the page reads it. */
  "state-changed": { state: z.record(z.string(), z.unknown()) },
  ...attachmentIntents,
  ...changeIntents,
  ...instructionIntents,
  ...promptIntents,
  ...modeIntents,
  /** Sends an edited prompt in place of `entry`. `without`: the attachments to leave out, counted from 0. */
  "prompt-resend": {
    entry: z.string(),
    text: z.string().check(z.maxLength(promptCap)),
    without: z.exactOptional(z.array(z.int().check(z.nonnegative())).check(z.maxLength(referenceCap))),
  },
  /** Requests another answer that replaces the last one. */
  "turn-regenerate": {},
  /** Undoes a `prompt-resend`, `turn-regenerate` or `chat-rewind`, or undoes that undo. */
  "branch-switch": {},
  /** Replaces the messages so far by a summary in the requests to the model. */
  "chat-summarize": {},
  /** Undoes a summary, or undoes that undo. */
  "summary-switch": { summary: z.string(), undone: z.boolean() },
  "message-pin": { entry: z.string(), pinned: z.boolean() },
  "queue-send": {},
  /** Removes a queued prompt. To edit one, the page puts its text into the composer before. */
  "queue-remove": { id: z.string() },
  /** Sends a queued prompt in the turn that runs, or at the end of that turn. */
  "queue-reschedule": { id: z.string(), now: z.boolean() },
  "turn-stop": {},
  /** Repeats the request after the last answer failed. */
  "turn-retry": {},
  /** Continues a turn that ended with its window, or an answer that is not complete. */
  "turn-continue": {},
  /** Makes this window the writer of the chat. Only possible where the window that wrote it is gone. */
  "chat-take-over": {},
  /** `approval` is the id that the host issued. Each approval is decided once. */
  "approval-decide": {
    approval: z.string(),
    allow: z.boolean(),
    note: z.optional(z.string().check(z.maxLength(10_000))),
    /** A yes to what the host offered beyond the call. The host decides what it covers. */
    scope: z.exactOptional(scopeSchema),
  },
  /** Opens a proposed change in the editor's own diff. `call` chooses one of several changes. */
  "diff-open": { approval: z.string(), call: z.exactOptional(z.string()) },
  /** Opens the file that this call of this answer reads or changes. */
  "file-open": { answer: z.string().check(z.maxLength(64)), call: z.string().check(z.maxLength(1000)) },
  /** Lists the rules. */
  "approvals-show": {},
  /** Makes the commands of this chat ask again. */
  "profile-end": {},
  /** Ends the running command with that id and opens a terminal for it. The host issued the id. */
  "command-move": { id: z.string().check(z.maxLength(64)) },
  /** Ends a command in the background. The id is the one under which it is listed. */
  "process-end": { id: z.string().check(z.maxLength(64)) },
  /** After a question, restarts a sandboxed command that serves a port, this time with the network. */
  "process-restart": { id: z.string().check(z.maxLength(64)) },
  /** Presses the button of an error card, for the answer with that id. */
  "error-action": { answer: z.string(), isSecond: z.exactOptional(z.literal(true)) },
  /** Shows the requests behind the answer with that id. */
  "request-show": { answer: z.string() },
  /** Requests the entries before the first one that the page has, back to `until`, which the page wants to show. */
  "entries-request": { before: z.string(), until: z.exactOptional(z.string()) },
  /** Finds a text in the shown chat, and again whenever the chat changes. An empty query ends the search. */
  "chat-find": { query: z.string().check(z.maxLength(1000)) },
  "chat-open": { id: z.string().check(z.maxLength(64)) },
  ...taskCardIntents,
  ...mediaIntents,
  "model-choose": {},
  /** A button of the empty chat, of a notice or of the composer. */
  "state-action": { action: z.enum(["open-folder", "manage-trust", "connect", "choose-gateway", "change-money-cap"]) },
  "chat-new": {},
  "page-focused": {},
  /** The response to `focus-await`: the page now gets the keys, at the element with the focus. */
  "focus-taken": { id: z.number() },
  "code-insert": { text: z.string().check(z.maxLength(1_000_000)) },
  /** Opens a diff with the code in the named file, or in the active editor's file. */
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

/** The intents that act on the editor; the others concern the page itself. */
export type EditorIntent = Exclude<
  ChatPageIntent,
  {
    readonly type:
      | "entries-request"
      | "chat-find"
      | "draft-given"
      | "state-changed"
      | "task-cards-watch"
      | "page-focused"
      | "focus-taken";
  }
>;

/** Numbers of tokens: `used` of `size`, and their parts. */
export interface ContextUse {
  readonly used: number;
  readonly size: number;
  /** The context size of the model is not known, so `size` is assumed. */
  readonly isAssumed?: true;
  readonly messages: number;
  readonly answers: number;
  readonly tools: number;
  readonly rest: number;
  /** The cost of all answers of the chat. Missing where none is known. */
  readonly prices?: readonly Price[];
}

/** The state that the page shows around the transcript. */
export interface ChatPageStatus {
  readonly connection: "starting" | "signed-out" | "ready" | "failed";
  /**
   * Why the gateway can't be used, in words, with the actions that help (`error-action` with an empty `answer`). A connection that is ready can have
   * a problem too, when its list of models could not be read.
   */
  readonly problem?: ErrorDescription;
  /** The gateway as shown to the person: *Local gateway* or its host name. */
  readonly gateway: string;
  /** The balance as the gateway states it; missing where it is not known. */
  readonly balance?: readonly Price[];
  /** The gateway and account of the next prompt (`homeMark`), once they are ready. */
  readonly home?: string;
  /** The gateway is the local one that ships inside: free, and on this machine. */
  readonly local?: true;
  /** Why there is no model to use although the gateway could be reached. */
  readonly noModel?: string;
  /** The model of the next prompt; empty while none is known. */
  readonly model: string;
  /** The abilities of the model, in words; missing while nothing is known. */
  readonly modelFacts?: string;
  /** The effort that was chosen for this chat; missing where none was chosen. */
  readonly effort?: Effort;
  /** The model has refused tools before, so none are sent to it. */
  readonly toolsRefused?: true;
  /** The model is known to accept no images. */
  readonly imagesRefused?: true;
  /** Missing until a service has counted the tokens of this chat. */
  readonly context?: ContextUse;
  /** The model is the local gateway's own demo model: it follows rules and is not a language model. */
  readonly demoModel: boolean;
  /** False in Restricted Mode, in which the chat works but has no tools for files. */
  readonly trusted: boolean;
  /** No folder is open, so there are no files for tools. */
  readonly noFolder?: true;
  /** No folder of a trusted workspace is on a disk of this machine, so there are no files for tools. */
  readonly noFiles?: true;
  /** Prompts that work in this workspace; shown while the chat is empty. */
  readonly suggestions: readonly Suggestion[];
  /** Shown above the composer when another window writes the chat, or its file can't be written. */
  readonly chatNotice?: ChatNotice;
  /** A sentence on costs that the cap of money for a chat can't count, because they are in another currency; missing where there are none. */
  readonly uncounted?: string;
  /** Commands of this chat run without a question, because the person allowed that for the session. */
  readonly commandsAllowed?: true;
  /** `review`: edits of tracked files are applied at once; `ask`: each asks first. Missing until the person has chosen once in this workspace. */
  readonly edits?: "review" | "ask";
  /** The number of files, over all chats, with changes by a model that are to be kept or undone; missing for none. */
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

/** `line`: the command line as the model wrote it; `lastLine`: the last line of its output. */
export interface ShownProcess extends Pick<
  BackgroundProcess,
  "id" | "line" | "lastLine" | "port" | "heldPort" | "made"
> {
  /** The chat that has started it, where that is another chat of this window. */
  readonly otherChat?: string;
}

/** `kind`: the part of the product that the suggestion shows. */
export interface Suggestion {
  readonly kind: "ask" | "read" | "edit" | "make";
  readonly text: string;
}

/** `at`: the time of its last change, in milliseconds since 1970. `waits`: a question of the chat waits for the person. */
export interface RecentChat {
  readonly id: string;
  readonly title: string;
  readonly at: number;
  readonly waits?: true;
}

/** `canTakeOver`: the window that wrote the chat is gone, so this one can become the writer. */
export interface ChatNotice {
  readonly text: string;
  readonly canTakeOver: boolean;
}

export interface ChatPageSnapshot {
  /** The chat; a long one contains only its newest entries. */
  readonly chat: Chat;
  readonly status: ChatPageStatus;
  /** How many entries come before those of `chat`. The page requests them as the person scrolls up. Missing for none. */
  readonly older?: number;
}

/** All that the host posts. */
export type ChatPageMessage =
  | ProjectedMessage<ChatPageSnapshot, SessionEvent>
  | { readonly type: "status"; readonly status: ChatPageStatus }
  /** The entries right before the entry `before` of the chat, and how many come before them. */
  | ({ readonly type: "entries"; readonly chat: string; readonly before: string } & EntriesPage)
  /** The reply to `chat-find`: the entries that contain the text. */
  | { readonly type: "chat-found"; readonly chat: string; readonly query: string; readonly hits: readonly FoundEntry[] }
  /** Requests `focus-taken` once all earlier messages are drawn and the page has the focus. */
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
  /** The states of the watched tasks that have changed on the task board. */
  | { readonly type: "task-cards"; readonly cards: readonly TaskCardState[] }
  | MediaMessage
  | ScaleMessage
  /**
   * The text of that chat's draft became a task, or moved to another page together with the `references`, `edits` and `fields`. The page clears the
   * text and drops these references, unless the text was edited meanwhile, and drops those texts of messages and fields that were not.
   */
  | ({
      readonly type: "composer-clear";
      readonly chat: string;
      readonly text: string;
      readonly references?: readonly FileReference[];
    } & Partial<TypedTexts>)
  /**
   * Inserts text at the caret of the composer, or before the draft, and focuses the composer, without sending. Where another chat than `chat` is
   * shown, the text goes into the stored draft of `chat`. An empty text only focuses the composer.
   */
  | { readonly type: "composer-insert"; readonly chat: string; readonly text: string; readonly isBefore?: true }
  /** What was typed in that chat on another page. It is posted before the snapshot of the chat, because a field gets its text when it is first drawn. */
  | ({ readonly type: "typed-add"; readonly chat: string } & TypedTexts)
  /** Asks for the composer's content and what else is typed in the chat, because the host moves it to another page. */
  | { readonly type: "draft-request" }
  /** The host refused a change of the chat that the page already shows. The page shows the chat's own state again, and this text as the reason. */
  | { readonly type: "change-refused"; readonly text: string }
  /** Moves the focus to the waiting approval. */
  | { readonly type: "approval-focus" }
  | AttachmentMessage
  | PromptMessage;

/** The limits of one page of entries: their number, and the characters of their text. */
const limits = { entries: 60, characters: 300_000 };

interface EntriesPage {
  readonly entries: readonly Entry[];
  /** How many entries of the chat come before them. */
  readonly older: number;
}

/** The entries before the one with the id `before`, as many as fit, and back to `until` where it is given. Without `before`, the newest ones. */
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
