/** Reads what the host posts to the chat page: messages whole, events one by one, since a newer host may know more kinds. */
import * as z from "zod/mini";
import { chatEventSchema } from "../domain/chatSchema";
import type { SessionEvent } from "../domain/transcript";
import { chatSchema, sessionEventSchema } from "../domain/transcriptSchema";
import { attachmentMessages } from "./attachmentMessages";
import { answerChanges } from "./changeMessages";
import { jobsMessage } from "./jobMessages";
import { mediaMessage } from "./mediaMessages";
import type { PanelSnapshot, PanelStatus, ToView } from "./panelMessages";
import type { ReadProjected } from "./projection";

// Otherwise zod probes whether it may compile code, which the page's content security policy forbids and reports.
z.config({ jitless: true });

const revision = z.int().check(z.nonnegative());
const button = z.object({
  id: z.enum([
    "set-key",
    "change-cap",
    "choose-gateway",
    "retry",
    "reconcile",
    "open-console",
    "add-funds",
    "choose-model",
    "show-log",
    "check-connection",
    "reload-window",
  ]),
  label: z.string(),
});
const description = z.object({
  title: z.string(),
  meaning: z.string(),
  action: button,
  secondAction: z.exactOptional(button),
  details: z.string(),
});
const tokens = z.int().check(z.nonnegative());
const context = z.object({
  used: tokens,
  size: z.exactOptional(tokens),
  messages: tokens,
  answers: tokens,
  tools: tokens,
  rest: tokens,
});
const status: z.ZodMiniType<PanelStatus> = z.object({
  connection: z.enum(["starting", "signed-out", "ready", "failed"]),
  problem: z.exactOptional(description),
  gateway: z.string(),
  local: z.exactOptional(z.literal(true)),
  noModel: z.exactOptional(z.string()),
  model: z.string(),
  modelFacts: z.exactOptional(z.string()),
  toolsRefused: z.exactOptional(z.literal(true)),
  imagesRefused: z.exactOptional(z.literal(true)),
  context: z.exactOptional(context),
  demonstrator: z.boolean(),
  trusted: z.boolean(),
  noFolder: z.exactOptional(z.literal(true)),
  noFiles: z.exactOptional(z.literal(true)),
  suggestions: z.array(z.string()),
  chatNotice: z.exactOptional(z.object({ text: z.string(), canTakeOver: z.boolean() })),
  changes: z.exactOptional(z.array(answerChanges)),
  recent: z.exactOptional(z.array(z.object({ id: z.string(), title: z.string(), at: z.number() }))),
});

const typed = z.looseObject({ type: z.string() });
const message = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("snapshot"),
    revision,
    snapshot: z.object({ chat: chatSchema, status, older: z.exactOptional(revision) }),
  }),
  z.object({
    type: z.literal("entries"),
    chat: z.string(),
    before: z.string(),
    entries: chatSchema.shape.entries,
    older: revision,
  }),
  z.object({ type: z.literal("events"), after: revision, events: z.array(typed) }),
  z.object({ type: z.literal("status"), status }),
  z.object({
    type: z.literal("chat-found"),
    chat: z.string(),
    query: z.string(),
    hits: z.array(z.object({ entry: z.string(), parts: z.array(revision) })),
  }),
  z.object({ type: z.literal("find-open") }),
  z.object({ type: z.literal("entry-reveal"), chat: z.string(), entry: z.string(), words: z.array(z.string()) }),
  jobsMessage,
  mediaMessage,
  z.object({ type: z.literal("composer-clear"), text: z.string() }),
  z.object({ type: z.literal("composer-submit-task") }),
  z.object({ type: z.literal("composer-insert"), text: z.string() }),
  ...attachmentMessages,
  z.object({ type: z.literal("approval-focus") }),
  z.object({ type: z.literal("draft-request") }),
]);

/** As `ToView`, as far as the page understands it. */
export type ReadMessage =
  ReadProjected<PanelSnapshot, SessionEvent> | Exclude<ToView, { readonly type: "snapshot" | "events" }>;

/** `undefined` for anything but a message of the host. */
export function readToView(value: unknown): ReadMessage | undefined {
  const read = message.safeParse(value);
  if (!read.success) return undefined;
  if (read.data.type !== "events") return read.data;
  const events: (SessionEvent | undefined)[] = [];
  for (const one of read.data.events) {
    const event = sessionEventSchema.safeParse(one);
    if (!event.success && isKnown(one)) return { type: "unreadable" };
    events.push(event.data);
  }
  return { ...read.data, events };
}

interface EventUnion {
  readonly def: { readonly options: readonly { readonly shape: { readonly type: z.ZodMiniLiteral<string> } }[] };
}

function isKnown(event: z.infer<typeof typed>): boolean {
  if (event.type !== "answer-event") return hasType(sessionEventSchema, event.type);
  const inner = typed.safeParse(event["event"]);
  return !inner.success || hasType(chatEventSchema, inner.data.type);
}

function hasType({ def }: EventUnion, type: string): boolean {
  return def.options.some(({ shape }) => shape.type.def.values.includes(type));
}
