/** What models and gateways do to a stream, in the real window: three families, a cut, an error, a page, a second try. */
import assert from "node:assert/strict";
import { join } from "node:path";
import type { Frame, Locator } from "playwright-core";
import { Lab } from "../../../src/localGateway/lab/lab";
import { type LocalGateway, startLocalGateway } from "../../../src/localGateway/server";
import { askInChat } from "../../support/askInChat";
import { createTemporaryFolder, type TemporaryFolder } from "../../support/temporaryFolder";
import type { VsCodeWindow } from "../../support/window";
import { shareWindowOnGateway } from "../../support/windowOnGateway";
import { beginChat } from "../../support/newChat";

describe("streams in the window", () => {
  let folder: TemporaryFolder;
  let gateway: LocalGateway;
  let window: VsCodeWindow;
  let chat: Frame;

  before("open VS Code on a gateway that can misbehave", async () => {
    folder = await createTemporaryFolder();
    gateway = await startLocalGateway({
      stateDir: join(folder.path, "gateway"),
      tokensPerSecond: Infinity,
      firstTokenMs: 0,
      lab: new Lab(),
    });
    const target = { baseUrl: gateway.url, key: gateway.key };
    // Of the three families only messages thinks when a request asks for it; the other two think unasked.
    const settings = { "sluice.models": [{ id: "demo-messages", thinking: "low" }] };
    ({ window, chat } = await shareWindowOnGateway(target, settings));
    await chat.getByText("demo-chat").first().waitFor();
  });
  after(async () => {
    await window.close();
    await gateway.close();
    await folder.remove();
  });
  beforeEach(async () => {
    gateway.faults.clear();
    await beginChat(window);
  });

  const ask = async (text: string): Promise<Locator> => {
    await askInChat(chat, text);
    const answer = chat.locator(".row.answer").last();
    await answer.locator(".footer").waitFor();
    return answer;
  };

  it("S3: an answer that may be cut says so, and keeps what arrived", async () => {
    gateway.faults.arm({ name: "end.eof", times: 1, value: 4 });
    const answer = await ask("Tell me about locks");
    await answer.getByText(/^May be cut/).waitFor();
    assert.notEqual((await answer.locator(".markdown").first().innerText()).trim(), "");
    await window.screenshot("stream-cut");
  });

  it("S4: an error in the middle keeps the text, and says what the gateway said", async () => {
    gateway.faults.arm({ name: "err.event", times: 1, value: 4 });
    const answer = await ask("Tell me about locks");
    await answer.locator(".error-card").waitFor();
    assert.notEqual((await answer.locator(".markdown").first().innerText()).trim(), "");
    await window.screenshot("stream-error");
  });

  it("S4: a web page in place of an answer is told with its type and first bytes", async () => {
    gateway.faults.arm({ name: "http.html", route: "POST /v1/chat/completions" });
    const card = (await ask("hello")).locator(".error-card");
    await card.getByText("Details").click();
    const details = await card.locator("pre").innerText();
    assert.match(details, /status: 200/);
    assert.match(details, /text\/html/);
    assert.match(details, /<!doctype html|<html/i);
    await window.screenshot("stream-page");
  });

  it("S6: a second try is told, with why", async () => {
    gateway.faults.arm({
      name: "http.status",
      route: "POST /v1/chat/completions",
      times: 1,
      value: { status: 503, headers: { "retry-after": "1" } },
    });
    const answer = await ask("hello");
    await answer.getByText(/^Tried again after 1 s/).waitFor();
    assert.equal(await answer.locator(".error-card").count(), 0);
    await window.screenshot("stream-second-try");
  });
});
