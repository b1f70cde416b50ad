/** The two branches of a chat whose end was replaced: the one that is shown and sent, and the other, which an undo brings back. Pure. */
import { definedFields } from "../base/definedFields";
import type { Chat, Entry } from "./transcript";

/** The entries from that one on become the other branch; the one that was there before is dropped. Tasks stay: they are paid. */
export function branchAt(chat: Chat, from: string): Chat {
  const index = chat.entries.findIndex(({ id }) => id === from);
  if (index < 0) return chat;
  const after = chat.entries[index - 1]?.id;
  const replaced = chat.entries.slice(index);
  const entries = [...chat.entries.slice(0, index), ...replaced.filter(isJob)];
  return { ...chat, entries, otherBranch: { ...definedFields({ after }), entries: replaced.filter(isSpoken) } };
}

/** The branches change places, so that switching twice changes nothing. */
export function switchBranch(chat: Chat): Chat {
  const { otherBranch: other } = chat;
  if (other === undefined) return chat;
  const { after, isNewer } = other;
  const common = after === undefined ? -1 : chat.entries.findLastIndex(({ id }) => id === after);
  if (after !== undefined && common < 0) return chat;
  const shown: readonly Entry[] = chat.entries.slice(common + 1);
  return {
    ...chat,
    entries: [...chat.entries.slice(0, common + 1), ...shown.filter(isJob), ...other.entries],
    otherBranch: {
      ...definedFields({ after, isNewer: isNewer ? undefined : (true as const) }),
      entries: shown.filter(isSpoken),
    },
  };
}

function isJob({ type }: Entry): boolean {
  return type === "job";
}

function isSpoken({ type }: Entry): boolean {
  return type !== "job";
}

export function withoutOtherBranch({ otherBranch, ...rest }: Chat): Chat {
  return rest;
}
