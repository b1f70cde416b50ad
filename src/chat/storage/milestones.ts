/** Which events of a chat are on the disk before it goes on. */
import type { SessionEvent } from "../../domain/chat/chat";

/** Events that are flushed to the disk (fsync) at once, so that a power cut does not lose the end of an answer. */
export function isMilestone(event: SessionEvent): boolean {
  switch (event.type) {
    case "answer-ended":
    case "task-added":
    case "turn-ended":
    case "turn-interrupted":
    case "summary-switched":
    case "message-pinned":
    case "instructions-added":
    case "instructions-removed":
    case "mode-set":
    case "model-set":
    case "effort-set":
    case "plan-edited":
    case "plan-written":
    case "tokens-spent":
      return true;
    case "tool-progress":
      return !["ready", "waiting", "asking"].includes(event.progress.state);
    case "prompt-added":
    case "prompt-queued":
    case "prompt-unqueued":
    case "prompt-rescheduled":
    case "queue-released":
    case "image-stored":
    case "attachments-read":
    case "environment-read":
    case "instructions-offered":
    case "entries-replaced":
    case "branch-switched":
    case "chat-imported":
    case "plan-told":
    case "turn-started":
    case "answer-started":
    case "summary-started":
    case "answer-retry":
    case "answer-event":
    case "answer-continued":
    case "calls-written":
    case "tool-reading":
    case "tool-activity":
    case "tool-step":
    case "tool-output":
      return false;
  }
}
