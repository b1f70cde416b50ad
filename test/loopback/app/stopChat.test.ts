/** Stop in the chat, seen from the gateway: the request ends there too. */
import assert from "node:assert/strict";
import { type AppOverGateway, openAppOverGateway } from "../../support/appOverGateway";
import { until } from "../../support/builders";

/** Of `openAppOverGateway`, in milliseconds. */
const firstByteLimit = 2000;

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
    session.stop();
    await turn;
    await until(() => chats()[0]?.aborted === true);
    // Without the signal the request would end by its time limit, and be tried again.
    assert.equal(chats().length, 1);
    assert.ok((chats()[0]?.ms ?? Infinity) < firstByteLimit);
    const last = session.chat.entries.at(-1);
    assert.equal(last?.type === "answer" && last.state, "stopped");
  });
});
