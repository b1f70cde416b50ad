/** Stop in the chat, through the whole client and seen from the gateway: request, stream, tool, child processes and question end at once. */
import assert from "node:assert/strict";
import { access, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { answers, waiting } from "../../support/chatSessions";
import { type AppOverGateway, openAppOverGateway } from "../../support/appOverGateway";
import { until } from "../../support/builders";
import { stoppable } from "../../support/stoppable";
import { startOwnTime } from "../../support/ownTime";

describe("stopping a chat", () => {
  let over: AppOverGateway;
  beforeEach(async () => {
    over = await openAppOverGateway({ tokensPerSecond: 50 });
  });
  afterEach(() => over.close());

  const chats = () => over.gateway.requests.filter(({ path }) => path === "/v1/chat/completions");

  for (const [what, begin] of Object.entries(stoppable)) {
    it(`S5, A1 (finding 33): ${what}: Stop ends it and the turn within 100 ms, and nothing goes on after it`, async function () {
      if (process.platform === "win32") this.skip();
      const session = over.app.session.current;
      const { turn, isGone } = await begin(over);
      const sent = chats().length;
      const time = startOwnTime();
      session.stop();
      await turn;
      const ms = time();
      assert.ok(ms <= 100, `${ms} ms`);
      // Killed by then; other processes take their own time to be gone.
      await until(isGone);
      assert.equal(chats().length, sent, "no further round");
      assert.equal(session.isRunning, false);
    });
  }

  it("S5 (finding 33): a silent gateway sees the request end, not its time limit and a retry", async () => {
    const { turn } = await stoppable["a request in flight"](over);
    over.app.session.current.stop();
    await turn;
    // Which gives up long before the limit for the first byte would end the request.
    await until(() => chats()[0]?.aborted === true);
    assert.equal(chats().length, 1);
    assert.equal(answers(over.app.session.current).at(-1)?.state, "stopped");
  });

  it("A1, A3: a question that was open when Stop was pressed can't be answered any more", async () => {
    const session = over.app.session.current;
    const { turn } = await stoppable["an open question"](over);
    const [approval] = waiting(session);
    session.stop();
    await turn;
    assert.equal(session.approvals.decide(approval!.id, { allow: true }), false);
    await assert.rejects(access(join(over.folder, "new.ts")), { code: "ENOENT" });
    // The name is free: the call has not run in the background.
    await writeFile(join(over.folder, "new.ts"), "", { flag: "wx" });
  });
});
