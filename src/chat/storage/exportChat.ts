/** Writes a chat as a document for people (Markdown) or as a file for another machine (JSON), and imports such a file. */
import { randomUUID } from "node:crypto";
import * as z from "zod/mini";
import { TimeSlices } from "../../base/async/timeSlices";
import { fenceCode, longestBackticks } from "../../base/text/codeFence";
import { JsonBoundsFailure, readJsonParts, textOfPart } from "../../base/text/jsonParts";
import { describeAction, describeFileReference } from "../../domain/words/describeTool";
import { momentSchema } from "../../base/momentSchema";
import type { AnswerEntry, Block, SessionEvent, ToolCallBlock, UserEntry } from "../../domain/chat/chat";
import { planDocumentOf } from "../../domain/chat/planOfChat";
import { definedFields } from "../../base/definedFields";
import {
  readRecords,
  isEvent,
  readRecord,
  type SessionRecord,
  sessionFileVersion,
  type SessionState,
  writeRecord,
  maxTitleLength,
  titleOf,
  addRecord,
} from "./records";
import type { SessionFolder } from "./sessionFolder";

/** The fields next to `records`. Each record is read by a schema of its own; records of a newer version are left out. */
const exportSchema = z.object({
  format: z.literal("sluice-chat"),
  version: z.literal(sessionFileVersion),
  title: z.string(),
  createdAt: momentSchema,
});

/** Bytes of a file that is imported. */
export const maxImportLength = 200 * 1024 * 1024;
/**
 * Bounds that no chat reaches. A record holds one image or one result of a tool. Each entry is copied with each record when the chat is shown, so
 * both are bounded.
 */
const importBounds = {
  records: 200_000,
  entries: 20_000,
  record: { bytes: 8 * 1024 * 1024, levels: 100, marks: 20_000 },
};

/** The JSON of a session that is in the folder. Rejects with the error of the file system. */
export async function exportJson(folder: SessionFolder, state: SessionState): Promise<string> {
  const records: SessionRecord[] = [];
  await readRecords(folder.fileOf(state.chat.id), 0, new AbortController().signal, (record) => {
    if (record === undefined || !isEvent(record) || isOfThisMachine(record)) return true;
    addRecord(records, record);
    return true;
  });
  const { createdAt } = state;
  const written = { format: "sluice-chat", version: sessionFileVersion, title: titleOf(state), createdAt, records };
  return `${JSON.stringify(written, undefined, 1)}\n`;
}

/** Whether the event is about folders or instructions. These are not exported, because no import reads them. */
function isOfThisMachine({ type }: SessionEvent): boolean {
  return type.startsWith("environment-") || type.startsWith("instructions-");
}

/**
 * Makes a session from an exported one and returns its id; `undefined` where the bytes are no exported session. Reads in time slices. Rejects with a
 * `JsonBoundsFailure` for a chat that is larger or deeper than one can be, or with the error of the file system.
 */
export async function importJson(
  folder: SessionFolder,
  bytes: Uint8Array,
  slices = new TimeSlices(),
): Promise<string | undefined> {
  const read = await readExported(bytes, slices);
  if (!read) return undefined;
  const { createdAt, events } = read;
  const title = read.title.slice(0, maxTitleLength).toWellFormed();
  const id = randomUUID();
  const head: readonly SessionRecord[] = [
    { type: "session", version: sessionFileVersion, id, createdAt },
    { type: "title-set", title },
  ];
  const imported = await eventsToImport(events, slices);
  await folder.add(id, linesOf([...head, ...imported, { type: "chat-imported", untrusted: title }]));
  return id;
}

/** Writes the records in pieces of about a megabyte, so that no piece takes long to write out. */
function* linesOf(records: readonly SessionRecord[]): Generator<string> {
  let piece = "";
  for (const record of records) {
    piece += writeRecord(record);
    if (piece.length < 1_000_000) continue;
    yield piece;
    piece = "";
  }
  yield piece;
}

