/** Chats in editor tabs: turns at the same time, which chat a command means, and the way to the side bar and back. */
import assert from "node:assert/strict";
import { type ChatPage, chatInTab, openChat } from "../../support/fakeVscode/chatPage";
import { closeWindows, type OpenedWindow, openWindow } from "../../support/fakeVscode/openWindow";

/** Their turns wait for an approval, so they run until they are stopped. */
const lanterns = 'Replace "Lanterns" with "Boats" in notes.md';
const people = 'Replace "no people" with "one boat" in notes.md';

describe("a chat in a tab", () => {
  let opened: OpenedWindow;
  let view: ChatPage;
  before(async () => {
    opened = await openWindow({ files: { "notes.md": "Lanterns drift, no people.\n" } });
    view = await openChat(opened.window);
  });
  afterEach(async () => {
    const { window, person } = opened;
    for (const { session } of opened.inside.app.chats.open.values()) session.stop();
    window.editors.close([...window.editors.tabs]);
    await person.inTitle("sluice.chat", "New Chat").ended();
  });
  after(closeWindows);

  const openTab = async (): Promise<ChatPage> => {
    const { window, person } = opened;
    const known = window.webviews.panels;
    const opening = person.palette("Sluice: Open Chat in Editor");
    const tab = await chatInTab(window, known);
    await opening.ended();
    return tab;
  };
  const tabWith = async (prompt: string): Promise<ChatPage> => {
    const tab = await openTab();
    await tab.ask(prompt);
    await tab.approval();
    return tab;
  };

  for (const [text, isHidden] of [
    ["a text that nobody has sent", false],
    ["a text that nobody has sent", true],
    ["", false],
  ] as const)
    it(`P1 (newuser L19): Open Chat in Editor moves the chat with its turns, its draft ("${text}") and its attachments into a tab; the view${isHidden ? ", which is hidden," : ""} shows a new one`, async () => {
      await view.turn("Hello there");
      const { id } = view.chat;
      const references = [{ path: "notes.md" }, { path: "notes.md", lines: { first: 1, last: 1 } }];
      view.draft = text;
      view.references = references;
      const edits = [{ entry: view.entries[0]!.id, text: "Hello here", without: [] }];
      const fields = [{ kind: "note" as const, id: "approval", text: "Not the peo" }];
      view.kept.addTyped(id, { edits, fields });
      if (isHidden) opened.window.hideView("sluice.chat");
      const tab = await openTab();
      assert.equal(tab.chat.id, id);
      assert.equal(tab.answers.length, 1);
      const { typed } = tab.kept;
      assert.deepEqual([tab.draft, tab.references, typed.edits, typed.fields], [text, references, edits, fields]);
      await view.until("a new chat", ({ chat, entries }) => chat.id !== id && entries.length === 0);
      const { current: left } = view.kept;
      assert.deepEqual([view.draft, view.references, left.edits, left.fields], ["", [], [], []]);
      assert.equal(opened.window.contexts()("activeWebviewPanelId"), "sluice.chatTab");
    });

  it("P1: Open Chat in Editor, called again while the first call waits for the draft, opens one tab with it", async () => {
    const { window, person } = opened;
    await view.turn("Hello there");
    view.draft = "a text that nobody has sent";
    const known = window.webviews.panels;
    const calls = [person.palette("Sluice: Open Chat in Editor"), person.palette("Sluice: Open Chat in Editor")];
    const tab = await chatInTab(window, known);
    for (const call of calls) await call.ended();
    assert.equal(window.webviews.panels.filter((panel) => !known.includes(panel)).length, 1);
    assert.equal(tab.draft, "a text that nobody has sent");
  });

  it("P1: two tabs have a turn each at the same time, and their titles", async () => {
    const first = await tabWith(people);
    const second = await tabWith(lanterns);
    assert.deepEqual(
      opened.window.editors.tabs.map(({ label, isActive }) => [label.slice(0, 17), isActive]),
      [
        ['Replace "no peopl', false],
        ['Replace "Lanterns', true],
      ],
    );
    await second.decide(false);
    await second.ended();
    opened.window.editors.reveal(first.page.tab!);
    await first.decide(false);
    await first.ended();
    assert.deepEqual(
      [first.calls, second.calls].map((calls) => calls.map(({ progress }) => progress.state)),
      [["denied"], ["denied"]],
    );
  });

  it("P1: a command means the tab that was used last, and the view from the view's own title", async () => {
    const { window, person } = opened;
    const first = await tabWith(people);
    const second = await tabWith(lanterns);
    await view.turn("Hello there");
    await person.inTitle("sluice.chat", "New Chat").ended();
    assert.deepEqual(
      [view, first, second].map(({ entries }) => entries.length > 0),
      [false, true, true],
    );
    window.editors.reveal(first.page.tab!);
    await person.palette("Sluice: New Chat").ended();
    assert.deepEqual(
      [view, first, second].map(({ entries }) => entries.length > 0),
      [false, false, true],
    );
    assert.equal(first.page.title, "New Chat");
  });

  it("P1: a tab's chat goes into the side bar with what was written and not sent, which is there before the chat is shown", async () => {
    const tab = await tabWith(people);
    const { id } = tab.chat;
    const entry = tab.entries[0]!.id;
    const edits = [{ entry, text: "Replace nothing", without: [] }];
    const { id: approval } = (await tab.approval()).approval;
    const fields = [{ kind: "note" as const, id: approval, text: "Not the peo" }];
    tab.draft = "a text that nobody has sent";
    // What was typed for a message of another chat is not that chat's, and its newest text may be elsewhere.
    tab.kept.addTyped(id, { edits: [{ entry: "of-another-chat", text: "Old", without: [] }, ...edits], fields });
    const posted = view.messages.length;
    const moving = opened.person.palette("Sluice: Manage Chat…");
    await opened.person.choose("Move Chat into Side Bar");
    await moving.ended();
    assert.deepEqual([tab.page.isClosed, opened.window.editors.tabs.length], [true, 0]);
    assert.deepEqual([view.chat.id, view.chat.running, view.draft], [id, true, "a text that nobody has sent"]);
    assert.deepEqual([view.kept.editOf(entry), view.kept.typed.fields], [edits[0], fields]);
    assert.equal(view.kept.editOf("of-another-chat"), undefined);
    const order = view.messages
      .slice(posted)
      .flatMap((message) =>
        message.type === "composer-insert" ||
        message.type === "typed-add" ||
        (message.type === "snapshot" && message.snapshot.chat.id === id)
          ? [message.type]
          : [],
      );
    assert.deepEqual(order.slice(0, 3), ["typed-add", "composer-insert", "snapshot"]);
  });

  it("P1: a tab that was hidden before its chat goes into the side bar, which is hidden too, loses nothing of what was written", async () => {
    const { window, person } = opened;
    const [first, second] = [await tabWith(people), await openTab()];
    window.editors.reveal(first.page.tab!);
    const { id } = first.chat;
    const fields = [{ kind: "note" as const, id: (await first.approval()).approval.id, text: "Not the peo" }];
    first.draft = "a text that nobody has sent";
    first.kept.addTyped(id, { edits: [], fields });
    window.hideView("sluice.chat");
    const posted = view.messages.length;
    const moving = person.palette("Sluice: Manage Chat…");
    await person.step("Manage Chat");
    window.editors.reveal(second.page.tab!);
    await person.choose("Move Chat into Side Bar");
    await moving.ended();
    assert.deepEqual([first.page.isClosed, second.page.isClosed], [true, false]);
    assert.deepEqual([view.chat.id, view.draft, view.kept.typed.fields], [id, "a text that nobody has sent", fields]);
    const types = view.messages.slice(posted).map(({ type }) => type);
    assert.deepEqual(types.slice(0, 2), ["typed-add", "snapshot"]);
  });

  it("P1, P6: New Chat ends once its page has the focus, so that what is typed next arrives there; or when the page is hidden", async () => {
    const { window, person } = opened;
    await view.turn("Hello there");
    const begin = async (): Promise<{ readonly hasEnded: () => boolean; readonly ended: Promise<unknown> }> => {
      view.takesFocus = false;
      const asked = view.page.ofType("focus-await").length;
      let hasEnded = false;
      const ended = person
        .palette("Sluice: New Chat")
        .ended()
        .then(() => (hasEnded = true));
      await view.until("the focus is asked for", ({ page }) => page.ofType("focus-await").length > asked);
      await window.settled();
      return { hasEnded: () => hasEnded, ended };
    };
    const first = await begin();
    assert.deepEqual([first.hasEnded(), view.entries.length], [false, 0]);
    view.takesFocus = true;
    view.takeFocus();
    await first.ended;
    const second = await begin();
    assert.equal(second.hasEnded(), false);
    window.hideView("sluice.chat");
    await second.ended;
    view.takesFocus = true;
    await window.showView("sluice.chat");
  });
});
