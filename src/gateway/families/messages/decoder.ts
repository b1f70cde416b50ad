/** Events of the messages family to events. A complete reply goes the same way, block by block. */
import { definedFields } from "../../../base/definedFields";
import type { Finish } from "../../../domain/chat";
import type { Answer } from "../shared/answer";
import { looksLikeError, readErrorValue } from "../../http/errorBody";
import { asArray, asNumber, asRecord, asText, isRecord, type JsonRecord } from "../../http/jsonValue";
import { createCallList } from "../shared/callList";
import { readFinish } from "../chatCompletions/ending";
import type { FamilyDecoder } from "../shared/decoder";
import { createMessageBlock, type MessageBlock } from "./block";
import { createMessagesUsage } from "./usage";

export function createDecoder(answer: Answer): FamilyDecoder {
  const calls = createCallList(answer);
  const usage = createMessagesUsage();
  const blocks = new Map<number, MessageBlock>();
  let current: MessageBlock | undefined;
  let currentIndex = -1;
  let messageId: string | undefined;
  let stopReason: string | undefined;
  let stopped = false;
  /** A proxy put another answer into this one: nothing of it is whole. */
  let spliced = false;

  const startMessage = (message: JsonRecord): void => {
    const id = asText(message["id"]);
    const model = asText(message["model"]);
    if (messageId !== undefined && id !== undefined) {
      // The same start twice says nothing new.
      if (messageId === id) return;
      spliced = true;
      answer.fail({ kind: "malformed", message: "Another answer began in the middle of this one." });
      return;
    }
    messageId ??= id;
    answer.start(id, model);
    usage.push(message["usage"]);
    // Complete blocks: all of them in a reply that is no stream, calls by a program in one that is.
    asArray(message["content"]).forEach((block) => {
      startBlock(blocks.size, asRecord(block) ?? { type: "text", text: asText(block) });
      stopBlock(currentIndex);
    });
    // A reply that is no stream may hold its text alone.
    const text = asText(message["content"]);
    if (text !== undefined) answer.text(text);
    readStop(message);
  };

  const readStop = (record: JsonRecord | undefined): void => {
    stopReason = asText(record?.["stop_reason"]) ?? stopReason;
  };

  const startBlock = (index: number, content: JsonRecord): void => {
    const hidden = blocks.get(index);
    if (index === currentIndex && hidden?.isRepeated(content) === true) {
      hidden.push({ ...content, type: undefined });
      return;
    }
    // Blocks come one after the other: what has not been closed by now is as whole as it gets.
    current?.settle();
    answer.endBlock();
    current = createMessageBlock(answer, calls, content, hidden);
    currentIndex = index;
    blocks.set(index, current);
  };

  const stopBlock = (index: number): void => {
    blocks.get(index)?.stop();
  };

  const readDelta = (index: number, delta: JsonRecord): string | undefined => {
    if (index !== currentIndex || current === undefined) {
      const known = blocks.get(index);
      // Its start was lost: what kind of block it is shows in the delta.
      if (known === undefined) startBlock(index, {});
      else {
        answer.endBlock();
        current = known;
        currentIndex = index;
      }
    }
    return current?.push(delta);
  };

  const readEvent = (record: JsonRecord, event: string | undefined): string | undefined => {
    const type = asText(record["type"]) ?? event ?? "";
    if (type === "error" || (record["error"] !== undefined && looksLikeError(record))) {
      answer.fail(readErrorValue(record));
      return undefined;
    }
    switch (type) {
      case "content_block_delta":
        return readDelta(readIndex(record), asRecord(record["delta"]) ?? {});
      case "content_block_start":
        startBlock(asNumber(record["index"]) ?? blocks.size, asRecord(record["content_block"]) ?? {});
        break;
      case "content_block_stop":
        stopBlock(readIndex(record));
        break;
      case "message_start":
        startMessage(asRecord(record["message"]) ?? {});
        break;
      case "message_delta":
        readStop(asRecord(record["delta"]));
        usage.push(asRecord(record["delta"])?.["usage"]);
        usage.push(record["usage"]);
        break;
      case "message_stop":
        stopped = true;
        break;
      case "message":
        startMessage(record);
        stopped = !spliced;
        break;
      default:
        // Anything else is of a later version, and may be ignored.
        if (looksLikeError(record)) answer.fail(readErrorValue(record));
        else if (Array.isArray(record["content"]) && record["role"] === "assistant") readEvent(record, "message");
        else if (Array.isArray(record["choices"])) {
          answer.malformed("A chunk is of another family.", JSON.stringify(record));
        }
    }
    return undefined;
  };

  const readIndex = (record: JsonRecord): number => asNumber(record["index"]) ?? Math.max(currentIndex, 0);

  const toFinish = (): Finish => {
    if (calls.any) return "tool-calls";
    if (stopReason !== undefined) return readFinish(stopReason);
    return answer.failed && !stopped ? "error" : "unknown";
  };

  return {
    get done() {
      return stopped;
    },
    get hasReason() {
      return stopReason !== undefined;
    },
    chunk(value, event) {
      if (isRecord(value)) return readEvent(value, event);
      if (Array.isArray(value)) for (const item of value as unknown[]) this.chunk(item, event);
      else answer.malformed("An event is not an object.", JSON.stringify(value));
      return undefined;
    },
    goOn: (text) => current?.goOn(text),
    end({ done }) {
      answer.start();
      const finish = stopReason === undefined ? undefined : readFinish(stopReason);
      const isDone = stopped || (done && !answer.failed && !calls.isOpen());
      const cut = spliced || (stopReason === undefined && !isDone);
      // A block that was cut is not the block that the service wants back.
      if (!cut) for (const block of blocks.values()) block.settle();
      if (finish === "error") {
        answer.fail({ kind: "unavailable", message: "The service broke off the answer.", code: stopReason ?? "" });
      }
      const broken = finish === "error" ? "The service broke off the answer." : undefined;
      calls.end({
        stopped: cut ? "The answer ended before the call was complete." : broken,
        finished: finish === undefined || finish === "stop" || finish === "tool-calls" || finish === "unknown",
      });
      usage.tell(answer);
      answer.emit({
        type: "message-end",
        finish: toFinish(),
        ...definedFields({ raw: stopReason }),
        cut,
      });
    },
  };
}
