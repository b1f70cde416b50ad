/** The shape of a tool call on its way: what it does, what a person is asked, how far it is. Facts only; `describeTool.ts` has the words. */
import * as z from "zod/mini";
import { resultImageSchema, untrustedSchema as untrusted } from "./attachmentSchema";
import { inputSchema } from "./chatEventSchema";
import { instructionsSchema } from "./environmentSchema";
import { pricesSchema } from "../prices/priceList";
import { offerSchema, scopeSchema } from "./ruleSchema";
import { planPlaceSchema, planStepSchema } from "./plan";

const text = z.string();

/** How the text of an edit differed from the file and could still be matched to one place. */
export const repairSchema = z.enum([
  "trailing-blanks",
  "indentation",
  "inner-blanks",
  "blank-lines",
  "quotes",
  /** Characters were written as entities of HTML. */
  "entities",
  /** Line ends were escaped once too often. */
  "escapes",
]);

/** See `ChangedLines`. */
const changedLines = z.exactOptional(z.object({ first: z.number(), added: z.number(), removed: z.number() }));

/** The reason why the text is not shown. */
const unshown = z.exactOptional(z.enum(["binary", "long"]));

/** The action on a file. `trash`: the system has one. `isFinal`: nothing is kept for an undo. */
const fileActions = [
  z.object({
    type: z.literal("edit-file"),
    path: text,
    changedLines: z.number(),
    lines: changedLines,
    repairs: z.exactOptional(z.array(repairSchema)),
    unshown,
  }),
  z.object({ type: z.literal("create-file"), path: text, lines: changedLines, unshown }),
  z.object({ type: z.literal("rename-file"), path: text, to: text }),
  z.object({
    type: z.literal("delete-file"),
    path: text,
    trash: z.boolean(),
    isFinal: z.exactOptional(z.literal(true)),
  }),
] as const;

/** Stands for the further changes that a long list omits. */
const moreFiles = z.object({ type: z.literal("more-files"), count: z.number() });

