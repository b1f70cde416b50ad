/** The choices of the person for the requests of a chat from now on: the mode, the model, how much it thinks (A13). Pure. */
import { definedFields } from "../../base/definedFields";
import type { ChatMode } from "./chatMode";
import type { AnswerEntry, Chat, Entry, SessionEvent } from "./chat";
import type { Effort } from "./modelOptions";

/** The model that a chat asks, and how much it is to think. */
export interface ChatModelChoice {
  /** The id of the model; missing for the model for new chats. */
  readonly model?: string;
  readonly effort?: Effort;
}

export type ChoiceEvent = Extract<SessionEvent, { readonly type: "mode-set" | "model-set" | "effort-set" }>;

/** The model that was chosen in the chat, else the one that has answered last; an imported chat chooses none here. */
export function choiceOf({ entries, model, effort }: Pick<Chat, "entries" | "model" | "effort">): ChatModelChoice {
  return definedFields({ model: model ?? lastAsked(entries), effort });
}

/** A fallback answers in another model's place and for one turn: the chat goes on with the model that was asked before it. */
function lastAsked(entries: Chat["entries"]): string | undefined {
  const last = entries.findLast(isChoosing)?.model;
  const former = entries.findLast((entry): entry is AnswerEntry => isChoosing(entry) && entry.model !== last);
  return former?.failure?.type === "gateway" && former.failure.fallback === last ? former.model : last;
}

function isChoosing(entry: Entry): entry is AnswerEntry {
  return entry.type === "answer" && entry.model !== "" && entry.untrusted === undefined;
}

/** The mode in which the chat goes on. */
export function modeOf({ mode = "agent" }: Pick<Chat, "mode">): ChatMode {
  return mode;
}

/** Sets the mode. `agent` is the default, so it is stored as no mode. */
export function withMode<T extends { readonly mode?: ChatMode }>({ mode: _before, ...rest }: T, mode: ChatMode): T {
  return (mode === "agent" ? rest : { ...rest, mode }) as T;
}

export function reduceChoice(chat: Chat, event: ChoiceEvent): Chat {
  switch (event.type) {
    case "mode-set":
      return withMode(chat, event.mode);
    case "model-set":
      return { ...chat, model: event.model };
    case "effort-set": {
      const { effort: _before, ...rest } = chat;
      return { ...rest, ...definedFields({ effort: event.effort }) };
    }
  }
}
