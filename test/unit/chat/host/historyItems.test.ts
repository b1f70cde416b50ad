/** The rows of the chat history. */
import assert from "node:assert/strict";
import type { ChatSummary } from "../../../../src/chat/storage/index/chatIndex";
import { foundRows, historyGroups, type HistoryInput } from "../../../../src/chat/host/historyItems";

const now = new Date(2026, 0, 15, 12).getTime();
const day = 86_400_000;

function chat(id: string, updatedAt: number, change: Partial<ChatSummary> = {}): ChatSummary {
  return { id, title: `Chat ${id}`, createdAt: 0, updatedAt, model: "m", tokens: 0, pinned: false, ...change };
}

function input(chats: readonly ChatSummary[], change: Partial<HistoryInput> = {}): HistoryInput {
  return { chats, live: new Map(), shown: "", now, locale: "en", ...change };
}

describe("the rows of the history", () => {
  it("P4: live ones are on top, then pinned ones, then days", () => {
    const chats = [
      chat("pinned", now - 9 * day, { pinned: true }),
      chat("now", now - 1000),
      chat("live", now - 2000),
      chat("yesterday", now - day),
      chat("old", now - 3 * day),
      chat("asks", now - 9 * day, { pinned: true }),
    ];
    const live = new Map([["live", "running"] as const, ["asks", "waiting"] as const]);
    assert.deepEqual(
      historyGroups(input(chats, { live })).map(({ title, rows }) => [
        title,
        ...rows.map(({ id, icon }) => `${id} ${icon ?? ""}`),
      ]),
      [
        ["Running now", "live loading~spin", "asks bell"],
        ["Pinned", "pinned pinned"],
        ["Today", "now "],
        ["Yesterday", "yesterday "],
        ["Mon, Jan 12, 2026", "old "],
      ],
    );
  });

  it("P4: a row says when, which model and how many tokens, and which chat is shown", () => {
    const [group] = historyGroups(input([chat("a", now, { tokens: 1234, title: "" })], { shown: "a" }));
    const [row] = group?.rows ?? [];
    assert.equal(row?.label, "Chat without a prompt");
    assert.match(row.description, /^shown · 12:00\sPM · m · 1,234 tokens$/);
  });

  it("P4: what is typed is looked for in titles and in what the index found, each chat once with its line and the entry to show", () => {
    const chats = [chat("a", now, { title: "Blue sky" }), chat("b", now), chat("c", now)];
    const hits = [
      { id: "b", entry: "e1", line: "the sky above" },
      { id: "a", entry: "e2", line: "Blue sky" },
      { id: "gone", entry: "e" },
    ];
    assert.deepEqual(
      foundRows(input(chats), "SKY", hits).map(({ id, hit, detail }) => [id, hit, detail]),
      [
        ["a", "e2", undefined],
        ["b", "e1", "the sky above"],
      ],
    );
  });

  it("P4: a chat whose time is beyond all dates is a row, and so are the others", () => {
    const chats = [chat("future", 1e18), chat("now", now), chat("past", -1e18)];
    const rows = historyGroups(input(chats)).flatMap((group) => group.rows);
    assert.deepEqual(
      rows.map(({ id }) => id),
      ["future", "now", "past"],
    );
  });
});