/** The action of a prepared call. Paths are as shown to the person. */
export const toolActionSchema = z.discriminatedUnion("type", [
  /** A call that was not prepared, or whose tool has no action of its own. */
  z.object({ type: z.literal("call"), name: text }),
  z.object({ type: z.literal("list-files"), folder: z.exactOptional(text) }),
  /** Lines are counted from 1, both included. Without `last`, they go up to the end of the file, or to where the result is cut. */
  z.object({
    type: z.literal("read-file"),
    path: text,
    lines: z.exactOptional(z.object({ first: z.number(), last: z.exactOptional(z.number()) })),
  }),
  z.object({
    type: z.literal("find-text"),
    text,
    isPattern: z.exactOptional(z.boolean()),
    folder: z.exactOptional(text),
  }),
  /** `name`: a glob or a part of the path. */
  z.object({ type: z.literal("find-files"), name: text, folder: z.exactOptional(text) }),
  z.object({ type: z.literal("list-symbols"), path: text }),
  z.object({ type: z.literal("find-symbols"), name: text }),
  /** `path`: where the symbol is used. */
  z.object({ type: z.enum(["find-definition", "find-references"]), symbol: text, path: text }),
  z.object({ type: z.literal("list-problems"), path: z.exactOptional(text) }),
  z.object({ type: z.literal("list-editors") }),
  /** A call with a path gives the diff of that file. */
  z.object({ type: z.literal("list-changes"), path: z.exactOptional(text) }),
  /** The file is read first; the edit itself asks again. `paths`: each, where they are several; `path` is the list of them then. */
  z.object({ type: z.literal("read-for-edit"), path: text, paths: z.exactOptional(z.array(text)) }),
  ...fileActions,
  moreFiles,
  /** The call changes several files at once. */
  z.object({
    type: z.literal("change-files"),
    parts: z.array(z.discriminatedUnion("type", [...fileActions, moreFiles])),
  }),
  /** `taskType` is one of `taskTypes`. `count` is the number of tasks, where they are several. */
  z.object({
    type: z.literal("submit-task"),
    taskType: text,
    model: text,
    count: z.exactOptional(z.number()),
    /** The price of all tasks. */
    price: z.exactOptional(pricesSchema),
  }),
  z.object({ type: z.literal("get-task"), prompt: text }),
  z.object({ type: z.literal("cancel-task"), prompt: text }),
  z.object({ type: z.enum(["list-tasks", "list-task-models"]) }),
  /** `count` is the number of results. */
  z.object({ type: z.literal("compare-results"), count: z.number() }),
  /** `path` has no ending. */
  z.object({ type: z.literal("save-result"), prompt: text, path: text }),
  /**
   * `folder` is missing for the only root. `outside` is the model's reason, which may be empty, to run the command outside of the sandbox that there
   * is. `process` is the id under which it was started in the background. `port` is where it is to be reached.
   */
  z.object({
    type: z.literal("run-command"),
    command: text,
    folder: z.exactOptional(text),
    outside: z.exactOptional(text),
    isBackground: z.exactOptional(z.literal(true)),
    process: z.exactOptional(text),
    port: z.exactOptional(z.number()),
  }),
  /** These calls are about a command in the background. `text` is a line that is written to it. */
  z.object({ type: z.literal("read-process"), command: text }),
  z.object({ type: z.literal("write-process"), command: text, text }),
  z.object({ type: z.literal("end-process"), command: text }),
  /** `proxy` is the one that the request goes through, as host and port. */
  z.object({ type: z.literal("fetch-url"), url: text, proxy: z.exactOptional(text) }),
  /** A picture of a page on this machine. */
  z.object({ type: z.literal("view-page"), url: text }),
  /** A call of a tool of VS Code, of another extension or of an MCP server, or one that reads more of what such a tool returned. */
  z.object({ type: z.enum(["foreign-tool", "read-result"]), name: text }),
  /** A step of a call that was not run has no id. */
  z.object({
    type: z.literal("update-plan"),
    steps: z.array(z.extend(planStepSchema, { id: z.exactOptional(text) })),
    /** The call that has presented the document of these steps. */
    document: z.exactOptional(planPlaceSchema),
    /** These are the steps of other work, while steps of a document were still open: that document is not followed any more. */
    leftDocument: z.exactOptional(z.literal(true)),
  }),
  /** `text`: as the model wrote it, in Markdown. */
  z.object({ type: z.literal("present-plan"), title: text, text }),
  /** A reader with a context of its own looks for the answer. `calls` and the rest are missing while it runs, and where it found none. */
  z.object({
    type: z.literal("explore"),
    question: text,
    /** The number of calls that it made. */
    calls: z.exactOptional(z.number()),
    tokens: z.exactOptional(z.number()),
    /** The price of its answers. */
    price: z.exactOptional(pricesSchema),
  }),
  /** `answer`: the person's words. Missing until they answer, and where they left it to the model. */
  z.object({ type: z.literal("ask-person"), question: text, answer: z.exactOptional(text) }),
]);

/** A question of the model to the person. All of it is the model's text. */
export const personQuestionSchema = z.object({
  text,
  choices: z.array(z.object({ label: text, description: z.exactOptional(text) })),
});