interface ExportedChat extends z.infer<typeof exportSchema> {
  readonly events: readonly SessionEvent[];
}

async function readExported(bytes: Uint8Array, slices: TimeSlices): Promise<ExportedChat | undefined> {
  const { records: maxRecords, entries: maxEntries, record: bounds } = importBounds;
  const head: Record<string, unknown> = {};
  const events: SessionEvent[] = [];
  let [records, entries] = [0, 0];
  try {
    for await (const part of readJsonParts(bytes, bounds, slices)) {
      const text = textOfPart(bytes, part);
      if (!part.isElement || part.name !== "records") {
        if (Object.hasOwn(exportSchema.shape, part.name)) head[part.name] = JSON.parse(text);
        continue;
      }
      records += 1;
      const record = readRecord(text);
      if (record !== undefined && isEvent(record)) events.push(record);
      if (record !== undefined && isEntry(record)) entries += 1;
      if (records > maxRecords || entries > maxEntries) throw new JsonBoundsFailure("A chat has fewer messages.");
      if (slices.isSpent) await slices.next();
    }
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
  const read = exportSchema.safeParse(head);
  return read.success ? { ...read.data, events } : undefined;
}

function isEntry({ type }: SessionRecord): boolean {
  return type === "prompt-added" || type === "task-added" || type === "answer-started";
}

/** The words of the document in the person's language. */
export interface DocumentWords {
  /** The heading of a prompt. */
  readonly you: string;
  /** The line of a task that was submitted from the chat. */
  readonly task: (prompt: string) => string;
}

/** Writes prompts, answers and what the tools did, without the model's thinking. */
export function chatToMarkdown(state: SessionState, { you, task }: DocumentWords): string {
  const parts = [`# ${titleOf(state)}`];
  for (const entry of state.chat.entries) {
    if (entry.type === "user") parts.push(`## ${you}`, ...attachedParts(entry), entry.text);
    else if (entry.type === "task") parts.push(task(entry.text));
    else if (entry.type === "answer") parts.push(...answerParts(entry));
  }
  return `${parts.join("\n\n")}\n`;
}

/** Names the attachments; the JSON export has their content. */
function attachedParts({ attachments = [] }: UserEntry): readonly string[] {
  if (attachments.length === 0) return [];
  return [attachments.map((attachment) => `- ${codeSpan(describeFileReference(attachment))}`).join("\n")];
}

function codeSpan(text: string): string {
  const line = text.replace(/[\r\n]+/g, " ");
  const longest = longestBackticks(line);
  const ticks = "`".repeat(longest + 1);
  return longest === 0 ? `${ticks}${line}${ticks}` : `${ticks} ${line} ${ticks}`;
}

function answerParts(answer: AnswerEntry): readonly string[] {
  const parts = answer.blocks.flatMap(blockParts);
  return parts.length === 0 ? [] : [`## ${answer.model}`, ...parts];
}

function blockParts(block: Block): readonly string[] {
  switch (block.type) {
    case "text":
      return block.text === "" ? [] : [block.text];
    case "tool-call":
      return toolParts(block);
    case "citation":
      return block.url === undefined ? [] : [`- [${block.title ?? block.url}](<${block.url}>)`];
    case "media":
      return [`*${block.mimeType}*`];
    case "reasoning":
    case "opaque":
      return [];
  }
}

function toolParts(block: ToolCallBlock): readonly string[] {
  const { name, progress } = block;
  const plan = planDocumentOf(block);
  const title = `**${"action" in progress ? describeAction(progress.action) : name}**`;
  if (plan !== undefined) return [title, plan.text];
  return "result" in progress ? [title, fenceCode(progress.result)] : [title];
}

/** Reads the events in time slices, because a chat may have many. */
export async function eventsToImport(
  events: readonly SessionEvent[],
  slices = new TimeSlices(),
): Promise<readonly SessionEvent[]> {
  const ids = new Map<string, string>();
  const calls = new Set<string>();
  const own: SessionEvent[] = [];
  for (const event of events) {
    if (slices.isSpent) await slices.next();
    if (isLeftOut(event)) continue;
    const kept = withOwnId(withoutPlace(event), ids);
    if (isFirst(kept, calls)) own.push(kept);
  }
  const read = promptsThatWereRead(own);
  return own.map((event) => (read.has(event) ? event : withoutReferences(event)));
}

/**
 * Whether the event is not imported. A summary would be sent in place of what the person reads, queued prompts would be sent with the next one,
 * opaque data is of no use to another account, foreign instructions would guide the model here, and a foreign choice of a model may be expensive.
 */
function isLeftOut(event: SessionEvent): boolean {
  if (event.type === "answer-event") return event.event.type === "opaque";
  return /^(?:prompt-(?:(?:un)?queued|rescheduled)|summary-|environment-|instructions-|model-set|effort-set)/.test(
    event.type,
  );
}

/** Removes what is of the other machine: the editor of a prompt, the instructions of a result, and the files that a rewind restored there. */
function withoutPlace(event: SessionEvent): SessionEvent {
  if (event.type === "prompt-added") {
    const { context: _context, ...prompt } = event;
    return prompt;
  }
  if (event.type === "entries-replaced") return { type: event.type, from: event.from };
  if (event.type !== "tool-progress" || event.progress.state !== "done") return event;
  const { instructions: _instructions, ...progress } = event.progress;
  return { ...event, progress };
}

/** The prompts whose attachments are in the file. References of other prompts would be read from this workspace when the turn goes on. */
function promptsThatWereRead(events: readonly SessionEvent[]): ReadonlySet<SessionEvent> {
  const read = new Set<SessionEvent>();
  // The attachments of a prompt whose turn was stopped before are read with a later prompt.
  const prompts = new Map<string, SessionEvent>();
  for (const event of events) {
    const isReplacing = event.type === "prompt-added" && event.replaces !== undefined;
    // The prompts so far may now belong to the other branch, which gets no attachments.
    if (isReplacing || event.type === "entries-replaced" || event.type === "branch-switched") prompts.clear();
    if (event.type === "prompt-added") prompts.set(event.id, event);
    const prompt = event.type === "attachments-read" ? prompts.get(event.id) : undefined;
    if (prompt) read.add(prompt);
  }
  return read;
}

/** Whether the event is the first one that starts its call, because the page has one row for each call of an answer. */
function isFirst(event: SessionEvent, calls: Set<string>): boolean {
  if (event.type !== "answer-event" || event.event.type !== "tool-call-start") return true;
  const call = JSON.stringify([event.id, event.event.call]);
  const known = calls.has(call);
  calls.add(call);
  return !known;
}

function withoutReferences(event: SessionEvent): SessionEvent {
  if (event.type !== "prompt-added") return event;
  const { references: _unread, ...prompt } = event;
  return prompt;
}

/** Gives an entry a new id if an earlier one has its id, because the page has one row for each. Later events concern the newest entry of an id. */
function withOwnId(event: SessionEvent, ids: Map<string, string>): SessionEvent {
  const known = (id: string): string => ids.get(id) ?? id;
  if (event.type === "entries-replaced") return { ...event, from: known(event.from) };
  if (!("id" in event)) return event;
  const { id } = event;
  const isEntry = event.type === "prompt-added" || event.type === "task-added" || event.type === "answer-started";
  const replaced = event.type === "prompt-added" && event.replaces !== undefined ? known(event.replaces) : undefined;
  if (isEntry) ids.set(id, ids.has(id) ? randomUUID() : id);
  const own = { ...event, id: known(id) };
  return own.type === "prompt-added" ? { ...own, ...definedFields({ replaces: replaced }) } : own;
}
