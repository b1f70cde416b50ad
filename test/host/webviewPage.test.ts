/** A page in an editor tab of a real VS Code: loaded under its policy, its messages read, hiding and closing distinguished. */
import assert from "node:assert/strict";
import * as vscode from "vscode";
import type { Facts, Log } from "../../src/domain/ports";
import { type ChatPageIntent, chatPageContract } from "../../src/chat/contract/chatPageContract";
import type { Handlers } from "../../src/base/pageContract";
import { createTab } from "../../src/vscode/interface/show";
import { mountPage, type PageDefinition } from "../../src/vscode/webviewPage";
import { eventually } from "../support/eventually";
import { openExtension } from "../support/extensionApp";

const status = {
  connection: "ready",
  gateway: "Test",
  model: "demo",
  demoModel: false,
  trusted: true,
  suggestions: [],
} as const;

/** What happened to the page, in order. */
function record() {
  const happened: string[] = [];
  const add = (what: string, facts?: Facts): void =>
    void happened.push(facts ? `${what} ${JSON.stringify(facts)}` : what);
  const log: Log = { debug: () => undefined, info: () => undefined, warn: add, error: add };
  const handlers = new Proxy({} as Handlers<ChatPageIntent>, {
    get: () => (intent: ChatPageIntent) => happened.push(`intent ${intent.type}`),
  });
  return { happened, log, handlers };
}

describe("a page in VS Code", () => {
  before(async () => {
    await openExtension();
  });
  afterEach(async () => {
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
  });

  const define = ({ happened, log, handlers }: ReturnType<typeof record>): PageDefinition<ChatPageIntent> => ({
    extensionUri: vscode.extensions.getExtension("sluice.sluice")!.extensionUri,
    bundle: "chat",
    title: "Chat",
    translations: undefined,
    log,
    handlers,
    onReady: () => happened.push("ready"),
    onHidden: () => happened.push("hidden"),
  });
  const count = (happened: readonly string[], what: string): number => happened.filter((one) => one === what).length;

  it("P3, P5: a tab loads its bundle, is ready anew each time it is shown, and its end is heard once", async () => {
    const recorded = record();
    const { happened } = recorded;
    const tab = createTab("sluice.test", "Chat");
    const page = mountPage(tab, chatPageContract, define(recorded));
    await eventually("the page", () => count(happened, "ready") === 1);
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ content: "in front" }));
    await eventually("that it is hidden", () => count(happened, "hidden") === 1);
    tab.reveal();
    await eventually("the page again", () => count(happened, "ready") === 2);
    tab.dispose();
    await eventually("its end", () => count(happened, "hidden") === 2);
    // VS Code rejects a message to a disposed webview: posting must not leave an unhandled rejection.
    page.post({ type: "status", status });
    // Whether the page gets the focus depends on the window.
    const life = happened.filter((what) => what !== "intent page-focused");
    assert.deepEqual(life, ["ready", "hidden", "ready", "hidden"]);
  });

  it("P5: only a message that the protocol has reaches a handler", () => {
    const recorded = record();
    const received = new vscode.EventEmitter<unknown>();
    mountPage(fakeView(received), chatPageContract, define(recorded));
    const { happened } = recorded;
    received.fire({ type: "chat-new" });
    received.fire({ type: "chat-delete" });
    received.fire({ type: "prompt-submit", text: 7 });
    received.fire("chat-new");
    received.fire({ type: "view-ready" });
    received.fire({ type: "page-failed", what: "row", message: "broken" });
    const unknown = 'A page sent a message that its protocol does not have. {"page":"chat"}';
    const failed = 'A page could not render a part of itself. {"page":"chat","what":"row","message":"broken"}';
    assert.deepEqual(happened, ["intent chat-new", unknown, unknown, unknown, "ready", failed]);
  });
});

/** A view whose page is the test. */
function fakeView(received: vscode.EventEmitter<unknown>): vscode.WebviewView {
  const never = new vscode.EventEmitter<never>().event;
  const webview = {
    options: {},
    html: "",
    cspSource: "'self'",
    asWebviewUri: (uri: vscode.Uri) => uri,
    onDidReceiveMessage: received.event,
  };
  const view = { webview, visible: true, onDidChangeVisibility: never, onDidDispose: never };
  return view as unknown as vscode.WebviewView;
}