/** The reasons why a person is asked before a call runs. */
export const askReasonSchema = z.enum([
  "writes-file",
  /** Its name is one of those that hold keys and passwords. */
  "secret",
  /** git ignores it. */
  "ignored",
  /** An ignore file can't be read, so whether git ignores it is not known. */
  "ignore-rules-unreadable",
  /** The path is in a folder of packages or of version control. */
  "unlisted",
  "hard-link",
  /** It lies in another repository inside of a folder of the workspace. */
  "nested-repository",
  /** An editor, a shell, git, CI or an agent would run it. */
  "executed",
  /** A task that the gateway charges for. */
  "submits-task",
  /** A task of the local gateway. */
  "submits-free-task",
  "cancels-task",
  "runs-command",
  /** There is a sandbox, and the command would run outside of it. */
  "outside-sandbox",
  /** It runs in the sandbox, but with the network of the machine. */
  "uses-network",
  "runs-confined",
  /** It runs in the sandbox, in the workspace itself: what it makes is there at once, and it may run what others put there. */
  "runs-in-place",
  /** It goes on after the call. */
  "stays-running",
  "stages-foreign",
  /** The line is more than plain words, so what a shell makes of it is not known before. */
  "shell",
  /** The change adds an address, which an editor or a viewer may load without a click. */
  "remote-reference",
  /** The effect of the tool is not known here. */
  "foreign-tool",
  /** The address goes to a server on the internet, and may carry what the model has read. */
  "fetches-url",
  "not-encrypted",
  /** The port is neither 80 nor 443. */
  "unusual-port",
  /** The model has read a file that may hold a secret, which an address could carry out. */
  "after-secret",
  "views-page",
  /** A command made it on its copy of the workspace, and it is not in the workspace yet. */
  "from-copy",
  /** It is a link, or would be. */
  "link",
  /** The file is known neither as source or data, nor as something that is run. */
  "unknown-kind",
  /** The file may be run after the change, where it could not be before. */
  "runnable",
  /** The person or another program has changed it too, meanwhile. */
  "changed-meanwhile",
  /** The person has taken the same edit back in this chat. */
  "taken-back",
]);

/** A change to one file, as unified-diff hunks without the file header. */
export const diffPreviewSchema = z.object({
  path: text,
  hunks: z.array(
    z.object({
      /** The number of the first line shown, from 1. */
      oldStart: z.number(),
      newStart: z.number(),
      /** Each begins with a space, `+` or `-`. */
      lines: z.array(text),
    }),
  ),
});

/** Decided in the host: the chat page only reports which button was pressed for which `id`. Each id is used once. */
const approvalSchema = z.object({
  /** Calls that are asked about together have the same id. */
  id: text,
  reasons: z.array(askReasonSchema),
  /** The rules that a yes could make beyond this call. */
  offers: z.exactOptional(z.array(offerSchema)),
  /** The foreign text that the model has read, since which rules are not applied. */
  after: z.exactOptional(text),
  /** The foreign text that the model has read, since which no rule is offered. */
  onceAfter: z.exactOptional(text),
  /** The profile of the session was switched off, since the model has read `after`. */
  profileEnded: z.exactOptional(z.literal(true)),
  /** For a command: files that the model has changed under a rule, and that no question has listed before. */
  changed: z.exactOptional(z.array(text)),
});

/**
 * The way in which a call was allowed: at the question, by a rule of the session or the workspace, or by the sandbox that it runs in. Missing where
 * nothing had to be allowed.
 */
export const allowedSchema = z.enum(["call", "sandbox", ...scopeSchema.options]);

/** A call of a reader, shown below the call that the chat made. `call` is its id among those of the reader. */
export const toolStepSchema = z.object({
  call: text,
  action: toolActionSchema,
  state: z.enum(["running", "done", "failed"]),
});

/** The progress of a running call, where its tool can report it. */
export const toolActivitySchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("files-visited"), files: z.number() }),
  /** `tokens` are those that the reader has taken so far. */
  z.object({ type: z.literal("exploring"), calls: z.number(), tokens: z.number() }),
  /** The person can move it to a terminal under this id, which is random. */
  z.object({ type: z.literal("command-running"), id: text }),
]);

/** See `CappedText`. */
export const outputSchema = z.object({ head: text, omitted: z.number(), tail: text });

const input = inputSchema;
const action = toolActionSchema;
/** `started`: the call may have had effects. `input` is missing when its arguments had not arrived. */
const ended = { input: z.exactOptional(input), action, started: z.boolean() };
const allowed = z.exactOptional(allowedSchema);
/** The profile of the session was switched off, because this result holds foreign text. */
const profileEnded = z.exactOptional(z.literal(true));
/** The length in characters of a result that was cut to fit into the model's context. */
const cutFrom = z.exactOptional(z.number());

