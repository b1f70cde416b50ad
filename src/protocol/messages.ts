/** What crosses between the host and the chat panel: intents in; a snapshot, then revisioned events out. */
import * as z from "zod/mini";
import type { ErrorDescription } from "../domain/describeError";
import type { Chat, SessionEvent } from "../domain/transcript";

/** What a person did. The least trusted side sends these: each is read before it is used. */
const intent = z.discriminatedUnion("type", [
  /** The page is there, or missed a revision: it wants a snapshot. */
  z.object({ type: z.literal("view-ready") }),
  z.object({ type: z.literal("prompt-submit"), text: z.string().check(z.maxLength(1_000_000)) }),
  z.object({ type: z.literal("turn-stop") }),
  /** Asks again after the last answer failed. */
  z.object({ type: z.literal("turn-retry") }),
  /** `approval` is the id that the host gave out; it counts once. */
  z.object({
    type: z.literal("approval-decide"),
    approval: z.string(),
    allow: z.boolean(),
    note: z.optional(z.string().check(z.maxLength(10_000))),
  }),
  /** Opens the proposed change in the editor's own diff. */
  z.object({ type: z.literal("diff-open"), approval: z.string() }),
  /** The button of an error card, for the answer of that id. */
  z.object({ type: z.literal("error-action"), answer: z.string() }),
  z.object({ type: z.literal("model-choose") }),
  z.object({ type: z.literal("chat-new") }),
  z.object({ type: z.literal("code-insert"), text: z.string().check(z.maxLength(1_000_000)) }),
  z.object({ type: z.literal("link-open"), url: z.string().check(z.maxLength(10_000)) }),
  /** A part of the page could not be drawn; for the log. */
  z.object({
    type: z.literal("page-failed"),
    what: z.string().check(z.maxLength(100)),
    message: z.string().check(z.maxLength(500)),
  }),
]);

export type ToHost = z.infer<typeof intent>;

/** The intents that do something in the editor; the others concern the page itself. */
export type EditorIntent = Exclude<ToHost, { type: "view-ready" | "page-failed" }>;

/** Reads a message of the page; `undefined` for what is none of ours. */
export function readToHost(value: unknown): ToHost | undefined {
  const read = intent.safeParse(value);
  return read.success ? read.data : undefined;
}

/** One handler for each kind: a missing one does not compile. */
export type Handlers<M extends { type: string }> = { [K in M["type"]]: (message: Extract<M, { type: K }>) => void };

/** Hands a message to the handler of its kind: the one place where the union and the table are brought together by hand. */
export function dispatch<M extends { type: string }>(handlers: Handlers<M>, message: M): void {
  const handler = handlers[message.type as M["type"]] as (message: M) => void;
  handler(message);
}

/** What stands around the transcript. */
export interface PanelStatus {
  readonly connection: "starting" | "signed-out" | "ready" | "failed";
  /** What keeps it from being ready, in words, with the one action that helps (`error-action` with an empty `answer`). */
  readonly problem?: ErrorDescription;
  /** The gateway as a person knows it: *Local gateway* or its host name. */
  readonly gateway: string;
  /** The model that the next prompt goes to; empty while none is known. */
  readonly model: string;
  /** The model's answers are made up. */
  readonly demonstrator: boolean;
  /** Restricted Mode: chat works, tools don't. */
  readonly trusted: boolean;
  /** Things to try that work in this workspace; shown while the chat is empty. */
  readonly suggestions: readonly string[];
}

export type ToView =
  /** Everything. `revision` is that of the last event in it. */
  | { readonly type: "snapshot"; readonly revision: number; readonly chat: Chat; readonly status: PanelStatus }
  /** `events` lead from revision `after` to `after + events.length`; on a gap the page asks for a snapshot. */
  | { readonly type: "events"; readonly after: number; readonly events: readonly SessionEvent[] }
  | { readonly type: "status"; readonly status: PanelStatus }
  /** The host puts text into the composer and focuses it, without sending. */
  | { readonly type: "composer-insert"; readonly text: string };
