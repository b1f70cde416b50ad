/** The log as an output channel, filtered by VS Code's log level. An entry is a message and plain facts; API keys are never among them. */
import * as vscode from "vscode";
import type { Disposable } from "../base/disposable";
import { revealHidden } from "../base/text/revealHidden";
import type { Facts, Log } from "../domain/ports";

export interface LogChannel extends Log, Disposable {
  show(): void;
}

export function createLogChannel(): LogChannel {
  const channel = vscode.window.createOutputChannel("Sluice", { log: true });
  return {
    debug: (message, facts) => channel.debug(line(message, facts)),
    info: (message, facts) => channel.info(line(message, facts)),
    warn: (message, facts) => channel.warn(line(message, facts)),
    error: (message, facts) => channel.error(line(message, facts)),
    show: () => channel.show(true),
    dispose: () => channel.dispose(),
  };
}

/** Characters of one fact. */
const maxFactLength = 2000;

function line(message: string, facts: Facts | undefined): string {
  const known = Object.entries(facts ?? {}).filter(([, value]) => value !== undefined);
  // JSON escapes control characters, but neither line separators nor bidirectional controls.
  return revealHidden([message, ...known.map(([name, value]) => `${name}=${shown(value)}`)].join(" "));
}

function shown(value: Facts[string]): string {
  return JSON.stringify(typeof value === "string" ? value.slice(0, maxFactLength) : value);
}
