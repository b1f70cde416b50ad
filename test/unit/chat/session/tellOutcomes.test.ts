/** What became of the model's edits is told with its next step, in the message that is sent anyway: what was sent before stays the same (A16, A8). */
import assert from "node:assert/strict";
import type { ChatRequest } from "../../../../src/domain/chat/message";
import type { EditOutcome } from "../../../../src/domain/chat/editOutcome";
import type { ToolAction } from "../../../../src/domain/chat/chat";
import { callingAnswer, until } from "../../../support/builders";
import { waiting } from "../../../support/chatSessions";
import { plainChanges } from "../../../support/plainOptions";
import { replayChat, writeEvent } from "../../../support/replayedChat";
import { countedAnswer, summarizedChat } from "../../../support/summarizedChats";

const back: EditOutcome = { change: "1", file: "a.ts", is: "back", lines: { first: 3, last: 5 } };
const action: ToolAction = { type: "edit-file", path: "a.ts", changedLines: 1 };

describe("telling the model what became of its edits", () => {
  it("A16, A8: behind the results of the turn that runs, or the next prompt; once, and the same after a reload", async () => {
    const sent: ChatRequest[] = [];
    const lines: string[] = [];
    let found: readonly EditOutcome[] = [];
    const asked: number[] = [];
    const { session } = summarizedChat(
      {
        answer: (request, index) => {
          sent.push(request);
          return index < 3 ? callingAnswer({ name: "edit", input: { index } }) : countedAnswer("done");
        },
      },
      {
        tools: () => [
          {
            declaration: { name: "edit", description: "", parameters: { type: "object" } },
            effect: "changes",
            prepare: () => Promise.resolve({ action, reasons: ["writes-file"], run: () => Promise.resolve("edited") }),
          },
        ],
        changes: {
          ...plainChanges(),
          outcomes: ({ told }) => {
            asked.push(told.length);
            const fresh = found;
            found = [];
            return Promise.resolve(fresh);
          },
        },
      },
    );
    session.onDidEmit((event) => lines.push(writeEvent(event)));
    const turn = session.submit("go");
    await until(() => waiting(session).length === 1);
    session.approvals.decide(waiting(session)[0]!.id, { allow: true });
    await until(() => sent.length === 2 && waiting(session).length === 1);
    found = [back];
    session.approvals.decide(waiting(session)[0]!.id, { allow: true });
    await turn;
    const result = JSON.stringify(sent[2]?.messages.at(-1));
    assert.ok(result.includes("edited") && result.includes("a.ts, lines 3-5: taken back"), result);
    found = [{ ...back, is: "there" }];
    await session.submit("go on");
    assert.ok(JSON.stringify(sent.at(-1)?.messages.at(-1)).includes("there again"));
    assert.deepEqual(asked, [0, 0, 1], "nothing is looked for before the first edit");
    sent.forEach(({ messages }, at) => {
      const before = sent[at - 1]?.messages ?? [];
      assert.deepEqual(messages.slice(0, before.length), before, "what was sent before is the same");
    });
    assert.deepEqual(
      replayChat(session.chat.id, lines).entries.map((entry) => ("outcomes" in entry ? entry.outcomes : undefined)),
      session.chat.entries.map((entry) => ("outcomes" in entry ? entry.outcomes : undefined)),
    );
  });
});