export const toolProgressSchema = z.discriminatedUnion("state", [
  z.object({ state: z.literal("arriving") }),
  /** Arguments that did not parse or were cut; never run. */
  z.object({ state: z.literal("invalid"), reason: text, atLimit: z.exactOptional(z.literal(true)) }),
  z.object({ state: z.literal("ready"), input }),
  /** `change` is what would be written. */
  z.object({
    state: z.literal("waiting"),
    input,
    action,
    change: z.exactOptional(diffPreviewSchema),
    /** The changes of a call that changes several files, in place of `change`. */
    changes: z.exactOptional(z.array(z.object({ action, change: z.exactOptional(diffPreviewSchema) }))),
    approval: approvalSchema,
  }),
  /** It waits for an answer. `id` is random, used once, and no id of an approval. */
  z.object({ state: z.literal("asking"), input, action, id: text, question: personQuestionSchema }),
  z.object({ state: z.literal("running"), input, action, allowed }),
  /** `result` is the text for the model; `tasks` are the ids of the intents of tasks that the call submitted. */
  z.object({
    state: z.literal("done"),
    input,
    action,
    result: text,
    /** Images that the model sees in addition to the text. */
    images: z.exactOptional(z.array(resultImageSchema)),
    tasks: z.exactOptional(z.array(text)),
    /** The instructions of folders below which the call read a file for the first time in the chat. They are sent after the result. */
    instructions: z.exactOptional(z.array(instructionsSchema)),
    cutFrom,
    allowed,
    untrusted,
    profileEnded,
  }),
  /** `heldBack`: the sandbox that the call ran in seems to have made it fail. */
  z.object({
    state: z.literal("failed"),
    input,
    action,
    result: text,
    heldBack: z.exactOptional(z.literal(true)),
    cutFrom,
    allowed,
    untrusted,
    profileEnded,
  }),
  z.object({ state: z.literal("denied"), input, action, note: z.exactOptional(text) }),
  /** A person stopped the turn. */
  z.object({ state: z.literal("stopped"), ...ended, allowed }),
  /** The window ended while the call was open. */
  z.object({ state: z.literal("interrupted"), ...ended }),
]);

/** A part of the arguments that was read in another form than the model wrote. An argument inside of a list is named `edits[0].oldText`. */
export const argumentNoteSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("renamed"), from: text, to: text }),
  /** Its value was of another type or in another form. */
  z.object({ type: z.literal("converted"), name: text }),
  /** The tool has no such argument. */
  z.object({ type: z.literal("ignored"), name: text }),
]);

/** The arguments as the tool reads them, where the model wrote them in another form. */
export const argumentReadingSchema = z.object({ input, notes: z.array(argumentNoteSchema) });

export const toolCallBlockSchema = z.object({
  type: z.literal("tool-call"),
  block: z.number(),
  call: text,
  wireId: z.exactOptional(text),
  name: text,
  /** The name that the model called, where it was another way of writing `name`. */
  calledAs: z.exactOptional(text),
  /** The raw argument text so far. */
  argumentText: text,
  /** The arguments that a person is shown and that are run. The model gets back what it wrote. */
  reading: z.exactOptional(argumentReadingSchema),
  /** The model wrote the call as this text, in place of a call of the service's form. */
  written: z.exactOptional(text),
  progress: toolProgressSchema,
  /** The document of the plan that the call presented, as the person has left it, and whether the model has got it. */
  document: z.exactOptional(
    z.object({
      text,
      isTold: z.exactOptional(z.literal(true)),
      /** The person has started it, so its steps are those of the plan. */
      isStarted: z.exactOptional(z.literal(true)),
      /** The source of foreign text that the model had read when it added a step. */
      untrusted: z.exactOptional(text),
    }),
  ),
  /** The newest report of the running call. */
  activity: z.exactOptional(toolActivitySchema),
  /** The steps of the reader that the call sent, in their order. */
  steps: z.exactOptional(z.array(toolStepSchema)),
  /** The output of the call so far, for a person to watch. The model gets the result. */
  output: z.exactOptional(outputSchema),
});
