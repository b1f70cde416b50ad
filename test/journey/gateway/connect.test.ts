/** *Connect to a Gateway…*: from the address to the message, with Back and Esc, what the views say meanwhile, and what a gateway gets that is not in use yet. */
import assert from "node:assert/strict";
import { serve, type TestServer } from "../../loopback/gateway/rawServer";
import { type ChatPage, openChat } from "../../support/fakeVscode/chatPage";
import { closeWindows, type OpenedWindow, openWindow } from "../../support/fakeVscode/openWindow";
import type { Session } from "../../support/fakeVscode/quickWidget";
import { serveOneKey } from "../../support/oneKeyGateway";
import { modelStep, tasksView } from "../../support/submitSteps";

const key = "sk-canary-connect";
const addressStep = "Choose, or type an address";

describe("connecting to a gateway", () => {
  let opened: OpenedWindow;
  let chat: ChatPage;
  let gateway: TestServer;
  let asking: ReturnType<OpenedWindow["person"]["palette"]>;
  before("open a window and a gateway that wants one key", async () => {
    gateway = await serveOneKey(key, ["first-model", "second-model"]);
    opened = await openWindow({ settings: { "sluice.consoleUrl": "https://console.example" } });
    chat = await openChat(opened.window);
    await chat.until("the local gateway", ({ snapshot }) => snapshot.status.local === true);
  });
  after(async () => {
    await closeWindows();
    await gateway.close();
  });

  const keysSent = (): readonly (string | undefined)[] => gateway.received.map(({ headers }) => headers.authorization);
  const secret = (): Promise<Session> =>
    opened.window.until("a key is asked for", () => {
      const { visible } = opened.window.widget;
      return visible?.state.password === true ? visible : undefined;
    });
  const problem = (text: string): Promise<true> =>
    opened.window.until(`the reason ${text}`, () => {
      const { validationMessage } = opened.person.pick.state;
      return typeof validationMessage === "string" && validationMessage.includes(text);
    });
  const described = (text: string): Promise<true> =>
    opened.window.until(`a row says ${text}`, () => opened.person.pick.active?.description === text);
  const open = async (): Promise<Session> => {
    asking = opened.person.palette("Sluice: Connect to a Gateway…");
    return opened.person.step(addressStep);
  };
  const modelIs = (model: string): Promise<true> =>
    chat.until(`the model ${model}`, ({ snapshot }) => snapshot.status.model === model);
  const inUse = (): unknown => opened.window.configuration.get("sluice.baseUrl");

  it("C1, C2, C3 (newuser L17): what is wrong is explained in the pick, Back leads to what to change, and nothing is stored before", async () => {
    const { person } = opened;
    await open();
    await person.type("no-address");
    assert.match(person.pick.active?.description ?? "", /is no http address/);
    await person.type("http://127.0.0.1:1/v1");
    await described("nothing listens at this port");
    await person.press("Enter");
    await secret();
    await person.type("sk-wrong");
    await person.press("Enter");
    await person.step("Not connected: nothing was stored", "Show Report");
    assert.match(person.pick.rows[0]?.label ?? "", /Nothing listens at 127\.0\.0\.1:1/);
    // Preselected: the action that helps.
    await person.press("Enter");
    assert.equal((await person.step(addressStep)).value, "http://127.0.0.1:1/v1");
    await person.type(`${gateway.url}/v1`);
    await described("answers");
    assert.deepEqual(keysSent(), [undefined], "the address was asked without a key");
    await person.press("Enter");
    const box = await secret();
    await person.type("sk-wrong");
    await person.press("Enter");
    // The box stays, with the reason, until another key is typed.
    await problem("The gateway did not accept the API key.");
    assert.deepEqual([box.isVisible, box.value], [true, "sk-wrong"]);
    await person.type("sk-half");
    assert.equal(box.state.validationMessage, undefined);
    assert.deepEqual([inUse(), chat.snapshot.status.local], ["", true]);

    // Esc loses nothing: the address is there again, and the key is taken with Enter but never shown.
    await person.escape();
    await asking.ended();
    assert.equal((await open()).value, `${gateway.url}/v1`);
    await person.press("Enter");
    const again = await secret();
    assert.equal(again.value, "");
    assert.equal(again.state.placeholder, "Enter takes the key that was typed before");
    await person.type(key);
    await person.press("Enter");
    await person.step(modelStep, "second-model");
    await person.choose("second-model");
    await person.answer("the chat asks second-model");
    await asking.ended();
    await modelIs("second-model");
    assert.deepEqual(new Set(keysSent()), new Set([undefined, "Bearer sk-wrong", `Bearer ${key}`]));
    assert.ok(!JSON.stringify(chat.messages).includes(key));
    // Of the walkthrough; the local gateway before ticked nothing of it.
    const ticks = opened.window.ran.filter(
      ([id, step]) => id === "welcome.markStepComplete" && /#connect$/.test(String(step)),
    );
    assert.equal(ticks.length, 1);
  });

  it("C2 (finding N18): Set API Key keeps the box with the reason while the gateway refuses the key, and stores nothing", async () => {
    const { window, person } = opened;
    const setting = person.palette("Sluice: Set API Key…");
    const box = await secret();
    await person.type("sk-wrong");
    await person.press("Enter");
    await problem("The gateway did not accept the API key.");
    assert.ok(box.isVisible);
    await person.escape();
    await setting.ended();
    const before = gateway.received.length;
    await person.palette("Sluice: Check Connection").ended();
    assert.deepEqual(new Set(keysSent().slice(before)), new Set([`Bearer ${key}`]));
    assert.equal(chat.snapshot.status.model, "second-model");
    window.editors.close([...window.editors.tabs]);
  });

  it("C2: a second Enter on a refused key sends that key again, never the one that is kept for the gateway", async () => {
    const { window, person } = opened;
    await open();
    await person.type(`${gateway.url}/v1`);
    await person.press("Enter");
    const box = await secret();
    assert.equal(box.state.placeholder, "Enter takes the key that is kept for this gateway");
    const before = gateway.received.length;
    await person.type("sk-wrong");
    await person.press("Enter");
    await problem("The gateway did not accept the API key.");
    const once = gateway.received.length;
    await person.press("Enter");
    await window.until("the second check is over", () => gateway.received.length > once && box.state.busy !== true);
    await problem("The gateway did not accept the API key.");
    assert.ok(box.isVisible);
    assert.deepEqual(new Set(keysSent().slice(before)), new Set(["Bearer sk-wrong"]));
    await person.escape();
    await asking.ended();
  });

  it("C1, C2 (finding 21): a gateway that is gone shows in both views at once, with the check in one of them", async () => {
    const { window, person } = opened;
    await person.run("sluice.gateway.useLocal");
    await person.answer("The local gateway is in use");
    await chat.until("the local gateway", ({ snapshot }) => snapshot.status.model === "demo-chat");
    await gateway.close();
    const choosing = person.palette("Sluice: Choose Gateway…");
    await person.choose(gateway.url);
    await choosing.ended();
    const unreachable = await chat.until("the problem", ({ snapshot }) => snapshot.status.problem);
    assert.match(unreachable.title, /can't be reached/);
    assert.deepEqual([unreachable.action.id, unreachable.secondAction?.id], ["choose-gateway", "check-connection"]);
    // While the chat is in view, the button is there alone.
    const welcome = (text: RegExp): Promise<string> =>
      window.until(`the Tasks view says ${String(text)}`, async () => {
        const [words, ...others] = await window.welcome(tasksView);
        assert.equal(others.length, 0);
        return words !== undefined && text.test(words) ? words : undefined;
      });
    assert.doesNotMatch(await welcome(/The gateway can.t be used yet/), /Check Connection/);
    window.hideView("sluice.chat");
    await welcome(/Check Connection/);
    const models = person.palette("Sluice: Choose Model…");
    await person.step("Type the id of a model");
    assert.match(person.pick.rows[0]?.label ?? "", /can't be reached/);
    await person.escape();
    await models.ended();
  });

  it("C1, C2, C3 (newuser M16): with a wrong path Enter leads to the address; the key that was typed goes along with the right one", async () => {
    const other = await serve((response, { url, headers }) => {
      response.setHeader("content-type", "application/json");
      if (headers.authorization !== `Bearer ${key}`) response.writeHead(401).end('{"error":"no"}');
      else if (url === "/v1/models") response.end('{"data":[{"id":"third-model"}]}');
      else response.writeHead(404).end('{"error":"unknown"}');
    });
    try {
      const { person } = opened;
      await open();
      await person.type(`${other.url}/wrong`);
      await person.press("Enter");
      await secret();
      await person.type(key);
      await person.press("Enter");
      await person.step("The gateway answers, but look at this first", "Change Address");
      await person.press("Enter");
      assert.equal((await person.step(addressStep)).value, `${other.url}/wrong`);
      await person.type(`${other.url}/v1`);
      await person.press("Enter");
      await person.answer("the chat asks third-model");
      await asking.ended();
      assert.equal(inUse(), `${other.url}/v1`);
    } finally {
      await other.close();
    }
  });
});
