/** The queue after a kill at a bad moment: a prompt that the person did not send is not sent. */
import assert from "node:assert/strict";
import { answersOf, textAnswer, until } from "../../../support/builders";
import { sessionOver } from "../../../support/chatSessions";
import { replayChat, writeEvent } from "../../../support/replayedChat";

describe("a queue that a killed window has left", () => {
  it("P1: what waited when the window was killed is not sent by another prompt, only when asked for", async () => {
    const lines: string[] = [];
    const never = Promise.withResolvers<undefined>();
    const first = sessionOver(async function* () {
      await never.promise;
      yield* textAnswer("late");
    });
    first.session.onDidEmit((event) => lines.push(writeEvent(event)));
    void first.session.submit("one");
    await until(() => first.session.isRunning);
    await first.session.submit("drop the table");
    const model = answersOf(textAnswer("a"), textAnswer("b"));
    const second = sessionOver(model.streamChat, [], undefined, replayChat("chat", lines));
    await second.session.submit("what time is it?");
    assert.equal(model.requests.length, 1, "the page says of it: Not sent");
    never.resolve(undefined);
    first.session.stop();
  });
});
