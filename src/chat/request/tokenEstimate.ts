/** Estimates the tokens of entries from the length of what is sent of them. Pure. */
import { tokensOfBytes, bytesPerToken, tokensPerImage } from "../../domain/chat/tokenCount";
import { type AnswerEntry, type Entry, type ToolProgress, toolCalls } from "../../domain/chat/chat";
import { outcomesText } from "./outcomesText";
import type { Attachment } from "../../domain/chat/attachmentSchema";

/** Bytes, by kind of content. */
export interface ByteCounts {
  readonly messages: number;
  readonly answers: number;
  readonly tools: number;
}

export function tokensOfEntry(entry: Entry): number {
  const { messages, answers, tools } = lengthsOf([entry]);
  return tokensOfBytes(messages + answers + tools);
}

/** Leaves out the results of the calls of `last`, which are part of the next request only, and failed answers, which are part of none. */
export function lengthsOf(entries: readonly Entry[], last?: Entry): ByteCounts {
  const lengths = { messages: 0, answers: 0, tools: 0 };
  for (const entry of entries) {
    if (entry.type === "user") {
      const written = entry.text + (entry.started?.text ?? "") + (entry.document?.text ?? "");
      lengths.messages += Buffer.byteLength(written) + attachedLength(entry.attachments) + outcomesLength(entry);
    } else if (entry.type === "task") lengths.messages += Buffer.byteLength(entry.text);
    else if (entry.state !== "failed") {
      lengths.answers += textLength(entry);
      if (entry !== last) lengths.tools += toolLength(entry);
    }
  }
  return lengths;
}

function outcomesLength({ outcomes }: Pick<AnswerEntry, "outcomes">): number {
  return outcomes === undefined ? 0 : Buffer.byteLength(outcomesText(outcomes));
}

/** Bytes of the arguments and the results of an answer's calls. */
export function toolLength(answer: Pick<AnswerEntry, "blocks" | "outcomes">): number {
  const calls = total(
    toolCalls(answer).map(
      ({ argumentText, progress }) =>
        Buffer.byteLength(argumentText + ("result" in progress ? progress.result : "") + instructionsOf(progress)) +
        imagesLength(progress),
    ),
  );
  return calls + outcomesLength(answer);
}

function instructionsOf(progress: ToolProgress): string {
  return progress.state === "done" ? (progress.instructions ?? []).map(({ text }) => text).join("") : "";
}

function imagesLength(progress: ToolProgress): number {
  return progress.state === "done" ? (progress.images ?? []).length * tokensPerImage * bytesPerToken : 0;
}

function attachedLength(attachments: readonly Attachment[] = []): number {
  return total(
    attachments.map((attachment) => {
      if (attachment.type === "image") return tokensPerImage * bytesPerToken;
      return attachment.type === "text" ? Buffer.byteLength(attachment.text) : 0;
    }),
  );
}

function textLength({ blocks }: Pick<AnswerEntry, "blocks">): number {
  return total(
    blocks.map((block) => (block.type === "text" || block.type === "reasoning" ? Buffer.byteLength(block.text) : 0)),
  );
}

function total(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
