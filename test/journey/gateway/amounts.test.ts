/** Amounts that the gateway states, where a person asks for them: on the local gateway in the words of other gateways (T18). */
import assert from "node:assert/strict";
import type { ChatPageSnapshot } from "../../../src/chat/contract/chatPageContract";
import { describeTurn, summariseTurn } from "../../../src/chat/page/shared/turn";
import { describePrices, formatPrices } from "../../../src/domain/words/describePrice";
import { describeFailure } from "../../../src/domain/words/describeAnswer";
import type { DialectName } from "../../../src/localGateway/demo/spokenDialects";
import { type FaultyGateway, startFaultyGateway } from "../../faults/faultyGateway";
import { type ChatPage, openChat } from "../../support/fakeVscode/chatPage";
import { openWindowOnGateway } from "../../support/fakeVscode/onGateway";
import { closeWindows, type OpenedWindow, type OpenOptions } from "../../support/fakeVscode/openWindow";
import { WaitingClock } from "../../support/fakeVscode/waitingClock";
import { modelStep, promptStep, tasksView, typeStep } from "../../support/submitSteps";
import { createTemporaryFolder, type TemporaryFolder } from "../../support/temporaryFolder";

describe("amounts that a gateway states", () => {
  let folder: TemporaryFolder;
  let gateway: FaultyGateway;
  let opened: OpenedWindow;
  let chat: ChatPage;
  beforeEach(async () => {
    folder = await createTemporaryFolder();
  });
  afterEach(async () => {
    await closeWindows();
    await gateway.close();
    await folder.remove();
  });

  const open = async (
    dialect: DialectName | undefined,
    { settings = {}, clock }: Pick<OpenOptions, "settings" | "clock"> = {},
  ) => {
    const speed = { tokensPerSecond: Infinity, firstTokenMs: 0, speed: 100 };
    gateway = await startFaultyGateway({ stateDir: folder.path, ...speed, ...(dialect && { dialect }) });
    const options = { settings, ...(clock && { clock }) };
    opened = await openWindowOnGateway({ baseUrl: `${gateway.url}/v1`, key: gateway.key }, options);
    chat = await openChat(opened.window);
    await chat.until("the list of models is read", ({ snapshot }) => snapshot.status.model !== "");
  };
  const status = (): ChatPageSnapshot["status"] => chat.snapshot.status;
  const leftShown = (): string => formatPrices(status().balance ?? [], "en");
  /** While a test waits, only short pauses are skipped, so that the minute after which what is left is read again is not over. */
  const withinMinute = (): WaitingClock => new WaitingClock(Date.now(), { longestPause: 100 });
  const asked = (): number =>
    gateway.requests.filter(({ path }) => /^\/(v1\/(key|credits)|key\/info|api\/usage)/.test(path)).length;

  it("T18: OpenRouter's words: the answer's tooltip, the chat's header, what is left, and the models name what things cost", async () => {
    await open("openrouter", { clock: withinMinute() });
    await chat.turn("write 2 paragraphs");
    const { spent, available } = gateway.balance;
    const cost = formatPrices([{ amount: spent / 10_000, currency: "USD", source: "gateway" }], "en");
    const facts = describeTurn(summariseTurn(chat.entries, chat.entries.length - 1), "en", status().prices);
    assert.ok(facts.includes(`${cost}, the gateway says`), facts.join(" · "));
    await chat.until("the chat's sum", () => status().context?.prices !== undefined);
    assert.equal(describePrices(status().context?.prices ?? [], "en"), `${cost}, the gateway says`);
    await opened.window.until("the header of the view has it", () => chat.page.description === cost);
    assert.equal(asked(), 1, "the first place states nothing for a key without a limit");
    assert.equal(leftShown(), "", "what is not known is not shown");
    assert.ok(available > 0);
    const choosing = opened.person.palette("Sluice: Choose Model…");
    await opened.person.step(modelStep);
    const row = opened.person.pick.rows.find(({ label }) => label === "demo-chat");
    assert.match(JSON.stringify(row), /\$1\.00 in, \$4\.00 out for a million tokens, by the gateway's list/);
    await opened.person.press("Escape");
    await choosing.ended();
  });

  it("T18: LiteLLM's words: what is left is beside the gateway, and is asked for once however many answers come", async () => {
    await open("litellm", { clock: withinMinute() });
    await opened.window.until("what is left", () => leftShown() === "$10.00");
    for (const prompt of ["hello", "and again", "and once more"]) await chat.turn(prompt);
    assert.equal(asked(), 1, "once a minute");
    const page = await moneyPage();
    await opened.window.until("the Money page has it", () =>
      JSON.stringify(page.messages).includes(`$10.00 left, the gateway ${new URL(gateway.url).host} says.`),
    );
    assert.equal(asked(), 1);
  });

  it("T18: what the gateway counts as spent and no chat or task here has is one line on the Money page", async () => {
    await open("litellm");
    const { window } = opened;
    await window.until("the first total", () => leftShown() === "$10.00");
    await chat.turn("write 2 paragraphs");
    const page = await moneyPage();
    // A read that began before the turn ended lacks it, and the next one comes a minute later.
    const untilTotal = (what: string, isShown: () => boolean): Promise<true> =>
      window.until(what, async () => {
        if (isShown()) return true;
        await window.clock.advance(61_000);
        return false;
      });
    const line = (): string | undefined => /Since [^"]*/.exec(JSON.stringify(page.messages.at(-1)))?.[0];
    await chat.turn("hello");
    await untilTotal("what is left", () => JSON.stringify(page.messages.at(-1)).includes("$9.9"));
    assert.equal(line(), undefined, "the chat comes to the total");
    const response = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${gateway.key}`, "content-type": "application/json" },
      body: JSON.stringify({ model: "demo-chat", messages: [{ role: "user", content: "write 9 paragraphs" }] }),
    });
    await response.text();
    await chat.turn("hello");
    const here = status().context?.prices?.[0]?.amount ?? NaN;
    const elsewhere = gateway.balance.spent / 10_000 - here;
    assert.ok(elsewhere > 0);
    const rest = formatPrices([{ amount: elsewhere, currency: "USD", source: "gateway" }], "en");
    await untilTotal(
      "the line",
      () => line()?.endsWith(`The other ${rest} was in chats that are deleted, or was not spent here.`) === true,
    );
  });

  it("T18: Vercel's words: the price of a task is there before the yes, and on its row and the page after", async () => {
    await open("vercel");
    const { window, person } = opened;
    const asking = person.palette("Sluice: Submit Selection as Task…");
    await person.step(typeStep);
    await person.choose(/^Image$/);
    await person.step(modelStep);
    const row = person.pick.rows.find(({ label }) => label === "demo-image");
    assert.match(JSON.stringify(row), /\$0\.03 each, by the gateway's list/);
    await person.choose("demo-image");
    await person.step(promptStep);
    await person.type("a quay by night");
    await person.step(promptStep, "Submit with demo-image, about $0.03 by the gateway's list");
    await person.press("Enter");
    await asking.ended();
    const shown = await person.row(tasksView, "a quay by night");
    const tooltip = await window.trees.find(tasksView)?.tooltipOf(shown);
    assert.match(tooltip ?? "", /about \$0\.03 by the gateway's list/);
    const page = await moneyPage();
    await window.until("its price", () => JSON.stringify(page.messages).includes("about $0.03 by the gateway's list"));
  });

  it("T18, T10: a chat that waits at its cap of money says by whom, and goes on in place once the cap is raised from its card", async () => {
    await open("litellm", { settings: { "sluice.caps.moneyPerChat": 0.000_1 } });
    const { window } = opened;
    await chat.turn("write 2 paragraphs");
    await chat.turn("write 3 paragraphs");
    const paused = chat.answers.at(-1)!;
    const card = describeFailure(paused);
    assert.match(card?.title ?? "", /^By the gateway's amounts this chat has cost \$0\.\d+: your cap is \$0\.0001\.$/);
    assert.equal(card?.secondAction?.id, "change-money-cap");
    const sent = gateway.requests.length;
    chat.send({ type: "error-action", answer: paused.id, isSecond: true });
    await window.until("it is said what happens then", () =>
      chat.messages.some((one) => one.type === "composer-hint" && one.text.includes("this chat goes on")),
    );
    window.configuration.set("sluice.caps.moneyPerChat", 0.000_05);
    window.configuration.set("sluice.caps.moneyPerChat", 5);
    await chat.until("it has gone on", ({ answers }) => answers.at(-1)?.state === "complete");
    assert.equal(chat.entries.filter(({ type }) => type === "user").length, 2, "the prompt is not asked for again");
    assert.ok(gateway.requests.length > sent);
  });

  it("T18: a cap of money in another currency than the gateway's is said before the first turn, and leads to the setting", async () => {
    const cap = (currency: string): Readonly<Record<string, unknown>> => ({
      "sluice.caps.moneyPerChat": 5,
      "sluice.prices": [{ currency, model: "another", input: 1 }],
    });
    await open("openrouter", { settings: cap("EUR") });
    const { window } = opened;
    await chat.until("it is said", () => status().uncounted !== undefined);
    assert.equal(status().uncounted, "Costs in USD don't count for your cap of €5.00.");
    assert.equal(chat.entries.length, 0);
    await chat.turn("write 2 paragraphs");
    assert.ok(status().uncounted !== undefined, "the cost of the answer is in dollars too");
    chat.send({ type: "state-action", action: "change-money-cap" });
    await window.until("the setting", () =>
      window.ran.some(
        ([id, query]) => id === "workbench.action.openSettings" && query === "@id:sluice.caps.moneyPerChat",
      ),
    );
    window.configuration.set("sluice.prices", cap("USD")["sluice.prices"]);
    await chat.until("one currency", () => status().uncounted === undefined);
    window.configuration.set("sluice.prices", cap("EUR")["sluice.prices"]);
    await chat.until("two currencies", () => status().uncounted !== undefined);
    window.configuration.set("sluice.caps.moneyPerChat", 0);
    await chat.until("no cap", () => status().uncounted === undefined);
  });

  it("T18: a gateway that nobody knows looks as before: nothing says 0, and nothing is asked", async () => {
    await open(undefined);
    await chat.turn("write 2 paragraphs");
    assert.deepEqual(
      [status().balance, status().context?.prices, chat.page.description ?? ""],
      [undefined, undefined, ""],
    );
    const facts = describeTurn(summariseTurn(chat.entries, chat.entries.length - 1), "en", status().prices).join(" · ");
    assert.doesNotMatch(facts, /\$|gateway|list/);
    const page = await moneyPage();
    await opened.window.until("the page", () => page.messages.length > 0);
    assert.doesNotMatch(JSON.stringify(page.messages), /\$|left, the gateway/);
    assert.equal(asked(), 0);
  });

  const moneyPage = async () => {
    await opened.person.run("sluice.task.showMoney");
    const page = await opened.window.until("the Money page", () =>
      opened.window.webviews.panels.find(({ viewType }) => viewType === "sluice.money"),
    );
    page.send({ type: "view-ready" });
    return page;
  };
});
