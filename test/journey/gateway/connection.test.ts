/** Gateways, keys and the settings of their models in a window: the first use without an account, what an address may be, and whom a key is sent to. */
import assert from "node:assert/strict";
import { serve, type TestServer } from "../../loopback/gateway/rawServer";
import { type ChatPage, openChat } from "../../support/fakeVscode/chatPage";
import { openWindowOnGateway } from "../../support/fakeVscode/onGateway";
import { closeWindows, type OpenedWindow, openWindow } from "../../support/fakeVscode/openWindow";
import { modelStep } from "../../support/submitSteps";

const key = "sk-canary-5b1e7c3a9f";

const answerStream = [
  { type: "message_start", message: { id: "a" } },
  { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Hi" } },
  { type: "message_delta", delta: { stop_reason: "end_turn" } },
  { type: "message_stop" },
]
  .map((event) => `data: ${JSON.stringify(event)}\n\n`)
  .join("");

/** While it is set, a chat request needs the key in the header `x-api-key`, and is answered then. */
let wantsOwnHeader = false;

/** Lists one model and refuses all else. */
const serveModels = (): Promise<TestServer> =>
  serve((response, { url, headers }) => {
    response.setHeader("content-type", "application/json");
    if (url === "/v1/models") response.end('{"data":[{"id":"listed"}]}');
    else if (wantsOwnHeader && headers["x-api-key"] === undefined) response.writeHead(401).end('{"error":"no key"}');
    else if (wantsOwnHeader) response.writeHead(200, { "content-type": "text/event-stream" }).end(answerStream);
    else response.writeHead(400).end('{"error":"not now"}');
  });

describe("the first use", () => {
  after(closeWindows);

  it("C1, L4: it needs no account: the local gateway starts by itself and names its model", async () => {
    const { window, inside } = await openWindow();
    const chat = await openChat(window);
    const status = await chat.until("its model", ({ snapshot: { status: now } }) =>
      now.model === "" ? undefined : now,
    );
    assert.deepEqual([status.local, status.demoModel, status.model], [true, true, "demo-chat"]);
    assert.match(status.modelFacts ?? "", /[Dd]emo model/);
    const { current } = inside.connections.current;
    assert.ok(current.state === "ready" && current.local);
    assert.match(current.home.baseUrl, /^http:\/\/127\.0\.0\.1:\d+$/);
    assert.deepEqual([window.widget.visible, window.messages.shown], [undefined, []]);
  });
});

describe("a gateway of the settings", () => {
  const model = { id: "set", family: "messages", thinking: "low", extraBody: { top_k: 3 } };
  let opened: OpenedWindow;
  let chat: ChatPage;
  let gateway: TestServer;
  let other: TestServer;
  before(async () => {
    [gateway, other] = await Promise.all([serveModels(), serveModels()]);
    const settings = {
      "sluice.models": [model],
    };
    opened = await openWindowOnGateway({ baseUrl: `${gateway.url}/v1`, key }, { settings });
    chat = await openChat(opened.window);
  });
  after(async () => {
    await closeWindows();
    await Promise.all([gateway.close(), other.close()]);
  });

  const setModel = (more: object): void => opened.window.configuration.set("sluice.models", [{ ...model, ...more }]);
  const use = (address: string): void => opened.window.configuration.set("sluice.baseUrl", address);

  it("C5: how a model is asked and how its family gets the key are set with it, and a change counts for the next request", async () => {
    const { person } = opened;
    const choosing = person.palette("Sluice: Choose Model…");
    await person.step(modelStep, "listed");
    await person.choose("set");
    await choosing.ended();
    await chat.until("the model", ({ snapshot }) => snapshot.status.model === "set");
    const ask = async (): Promise<(typeof gateway.received)[number]> => {
      const before = gateway.received.length;
      await chat.turn("hello");
      return gateway.received[before] ?? assert.fail("nothing was sent");
    };
    const first = await ask();
    assert.deepEqual(
      [first.url, first.headers.authorization, first.headers["anthropic-version"]],
      ["/v1/messages", `Bearer ${key}`, "2023-06-01"],
    );
    assert.match(first.body, /"effort":"low".*"top_k":3/);
    assert.doesNotMatch(first.body, /authentication|version/);
    setModel({ authentication: "x-api-key", version: "2026-10-21" });
    const second = await ask();
    assert.deepEqual(
      [second.headers.authorization, second.headers["x-api-key"], second.headers["anthropic-version"]],
      [undefined, key, "2026-10-21"],
    );
    // Another family has that place of a key and that version.
    setModel({ authentication: "query", version: "v1beta" });
    const third = await ask();
    assert.deepEqual(
      [third.url, third.headers.authorization, third.headers["anthropic-version"]],
      ["/v1/messages", `Bearer ${key}`, "2023-06-01"],
    );
    setModel({ version: "1\r\nx-evil: 1" });
    const fourth = await ask();
    assert.equal(fourth.headers["x-evil"], undefined);
  });

  it("C5: what a refusal has taught is shown at the row of the gateway, and is forgotten by its button", async () => {
    const { person } = opened;
    setModel({});
    const heads = (from: number): readonly unknown[] =>
      gateway.received.slice(from).map(({ headers }) => headers["x-api-key"] ?? headers.authorization);
    const before = gateway.received.length;
    wantsOwnHeader = true;
    await chat.turn("hello");
    await chat.turn("hello again");
    assert.deepEqual(heads(before), [`Bearer ${key}`, key, key]);
    const choosing = person.palette("Sluice: Choose Gateway…");
    await person.step("Choose, or type an address");
    const row = (): { readonly detail?: string } | undefined =>
      person.pick.rows.find(({ label }) => label === `${gateway.url}/v1`);
    assert.equal(row()?.detail, "Learnt: the API Messages takes the key in the header x-api-key.");
    await person.pressItemButton(`${gateway.url}/v1`, "Forget What Was Learnt");
    assert.equal(row()?.detail ?? "", "");
    await person.escape();
    await choosing.ended();
    const later = gateway.received.length;
    await chat.turn("hello");
    assert.deepEqual(heads(later), [`Bearer ${key}`, key], "it is tried again");
    wantsOwnHeader = false;
  });

  it("C2: a key belongs to one origin: another gateway does not get it", async () => {
    use(`${other.url}/v1`);
    await chat.until("signed out", ({ snapshot }) => snapshot.status.connection === "signed-out");
    await chat.turn("hello");
    assert.deepEqual(other.received, []);
    use(`${gateway.url}/v1`);
    await chat.until("its own key", ({ snapshot }) => snapshot.status.connection === "ready");
  });

  it("C1: an address that is no https and not on this machine is refused, and no key is asked for", async () => {
    use("http://gateway.example/v1");
    await chat.until("the refusal", ({ snapshot }) => snapshot.status.connection === "failed");
    const connection = opened.inside.connections.current.current;
    assert.ok(connection.state === "failed");
    assert.match(connection.error.message, /only https/);
    await opened.window.settled();
    assert.equal(opened.window.widget.visible, undefined);
    assert.doesNotMatch(JSON.stringify(chat.snapshot.status.problem), /set-key/);
  });
});
