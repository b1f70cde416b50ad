/** *Show Approvals*: the rules of the sessions and of the workspace in one pick, each with its use and with Revoke (A3). */
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { plural } from "../../domain/words/plural";
import { startOfDay } from "../../base/localDay";
import type { GrantRules } from "../approval/grantRules";
import type { ChatSessions } from "../storage/chatSessions";
import { titleOf } from "../storage/records";
import { describeRule, describeSandbox, sandboxTitle } from "../../domain/words/describeRule";
import type { SandboxState } from "../../domain/tools/sandbox";
import type { GrantRule } from "../../domain/tools/grant";
import { formatTime } from "../../domain/words/timeFormats";
import type { Dialogs } from "../../vscode/interface/dialogs";
import {
  confirmAction,
  createPick,
  createSeparator,
  showUntilHidden,
  shownItem,
  type ShownItem,
  type ShownPick,
} from "../../vscode/interface/show";
import { shownLine } from "../../vscode/interface/shownText";

export interface RuleListOptions {
  readonly rules: GrantRules;
  readonly sandbox: () => Promise<SandboxState>;
  readonly chats: Pick<ChatSessions, "open">;
  readonly dialogs: Pick<Dialogs, "showFailure">;
}

type RuleItem = ShownItem & { readonly rule?: GrantRule; readonly begin?: () => Promise<void> };

/** Resolves when the list is closed. `chat`: the session whose profile can be switched on here; missing while it has no tools. */
export async function showRules(options: RuleListOptions, chat?: string): Promise<void> {
  const pick = createPick<RuleItem>();
  pick.title = shownLine(t("Approvals"));
  pick.placeholder = shownLine(t("What runs without a question. Enter shows a rule in full, to revoke it."));
  pick.matchOnDetail = true;
  pick.keepScrollPosition = true;
  const revoke = ({ id }: GrantRule): Promise<void> =>
    options.rules.revoke(id).catch((failure: unknown) => options.dialogs.showFailure(failure, "read"));
  const read = async (): Promise<readonly RuleItem[]> => {
    const [rules, sandbox] = await Promise.all([itemsOf(options, (rule) => void revoke(rule)), options.sandbox()]);
    // The profile comes after the rules, so that Enter in a list that has just opened allows nothing.
    return [...rules, ...profileItems(options, chat), ...sandboxItems(sandbox)];
  };
  await showUntilHidden(pick, read, options.rules.onDidChange, [
    pick.onDidAccept(() => {
      const { begin } = pick.activeItems[0] ?? {};
      if (begin) void begin();
      else void askToRevoke(pick, revoke);
    }),
  ]);
}

/** Asks before it revokes the rule. The question closes the list. */
async function askToRevoke(pick: ShownPick<RuleItem>, revoke: (rule: GrantRule) => Promise<void>): Promise<void> {
  const { rule } = pick.activeItems[0] ?? {};
  pick.hide();
  if (rule && (await confirmAction(t("Revoke this rule?"), t("Revoke"), describeRule(rule.subject))))
    await revoke(rule);
}

/** The row that switches on the profile of the session, where it is off. */
function profileItems({ rules }: RuleListOptions, chat: string | undefined): RuleItem[] {
  if (chat === undefined || rules.profileOf(chat)) return [];
  const label = t("This Chat: Run Commands in This Workspace");
  const detail = describeRule({ type: "workspace-commands" });
  return [createSeparator(""), { ...shownItem({ label, detail, icon: "add" }), begin: () => rules.beginProfile(chat) }];
}

/** Describes the sandbox, which applies without any rule. */
function sandboxItems(sandbox: SandboxState): RuleItem[] {
  return [createSeparator(""), shownItem({ label: sandboxTitle(sandbox), detail: describeSandbox(sandbox) })];
}

async function itemsOf({ rules, chats }: RuleListOptions, revoke: (rule: GrantRule) => void): Promise<RuleItem[]> {
  const row = (rule: GrantRule): RuleItem => {
    const button = { icon: "trash", tooltip: t("Revoke"), press: () => revoke(rule) } as const;
    return {
      ...shownItem({ label: describeRule(rule.subject), detail: describeTimes(rule), buttons: [button] }),
      rule,
    };
  };
  const ofWorkspace = await rules.ofWorkspace();
  const items = [
    ...rules.chats.flatMap((chat) => [createSeparator(nameOf(chats, chat)), ...rules.ofSession(chat).map(row)]),
    ...(ofWorkspace.length > 0 ? [createSeparator(t("This workspace")), ...ofWorkspace.map(row)] : []),
  ];
  if (items.length > 0) return items;
  const none = t("No rules: each call that needs a yes is asked about");
  return [shownItem({ label: none, detail: t("The arrow next to Allow lists what a rule would cover.") })];
}

function nameOf({ open }: RuleListOptions["chats"], chat: string): string {
  const stored = open.get(chat);
  const title = stored ? titleOf(stored.state) : "";
  return title === "" ? t("A chat of this window") : t("Chat: {0}", title);
}

function describeUse({ used }: GrantRule): string {
  if (used === 0) return t("not used yet");
  return plural(used, { one: "used once", other: "used {0} times" });
}

/**
 * *since 12 Nov · used once · expires 12 Dec unless it is used · last used 14:05*. The order matters, because VS Code cuts the end of a long line.
 */
function describeTimes(rule: GrantRule): string {
  const { since, lastUsed, expires } = rule;
  const today = startOfDay(Date.now());
  const format = (at: number): string => formatTime(vscode.env.language, startOfDay(at) === today ? "time" : "day", at);
  const parts = [
    t("since {0}", format(since)),
    describeUse(rule),
    expires === undefined ? t("gone when the window is closed") : t("expires {0} unless it is used", format(expires)),
    ...(lastUsed === undefined ? [] : [t("last used {0}", format(lastUsed))]),
  ];
  return parts.join(" · ");
}
