/** The lists of models and of gateways by Enter, typing and clicks, and with an Enter too many. */
import assert from "node:assert/strict";
import { type ChatPage, openChat } from "../../support/fakeVscode/chatPage";
import { closeWindows, type OpenedWindow, openWindow } from "../../support/fakeVscode/openWindow";
import { modelStep } from "../../support/submitSteps";

type Asking = ReturnType<OpenedWindow["person"]["palette"]>;

describe("the lists of models and gateways", () => {
  let opened: OpenedWindow;
  let chat: ChatPage;
  before(async () => {
    opened = await openWindow();
    chat = await openChat(opened.window);
    await chat.until("the list of models is read", ({ snapshot }) => snapshot.status.model !== "");
  });
  after(closeWindows);

  const chooseModel = async (): Promise<Asking> => {
    const asking = opened.person.palette("Sluice: Choose Model…");
    await opened.person.step(modelStep);
    return asking;
  };
  const modelIs = (model: string): Promise<unknown> =>
    chat.until(`the model ${model}`, ({ snapshot }) => snapshot.status.model === model);

  it("C5 (finding 19): Enter takes the model that is the current one; so does a click", async () => {
    const { person } = opened;
    const byEnter = await chooseModel();
    assert.equal(person.pick.active?.label, "demo-chat");
    await person.press("Enter");
    await byEnter.ended();
    await modelIs("demo-chat");
    const other = await chooseModel();
    await person.choose("demo-messages");
    await other.ended();
    await modelIs("demo-messages");
    const byClick = await chooseModel();
    assert.equal(person.pick.active.label, "demo-messages");
    await person.choose(/^demo-chat$/);
    await byClick.ended();
    await modelIs("demo-chat");
    const left = await chooseModel();
    await person.escape();
    await left.ended();
    assert.equal(chat.snapshot.status.model, "demo-chat");
  });

  it("C5 (finding 19): an id that is typed and taken at once asks for its API; a second Enter does not answer that too", async () => {
    const { window, person } = opened;
    const apiStep = "Which API does my-own-model use?";
    const asking = await chooseModel();
    await person.type("my-own-model");
    await window.settled();
    person.pressAtOnce("Enter");
    person.pressAtOnce("Enter");
    await person.step(apiStep);
    assert.equal(chat.snapshot.status.model, "demo-chat");
    await person.back();
    await person.step(modelStep);
    await person.type("my-own-model");
    await person.press("Enter");
    await person.through(apiStep);
    await asking.ended();
    await modelIs("my-own-model");
    const again = await chooseModel();
    await person.type("demo-chat");
    await person.press("Enter");
    await again.ended();
    await modelIs("demo-chat");
  });

  const chooseGateway = async (): Promise<Asking> => {
    const asking = opened.person.palette("Sluice: Choose Gateway…");
    await opened.person.step("Choose, or type an address");
    return asking;
  };
  const addressNow = (): unknown => opened.window.configuration.get("sluice.baseUrl");

  it("C1 (newuser M16): the gateway in use is marked", async () => {
    const { person } = opened;
    const asking = await chooseGateway();
    assert.match(person.pick.rows[0]?.description ?? "", /^in use · free/);
    await person.escape();
    await asking.ended();
  });

  it("C1 (finding 19): Enter takes the preselected gateway; so does a click", async () => {
    const { person } = opened;
    const byEnter = await chooseGateway();
    await person.press("Enter");
    await byEnter.ended();
    await person.answer("The local gateway is in use already.");
    const byClick = await chooseGateway();
    await person.choose("Local gateway");
    await byClick.ended();
    await person.answer("The local gateway is in use already.");
    assert.equal(addressNow(), "");
  });

  it("C1 (finding 19): an address that can't be used stays, one that is pasted is taken with Enter at once", async () => {
    const { window, person } = opened;
    const asking = await chooseGateway();
    await person.type("http://gateway.example/v1");
    await window.settled();
    person.pressAtOnce("Enter");
    person.pressAtOnce("Enter");
    await window.settled();
    assert.equal((await person.step("Choose, or type an address")).value, "http://gateway.example/v1");
    person.pick.type("https://gateway.invalid/v1");
    person.pressAtOnce("Enter");
    const box = await window.until("a key is asked for", () => {
      const { visible } = window.widget;
      return visible?.state.password === true ? visible : undefined;
    });
    assert.ok(box.isVisible);
    await person.escape();
    await asking.ended();
    assert.equal(addressNow(), "");
    // By its name: the list follows what is typed.
    const byName = await chooseGateway();
    await person.type("Local");
    assert.deepEqual(
      person.pick.rows.map(({ label }) => label).filter((label) => label.includes("gateway")),
      ["Local gateway"],
    );
    await person.press("Enter");
    await byName.ended();
    await person.answer("The local gateway is in use already.");
    assert.equal(addressNow(), "");
  });
});
