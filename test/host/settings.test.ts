/** The settings as VS Code gives them in a remote window, which this server's windows are: the person's own everywhere. */
import assert from "node:assert/strict";
import { maxUnaskedBytes } from "../../src/domain/environment";
import { mkdir, readFile, rm, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import * as vscode from "vscode";
import { defaultLimits } from "../../src/gateway/http/network/wire";
import { createNetworkSettings } from "../../src/vscode/network";
import { createSettings, type Settings } from "../../src/vscode/settings";
import { resultsFolder } from "../../src/tasks/host/submit/destinationStep";
import { createSettingNotices } from "../../src/vscode/interface/settingNotices";
import { eventually } from "../support/eventually";
import { type ExtensionInside, openExtension } from "../support/extensionApp";

const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? "";
const section = (): vscode.WorkspaceConfiguration => vscode.workspace.getConfiguration("sluice");

describe("settings in VS Code", () => {
  let inside: ExtensionInside;
  let settings: Settings;
  const ofMachine = (): string => path.resolve(inside.storage, "..", "..", "..", "Machine", "settings.json");
  const ofUser = (): string => path.resolve(inside.storage, "..", "..", "settings.json");
  before(async () => {
    inside = await openExtension();
    settings = createSettings();
  });
  after(() => settings.dispose());

  /**
   * Waits until VS Code has read the folder's file. Its watcher adds a new folder a moment later, and notices in it only what changes from then on, so
   * the file is touched now and then. VS Code reads a file that has not changed for 100 ms: one that is touched all the time it would never read.
   */
  const isRead = (file: string, holds: () => boolean): Promise<void> => {
    let touched = performance.now();
    return eventually("the folder's file", async () => {
      if (holds()) return true;
      if (performance.now() - touched > 1000) {
        await utimes(file, new Date(), new Date());
        touched = performance.now();
      }
      return false;
    });
  };
  const hasTabSize = (size: number) => () => vscode.workspace.getConfiguration().get("editor.tabSize") === size;
  const hasNoTabSize = (): boolean =>
    vscode.workspace.getConfiguration().inspect("editor.tabSize")?.workspaceValue === undefined;

  /** Sets nothing any more. VS Code may miss that a file goes, so it has read the empty one before that. */
  const emptied = async (file: string): Promise<void> => {
    await writeFile(file, "{}");
    await isRead(file, hasNoTabSize);
    await rm(file);
  };

  it("V4 (finding 36): without a value of its own each setting is what the code takes by default", () => {
    const { connect, firstByte, silence } = defaultLimits;
    assert.deepEqual(settings.limits(), { connect, firstByte, silence });
    assert.deepEqual(settings.chat("any-model"), { messages: {}, "generate-content": {} });
    assert.deepEqual([settings.stylizedImageWord(), settings.get("localGateway.relay")], ["stylized_image", true]);
  });

  it("C1 (findings S14, 23): in a remote window the person's user settings are read, and neither its machine nor the folder sets any", async () => {
    const set = (megabytes: number): string =>
      JSON.stringify({ "sluice.results.fetchUpTo": megabytes, "sluice.results.folder": `of-${megabytes}` });
    // A desktop window of this machine has no such file, and reads none.
    const machine = await readFile(ofMachine(), "utf8").catch(() => undefined);
    const ofFolder = path.join(folder, ".vscode", "settings.json");
    await mkdir(path.dirname(ofFolder), { recursive: true });
    try {
      await section().update("results.fetchUpTo", 31, vscode.ConfigurationTarget.Global);
      assert.match(await readFile(ofUser(), "utf8"), /"sluice\.results\.fetchUpTo": 31/);
      // VS Code reads both files when they change; the last line is of another scope: once it has changed, both were read.
      if (machine !== undefined) await writeFile(ofMachine(), set(41).replace("}", `,"files.autoSaveDelay":4100}`));
      await writeFile(ofFolder, set(51).replace("}", `,"editor.tabSize":5}`));
      await eventually(
        "the machine's file",
        () => machine === undefined || vscode.workspace.getConfiguration().get("files.autoSaveDelay") === 4100,
      );
      await isRead(ofFolder, hasTabSize(5));
      assert.equal(maxUnaskedBytes(settings), 31 * 1024 ** 2);
      assert.equal(settings.resultsFolder(), "assets");
      const { globalValue, workspaceValue, workspaceFolderValue } = section().inspect("results.folder") ?? {};
      assert.deepEqual([globalValue, workspaceValue, workspaceFolderValue], [undefined, undefined, undefined]);
      for (const target of [vscode.ConfigurationTarget.Workspace, vscode.ConfigurationTarget.WorkspaceFolder])
        await assert.rejects(async () => section().update("baseUrl", "https://evil.example", target));
    } finally {
      await section().update("results.fetchUpTo", undefined, vscode.ConfigurationTarget.Global);
      if (machine !== undefined) await writeFile(ofMachine(), machine);
      await emptied(ofFolder);
      await eventually(
        "the machine's own",
        () => vscode.workspace.getConfiguration().get("files.autoSaveDelay") !== 4100,
      );
    }
  });

  it("C1, V6 (finding S14): a nested object in a folder's settings, which VS Code does not hold against the scopes, sets nothing, nor one in a dev container's", async () => {
    const ofFolder = path.join(folder, ".vscode", "settings.json");
    const hostile = {
      sluice: {
        baseUrl: "https://evil.example/v1",
        mcp: { enabled: true },
        models: [{ id: "evil", stylizedImageTaskType: "evil", authentication: "query" }],
        results: { folder: "evil", fetchUpTo: 51 },
      },
      http: { proxy: "http://evil.example:8080", proxySupport: "off" },
      "editor.tabSize": 6,
    };
    const machine = await readFile(ofMachine(), "utf8").catch(() => undefined);
    const ofContainer = { sluice: { summarizeChats: false }, "files.autoSaveDelay": 4200 };
    await mkdir(path.dirname(ofFolder), { recursive: true });
    const network = createNetworkSettings();
    try {
      if (machine !== undefined) await writeFile(ofMachine(), JSON.stringify(ofContainer));
      await eventually(
        "the machine's file",
        () => machine === undefined || vscode.workspace.getConfiguration().get("files.autoSaveDelay") === 4200,
      );
      assert.equal(settings.get("summarizeChats"), true);
      await writeFile(ofFolder, JSON.stringify(hostile));
      await isRead(ofFolder, hasTabSize(6));
      assert.deepEqual([network.current.proxy, network.current.useProxy], [undefined, true]);
      const { baseUrl, mcpEnabled, models } = settings;
      assert.deepEqual([baseUrl.current, mcpEnabled.current], ["", false]);
      assert.notDeepEqual(models.read(), hostile.sluice.models);
      assert.notEqual(maxUnaskedBytes(settings), 51 * 1024 ** 2);
      assert.deepEqual([settings.resultsFolder(), resultsFolder()], ["assets", "assets"]);
      assert.equal(settings.stylizedImageWord(), "stylized_image");
      assert.deepEqual(settings.chat("evil")["generate-content"], {});
    } finally {
      network.dispose();
      if (machine !== undefined) await writeFile(ofMachine(), machine);
      await emptied(ofFolder);
    }
  });

  it("V4: values that can't be used are named in one message, once, and their defaults apply", async () => {
    const { window } = vscode;
    const show = window.showWarningMessage;
    const shown: string[] = [];
    window.showWarningMessage = (message: string) => {
      shown.push(message);
      return Promise.resolve(undefined);
    };
    const set = (id: string, value: unknown): Thenable<void> =>
      section().update(id, value, vscode.ConfigurationTarget.Global);
    const notices = createSettingNotices(settings);
    try {
      await set("results.fetchUpTo", "soon");
      await set("notifications", "loud");
      await eventually("both", () => settings.unusable.read().length === 2);
      assert.deepEqual([maxUnaskedBytes(settings), settings.get("notifications")], [200 * 1024 ** 2, "all"]);
      await set("notifications", "none");
      await eventually("one", () => settings.unusable.read().length === 1);
      // In the order of the table of settings.
      // The running extension may say each too: not every version of VS Code gives both the same window.
      const texts = [...new Set(shown)].map((text) => text.split(": ")[1]);
      assert.deepEqual(texts, ["sluice.results.fetchUpTo", "sluice.notifications, sluice.results.fetchUpTo"]);
      for (const text of shown) assert.ok(shown.filter((other) => other === text).length <= 2, text);
    } finally {
      window.showWarningMessage = show;
      notices.dispose();
      for (const id of ["results.fetchUpTo", "notifications"]) await set(id, undefined);
    }
  });
});
