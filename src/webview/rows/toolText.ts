/** A tool call in words: its line, its state, its arguments. Pure. */
import { t } from "@vscode/l10n";
import type { Input, ToolCallBlock, ToolProgress } from "../../domain/transcript";
import { revealAll, revealName } from "../hiddenCharacters";
import type { IconName } from "../icons";

/** What stands in the line: the host's title once there is one, else the name and what it is about. */
export function callTitle({ name, progress }: ToolCallBlock): string {
  if ("title" in progress) return revealName(progress.title);
  if (progress.state === "waiting") return revealName(progress.approval.title);
  const about = progress.state === "ready" ? shortInput(progress.input) : "";
  return revealName(about ? `${name} ${about}` : name);
}

/** The first plain arguments, cut: enough to tell two calls apart. */
function shortInput(input: Input): string {
  const plain = Object.values(input).filter((value) => typeof value === "string" || typeof value === "number");
  const text = plain.slice(0, 2).join(", ").replace(/\s+/g, " ");
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

export function callIcon(progress: ToolProgress): IconName {
  switch (progress.state) {
    case "arriving":
    case "running":
      return "loading codicon-modifier-spin";
    case "ready":
      return "circle-large-outline";
    case "waiting":
      return "question";
    case "done":
      return "check";
    case "invalid":
    case "failed":
      return "error";
    case "denied":
      return "circle-slash";
    case "stopped":
      return "debug-stop";
  }
}

/** The state in words, for everyone and not by colour. */
export function callState(progress: ToolProgress): string {
  switch (progress.state) {
    case "arriving":
      return t("arriving");
    case "ready":
      return t("not started");
    case "waiting":
      return t("waits for approval");
    case "running":
      return t("running");
    case "done":
      return t("done");
    case "failed":
      return t("failed");
    case "denied":
      return t("not allowed");
    case "stopped":
      return t("stopped");
    case "invalid":
      return t("not run: {0}", progress.reason);
  }
}

/** The whole arguments, readable: what was decoded, else the raw text as it came. */
export function callArguments(block: ToolCallBlock): string {
  return revealAll(callInput(block));
}

/** The same as it came, for what marks hidden characters itself. */
export function callInput({ argumentText, progress }: ToolCallBlock): string {
  return "input" in progress ? JSON.stringify(progress.input, undefined, 2) : argumentText;
}

/** What came of it, for the opened row; nothing while there is none. */
export function callResult(progress: ToolProgress): { readonly label: string; readonly text: string } | undefined {
  switch (progress.state) {
    case "done":
      return { label: t("Result"), text: progress.result };
    case "failed":
      return { label: t("Error"), text: progress.result };
    case "denied":
      return progress.note ? { label: t("Word to the model"), text: progress.note } : undefined;
    case "arriving":
    case "invalid":
    case "ready":
    case "waiting":
    case "running":
    case "stopped":
      return undefined;
  }
}
