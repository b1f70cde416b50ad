/** The part that is loaded when the MCP server of this window is switched on, or with its commands (V6). */
import * as vscode from "vscode";
import { t } from "@vscode/l10n";
import { DisposableStore, type Disposable } from "../../base/disposable";
import { systemClock } from "../../base/async/systemClock";
import { McpCalls } from "../mcp/mcpCalls";
import { McpTasks } from "../mcp/mcpTasks";
import type { TasksPart } from "../../tasks/host/mountTasks";
import { plural } from "../../domain/words/plural";
import type { Dialogs } from "../../vscode/interface/dialogs";
import { commands } from "../../vscode/ids";
import { runCommand } from "../../vscode/interface/runCommand";
import type { Settings } from "../../vscode/settings";
import { confirmAction, notifyInformation, notifyWarning } from "../../vscode/interface/show";
import { AgentQuestions } from "./agentQuestions";
import type { McpDefinitions } from "./registerAgents";
import { McpWindow } from "./mcpWindow";
import type { AgentsPart } from "./mountAgents";

export async function mountMcp(
  { secrets, workspaceState, extension, subscriptions }: vscode.ExtensionContext,
  { log, services: { settings }, dialogs }: TasksPart,
  { tasks, mcpTools, orders }: AgentsPart,
): Promise<McpDefinitions> {
  const { version } = extension.packageJSON as { readonly version: string };
  const mounted = new DisposableStore();
  subscriptions.push(mounted);
  const questions = mounted.add(
    new AgentQuestions(
      (id, run) => dialogs.register(id, run),
      () => calls.silence(),
    ),
  );
  const calls = new McpCalls(tasks, (...asked) => questions.ask(...asked), systemClock);
  const server = mounted.add(
    new McpWindow({
      secrets,
      workspaceState,
      log,
      version,
      clock: systemClock,
      tools: () => mcpTools,
      call: (call, signal) => calls.call(call, signal),
      createTasks: (token) => new McpTasks({ calls, orders, token, clock: systemClock }),
      isOn: () => settings.mcpEnabled.current && vscode.workspace.isTrusted,
      onMoved: () => void notifyMoved(),
    }),
  );
  // A failure is in the log, and each change tries again.
  const follow = (): Promise<void> => server.follow().catch(() => undefined);
  mounted.add(settings.mcpEnabled.onDidChange(() => void follow()));
  mounted.add(vscode.workspace.onDidGrantWorkspaceTrust(() => void follow()));
  mounted.add(
    registerMcpCommands({
      dialogs,
      settings,
      start: () => server.follow(),
      current: () => server.current,
      renewToken: () => server.renewToken(),
      allowQuestions: () => calls.allowQuestions(),
    }),
  );
  await follow();
  return {
    onChange: (listener) => void mounted.add(server.onDidChange(listener)),
    get definition() {
      const url = server.current?.url;
      if (url === undefined) return undefined;
      return new vscode.McpHttpServerDefinition("Sluice", vscode.Uri.parse(url), {}, version);
    },
    resolve(definition) {
      definition.headers = { Authorization: `Bearer ${server.current?.token}` };
      return definition;
    },
  };
}

/** What *Copy MCP Configuration* needs, which gives a person what a program needs to reach the MCP server of this window (V6). */
export interface McpCommandOptions {
  readonly dialogs: Dialogs;
  readonly settings: Pick<Settings, "mcpEnabled" | "enableMcp">;
  /** Starts the server where it is switched on. */
  readonly start: () => Promise<void>;
  /** Address, token and counted requests of the server while it runs. */
  readonly current: () =>
    { readonly url: string; readonly token: string; readonly calls: number; readonly refused: number } | undefined;
  /** Makes a new token. The old one is no longer accepted in any window. */
  readonly renewToken: () => Promise<void>;
  /** Lets programs ask again, also after *Refuse This and Later Ones*. */
  readonly allowQuestions: () => void;
}

function registerMcpCommands(options: McpCommandOptions): Disposable {
  const { dialogs } = options;
  const registrations = new DisposableStore();
  registrations.add(dialogs.register(commands.copyMcpConfiguration, () => copyConfiguration(options)));
  return registrations;
}

/** Warns the person that another program had the port of this window. */
async function notifyMoved(): Promise<void> {
  const copy = t("Copy MCP Configuration");
  const moved = t(
    "Another program has the port at which your programs reached this window over MCP, and may have got the token from them. That token is no longer accepted, in any window, and this window has a new address: give your programs the new configuration.",
  );
  if ((await notifyWarning(moved, copy)) === copy) await runCommand(commands.copyMcpConfiguration);
}

async function renew(options: McpCommandOptions): Promise<void> {
  const detail = t("Every program that has the old token loses its access, in all windows.");
  if (!(await confirmAction(t("Make a new MCP token?"), t("New Token"), detail))) return;
  await options.renewToken();
  const copy = t("Copy Configuration");
  const made = t("The old MCP token is no longer accepted. Give your programs the configuration with the new one.");
  if ((await notifyInformation(made, copy)) === copy) await copyConfiguration(options);
}

async function copyConfiguration(options: McpCommandOptions): Promise<void> {
  const { settings, start, current, allowQuestions } = options;
  if (!vscode.workspace.isTrusted) {
    await notifyWarning(t("In Restricted Mode no program gets to your tasks. Trust the workspace first."));
    return;
  }
  if (!settings.mcpEnabled.current) {
    const detail = t(
      "Programs of this machine that have the token can then see your tasks, prompts and results. Each submission, each cancel and each saved file asks in this window first.",
    );
    if (!(await confirmAction(t("The MCP server is off. Switch it on?"), t("Switch On"), detail))) return;
    await settings.enableMcp();
  }
  await start();
  const server = current();
  if (!server) return;
  allowQuestions();
  const { url, token, calls, refused } = server;
  const entry = { type: "http", url, headers: { Authorization: `Bearer ${token}` } };
  await vscode.env.clipboard.writeText(JSON.stringify({ mcpServers: { sluice: entry } }, undefined, 2));
  const sentences = [
    t(
      "The MCP configuration with its secret token is on the clipboard: keep it out of files that others read. This window's server listens at {0}.",
      url,
    ),
    ...(calls === 0 ? [] : [plural(calls, { one: "1 call so far.", other: "{0} calls so far." })]),
    ...(refused === 0 ? [] : [plural(refused, { one: "1 request refused.", other: "{0} requests refused." })]),
  ];
  const anew = t("New Token…");
  if ((await notifyInformation(sentences.join(" "), anew)) === anew) await renew(options);
}
