/** Stop in the chat, seen from the gateway: the request ends there too. */
import assert from "node:assert/strict";
import { type AppOverGateway, openAppOverGateway } from "../../support/appOverGateway";
import { until } from "../../support/builders";

describe("stopping a chat", () => {
  let over: AppOverGateway;
  beforeEach(async () => {
    over = await openAppOverGateway();
  });
  afterEach(() => over.close());

  it("S5, A1 (finding 33): the gateway sees the request end, also while it is silent", async () => {
    over.gateway.faults.arm({ name: "http.hang", times: 1, route: "POST /v1/chat/completions" });
    const session = over.app.session.current;
    const chats = () => over.gateway.requests.filter(({ path }) => path === "/v1/chat/completions");
    const turn = session.submit("hello");
    await until(() => chats().length === 1);
    const stopped = performance.now();
    session.stop();
    await turn;
    assert.ok(performance.now() - stopped < 100, "the turn went on");
    await until(() => chats()[0]?.aborted === true);
    assert.ok(performance.now() - stopped < 100, "the request went on");
    const last = session.chat.entries.at(-1);
    assert.equal(last?.type === "answer" && last.state, "stopped");
  });
});
