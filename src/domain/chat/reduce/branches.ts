/** The two branches of a chat whose end was replaced: the one that is shown and sent, and the other, which an undo brings back. Pure. */
import { definedFields } from "../../../base/definedFields";
import type { Chat, Entry, Rewound } from "../chat";
import { plansOfBranches, withoutPlan } from "../planOfChat";

/** The entries from that one on become the other branch; the one that was there before is dropped. Tasks stay, which are paid, and summaries of what stays. */
export function branchAt(chat: Chat, from: string, rewound?: Rewound): Chat {
  const index = chat.entries.findIndex(({ id }) => id === from);
  if (index < 0) return chat;
  const after = chat.entries[index - 1]?.id;
  const common = chat.entries.slice(0, index);
  const [staying, replaced] = split(common, chat.entries.slice(index));
  const entries = [...common, ...staying];
  const plans = plansOfBranches(chat, entries, replaced);
  return {
    ...withoutPlan(chat),
    ...plans.shown,
    entries,
    otherBranch: { ...definedFields({ after, rewound }), entries: replaced, ...plans.other },
  };
}

/** The branches change places, so that switching twice changes nothing. */
export function switchBranch(chat: Chat): Chat {
  const { otherBranch: other } = chat;
  if (other === undefined) return chat;
  const { after, isNewer, rewound } = other;
  const last = after === undefined ? -1 : chat.entries.findLastIndex(({ id }) => id === after);
  if (after !== undefined && last < 0) return chat;
  const common = chat.entries.slice(0, last + 1);
  const [staying, replaced] = split(common, chat.entries.slice(last + 1));
  const entries = [...common, ...staying, ...other.entries];
  const plans = plansOfBranches(chat, entries, replaced, other.plan);
  return {
    ...withoutPlan(chat),
    ...plans.shown,
    entries,
    otherBranch: {
      ...definedFields({ after, rewound, isNewer: isNewer ? undefined : (true as const) }),
      entries: replaced,
      ...plans.other,
    },
  };
}

/** Those that belong to both branches, and those of one. */
function split(common: readonly Entry[], entries: readonly Entry[]): readonly [readonly Entry[], readonly Entry[]] {
  const stays = (entry: Entry): boolean =>
    entry.type === "task" || (entry.type === "summary" && common.some(({ id }) => id === entry.until));
  return [entries.filter(stays), entries.filter((entry) => !stays(entry))];
}

export function withoutOtherBranch({ otherBranch, ...rest }: Chat): Chat {
  return rest;
}
