/** Reads what the host posts to the chat page: messages whole, events one by one, for a newer host may say more. */
import * as z from "zod/mini";
import { families } from "../domain/chat";
import type { Block, Chat, Entry, SessionEvent, ToolProgress } from "../domain/transcript";
import type { PanelStatus, ToView } from "./messages";

// The library would otherwise try whether it may compile code, which the page's policy forbids and reports.
z.config({ jitless: true });

const revision = z.int().check(z.nonnegative());
const input = z.record(z.string(), z.unknown());
const optionalText = z.exactOptional(z.string());
const optionalCount = z.exactOptional(z.number());
const finish = z.enum([
  "stop",
  "tool-calls",
  "length",
  "content-filter",
  "refusal",
  "pause",
  "context-window",
  "error",
  "unknown",
]);
const family = z.enum(families);
const usage = z.object({
  input: optionalCount,
  output: optionalCount,
  reasoning: optionalCount,
  cacheRead: optionalCount,
  cacheWrite: optionalCount,
  raw: z.unknown(),
});
const error = z.object({
  title: z.string(),
  meaning: z.string(),
  action: z.object({
    id: z.enum(["set-key", "choose-gateway", "retry", "reconcile", "open-console", "choose-model", "show-log"]),
    label: z.string(),
  }),
  details: z.string(),
});
const approval = z.object({
  id: z.string(),
  title: z.string(),
  reason: z.string(),
  preview: z.exactOptional(
    z.object({
      path: z.string(),
      hunks: z.array(z.object({ oldStart: z.number(), newStart: z.number(), lines: z.array(z.string()) })),
    }),
  ),
});
const progress: z.ZodMiniType<ToolProgress> = z.discriminatedUnion("state", [
  z.object({ state: z.literal("arriving") }),
  z.object({ state: z.literal("invalid"), reason: z.string() }),
  z.object({ state: z.literal("ready"), input }),
  z.object({ state: z.literal("waiting"), input, approval }),
  z.object({ state: z.literal("running"), input, title: z.string() }),
  z.object({ state: z.enum(["done", "failed"]), input, title: z.string(), result: z.string() }),
  z.object({ state: z.literal("denied"), input, title: z.string(), note: optionalText }),
  z.object({ state: z.literal("stopped"), input, title: z.string() }),
]);
const block: z.ZodMiniType<Block> = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("text"),
    block: z.number(),
    text: z.string(),
    refusal: z.exactOptional(z.literal(true)),
  }),
  z.object({ type: z.literal("reasoning"), block: z.number(), text: z.string() }),
  z.object({
    type: z.literal("tool-call"),
    block: z.number(),
    call: z.string(),
    wireId: optionalText,
    name: z.string(),
    argumentText: z.string(),
    progress,
  }),
  z.object({ type: z.literal("citation"), block: z.number(), url: optionalText, title: optionalText }),
  z.object({ type: z.literal("media"), block: z.number(), mimeType: z.string(), data: z.string() }),
  z.object({ type: z.literal("opaque"), block: z.number(), family, data: z.unknown() }),
]);
const entry: z.ZodMiniType<Entry> = z.discriminatedUnion("type", [
  z.object({ type: z.literal("user"), id: z.string(), text: z.string(), at: z.number() }),
  z.object({
    type: z.literal("answer"),
    id: z.string(),
    model: z.string(),
    family,
    startedAt: z.number(),
    endedAt: optionalCount,
    state: z.enum(["streaming", "complete", "stopped", "failed"]),
    blocks: z.array(block),
    finish: z.exactOptional(finish),
    cut: z.exactOptional(z.boolean()),
    usage: z.exactOptional(usage),
    error: z.exactOptional(error),
    retries: z.exactOptional(z.array(z.object({ reason: z.string(), delayMs: optionalCount }))),
  }),
]);
const chat: z.ZodMiniType<Chat> = z.object({ id: z.string(), entries: z.array(entry), running: z.boolean() });
const status: z.ZodMiniType<PanelStatus> = z.object({
  connection: z.enum(["starting", "signed-out", "ready", "failed"]),
  problem: z.exactOptional(error),
  gateway: z.string(),
  model: z.string(),
  demonstrator: z.boolean(),
  trusted: z.boolean(),
  suggestions: z.array(z.string()),
});

