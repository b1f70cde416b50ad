/** *Copy MCP Configuration*, whose message offers a new token: what a person gives to a program so that it reaches the MCP server of this window (V6). */
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { type Disposable, DisposableStore } from "../../base/disposable";
import { plural } from "../../domain/words/plural";
import type { Dialogs } from "../../vscode/interface/dialogs";
import { commands } from "../../vscode/ids";
import { runCommand } from "../../vscode/interface/runCommand";
import type { Settings } from "../../vscode/settings/settings";
import { askBefore, notifyInformation, notifyWarning } from "../../vscode/interface/show";

export interface McpCommandPorts {
  readonly dialogs: Dialogs;
  readonly settings: Pick<Settings, "mcpEnabled" | "enableMcp">;
  /** Starts the server where it is switched on. */
  readonly start: () => Promise<void>;
  /** Of the server while it runs. */
  readonly current: () =>
    { readonly url: string; readonly token: string; readonly calls: number; readonly refused: number } | undefined;
  /** The old token is worth nothing from then on, in all windows. */
  readonly renewToken: () => Promise<void>;
  /** Programs may ask again, after *Don't Ask Again* too. */
  readonly allowQuestions: () => void;
}

export function registerMcpCommands(ports: McpCommandPorts): Disposable {
  const { dialogs } = ports;
  const registrations = new DisposableStore();
  registrations.add(dialogs.register(commands.copyMcpConfiguration, () => copyConfiguration(ports)));
  return registrations;
}

/** For a window whose port another program had. */
export async function notifyMoved(): Promise<void> {
  const copy = t("Copy MCP Configuration");
  const moved = t(
    "Another program has the port at which your programs reached this window over MCP, and may have got the token from them. That token is no longer accepted, in any window, and this window has a new address: give your programs the new configuration.",
  );
  if ((await notifyWarning(moved, copy)) === copy) await runCommand(commands.copyMcpConfiguration);
}

async function renew(ports: McpCommandPorts): Promise<void> {
  const detail = t("Every program that has the old token loses its access, in all windows.");
  if (!(await askBefore(t("Make a new MCP token?"), t("New Token"), detail))) return;
  await ports.renewToken();
  const copy = t("Copy Configuration");
  const made = t("The old MCP token is no longer accepted. Give your programs the configuration with the new one.");
  if ((await notifyInformation(made, copy)) === copy) await copyConfiguration(ports);
}

async function copyConfiguration(ports: McpCommandPorts): Promise<void> {
  const { settings, start, current, allowQuestions } = ports;
  if (!vscode.workspace.isTrusted) {
    await notifyWarning(t("In Restricted Mode no program gets to your tasks. Trust the workspace first."));
    return;
  }
  if (!settings.mcpEnabled.current) {
    const detail = t(
      "Programs of this machine that have the token can then look at your tasks. Each submission and each cancel asks in this window first.",
    );
    if (!(await askBefore(t("The MCP server is off. Switch it on?"), t("Switch On"), detail))) return;
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
  if ((await notifyInformation(sentences.join(" "), anew)) === anew) await renew(ports);
}