/** Those that change what is shown; the others of the stream are for the log. */
const answerEvents = [
  z.object({
    type: z.literal("text-delta"),
    block: z.number(),
    text: z.string(),
    refusal: z.exactOptional(z.literal(true)),
  }),
  z.object({ type: z.literal("reasoning-delta"), block: z.number(), text: z.string() }),
  z.object({
    type: z.literal("tool-call-start"),
    block: z.number(),
    call: z.string(),
    wireId: optionalText,
    name: z.string(),
  }),
  z.object({ type: z.literal("tool-call-delta"), call: z.string(), text: z.string() }),
  z.object({ type: z.literal("tool-call-end"), call: z.string(), input }),
  z.object({ type: z.literal("tool-call-invalid"), call: z.string(), text: z.string(), reason: z.string() }),
  z.object({
    type: z.literal("citation"),
    block: z.number(),
    url: optionalText,
    title: optionalText,
    raw: z.unknown(),
  }),
  z.object({ type: z.literal("media"), block: z.number(), mimeType: z.string(), data: z.string() }),
  z.object({ type: z.literal("opaque"), block: z.number(), family, data: z.unknown() }),
  z.extend(usage, { type: z.literal("usage") }),
  z.object({ type: z.literal("message-end"), finish, raw: optionalText, cut: z.boolean() }),
] as const;
const sessionEvents = [
  z.object({ type: z.literal("prompt-added"), id: z.string(), text: z.string(), at: z.number() }),
  z.object({ type: z.literal("turn-started") }),
  z.object({ type: z.literal("answer-started"), id: z.string(), model: z.string(), family, at: z.number() }),
  z.object({
    type: z.literal("answer-retry"),
    id: z.string(),
    retry: z.object({ reason: z.string(), delayMs: optionalCount }),
  }),
  z.object({ type: z.literal("answer-event"), id: z.string(), event: z.discriminatedUnion("type", answerEvents) }),
  z.object({
    type: z.literal("answer-ended"),
    id: z.string(),
    at: z.number(),
    state: z.enum(["complete", "stopped", "failed"]),
    error: z.exactOptional(error),
  }),
  z.object({ type: z.literal("tool-progress"), id: z.string(), call: z.string(), progress }),
  z.object({ type: z.literal("turn-ended") }),
] as const;
const sessionEvent: z.ZodMiniType<SessionEvent> = z.discriminatedUnion("type", sessionEvents);

const typed = z.looseObject({ type: z.string() });
const isType = (
  types: readonly { readonly shape: { readonly type: z.ZodMiniLiteral<string> } }[],
  type: string,
): boolean => types.some(({ shape }) => shape.type.def.values.includes(type));

const message = z.discriminatedUnion("type", [
  z.object({ type: z.literal("snapshot"), revision, chat, status }),
  z.object({ type: z.literal("events"), after: revision, events: z.array(typed) }),
  z.object({ type: z.literal("status"), status }),
  z.object({ type: z.literal("composer-insert"), text: z.string() }),
]);

/** As `ToView`, as far as the page understands it. */
export type ReadMessage =
  | Exclude<ToView, { type: "events" }>
  /** `undefined` stands for an event of a kind that the page does not know: it counts, and changes nothing. */
  | { readonly type: "events"; readonly after: number; readonly events: readonly (SessionEvent | undefined)[] }
  /** An event of a known kind that can't be read: what the page shows may be wrong from here on. */
  | { readonly type: "unreadable" };

/** `undefined` for what is none of ours. */
export function readToView(value: unknown): ReadMessage | undefined {
  const read = message.safeParse(value);
  if (!read.success) return undefined;
  if (read.data.type !== "events") return read.data;
  const events: (SessionEvent | undefined)[] = [];
  for (const one of read.data.events) {
    const event = sessionEvent.safeParse(one);
    if (!event.success && isKnown(one)) return { type: "unreadable" };
    events.push(event.data);
  }
  return { ...read.data, events };
}

function isKnown(event: z.infer<typeof typed>): boolean {
  if (event.type !== "answer-event") return isType(sessionEvents, event.type);
  const inner = typed.safeParse(event["event"]);
  return !inner.success || isType(answerEvents, inner.data.type);
}
