/** Every call that makes VS Code show text. Texts are gated here; the types of objects that keep their texts accept only gated ones. */
import * as vscode from "vscode";
import { systemClock } from "../../base/async/systemClock";
import { definedFields } from "../../base/definedFields";
import type { Disposable } from "../../base/disposable";
import type { Event } from "../../base/event";
import type { CommandId } from "../ids";
import { shownLine, type ShownText } from "./shownText";

/** The icons that may precede a text; icon syntax within a text is made literal. */
export type Icon =
  | "add"
  | "beaker"
  | "arrow-right"
  | "bell"
  | "check"
  | "circle-outline"
  | "circle-slash"
  | "clippy"
  | "cloud-upload"
  | "comment-discussion"
  | "debug-disconnect"
  | "debug-pause"
  | "discard"
  | "error"
  | "edit"
  | "globe"
  | "key"
  | "refresh"
  | "export"
  | "file-media"
  | "folder"
  | "go-to-file"
  | "output"
  | "history"
  | "json"
  | "link-external"
  | "link"
  | "loading~spin"
  | "pin"
  | "pinned"
  | "save"
  | "settings"
  | "sync"
  | "tag"
  | "trash"
  | "warning";

function iconed(icon: Icon | undefined, text: string): ShownText {
  return (icon === undefined ? shownLine(text) : `$(${icon}) ${shownLine(text)}`) as ShownText;
}

// Notifications and dialogs

/** Characters; VS Code cuts a message at 1,000. */
const maxMessageLength = 900;
const maxDetailLength = 2000;
const maxSpokenLength = 500;

/** Resolves with the action that was chosen. */
export function notifyError(message: string, ...actions: string[]): Promise<string | undefined> {
  return notify((text, ...buttons) => vscode.window.showErrorMessage(text, ...buttons), message, actions);
}

export function notifyWarning(message: string, ...actions: string[]): Promise<string | undefined> {
  return notify((text, ...buttons) => vscode.window.showWarningMessage(text, ...buttons), message, actions);
}

export function notifyInformation(message: string, ...actions: string[]): Promise<string | undefined> {
  return notify((text, ...buttons) => vscode.window.showInformationMessage(text, ...buttons), message, actions);
}

async function notify(
  show: (text: ShownText, ...buttons: ShownText[]) => Thenable<string | undefined>,
  message: string,
  actions: readonly string[],
): Promise<string | undefined> {
  const buttons = actions.map((action) => shownLine(action));
  const chosen = await show(shownLine(message, maxMessageLength), ...buttons);
  return actions[buttons.findIndex((button) => button === chosen)];
}

/** A modal question; true when `action` is chosen. `detail` is shown below the question. */
export async function confirmAction(question: string, action: string, detail?: string): Promise<boolean> {
  const line = detail === undefined ? undefined : shownLine(detail, maxDetailLength);
  return (await askInDetail(question, line, action)) === action;
}

/** A modal question with several answers; `undefined` for *Cancel*. */
export function askWhich(question: string, ...actions: string[]): Promise<string | undefined> {
  return askInDetail(question, undefined, ...actions);
}

/** A modal question with a detail below it, which may have several lines. */
export function askInDetail(
  question: string,
  detail: ShownText | undefined,
  ...actions: string[]
): Promise<string | undefined> {
  const options = { modal: true, ...definedFields({ detail }) };
  const show = (text: ShownText, ...buttons: ShownText[]): Thenable<string | undefined> =>
    vscode.window.showWarningMessage(text, options, ...buttons);
  return notify(show, question, actions);
}

/** Milliseconds. Shorter work is shown only in its view. */
const cancelDelay = 1000;

/**
 * Shows that `work` runs, in its view. When it takes longer a notification offers *Cancel*, which aborts the signal: VS Code has no such button
 * in a view. Settles as `work` does.
 */
export async function showProgress<T>(
  viewId: string,
  title: string,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const cancelled = new AbortController();
  const settled = new AbortController();
  const running = work(cancelled.signal).finally(() => settled.abort());
  // The caller handles the result and the error of `running`.
  const end = running.then(ignore, ignore);
  systemClock.delay(cancelDelay, settled.signal).then(() => offerCancel(title, end, cancelled), ignore);
  return vscode.window.withProgress({ location: { viewId }, title: shownLine(title) }, () => running);
}

/** Shows that `running` runs, in its view. Settles as `running` does. */
export async function showBusy<T>(viewId: string, running: Promise<T>): Promise<T> {
  return vscode.window.withProgress({ location: { viewId } }, () => running);
}

const ignore = (): void => undefined;

/** Shows a notification with *Cancel* until `end`. */
function offerCancel(title: string, end: Promise<void>, cancelled: AbortController): void {
  const options = { location: vscode.ProgressLocation.Notification, title: shownLine(title), cancellable: true };
  void vscode.window.withProgress(options, (_progress, token) => {
    token.onCancellationRequested(() => cancelled.abort());
    return end;
  });
}

// Status bar

export function flashStatus(icon: Icon, message: string, milliseconds: number): void {
  vscode.window.setStatusBarMessage(iconed(icon, message), milliseconds);
}

export type StatusPart = Readonly<{ icon: Icon; text: string }>;
export type StatusLink = Readonly<{ label: string; command: CommandId }>;

export interface StatusItem extends Disposable {
  /** The tooltip offers `link`. */
  show(parts: readonly StatusPart[], tooltip: string, link?: StatusLink): void;
  hide(): void;
}

/** An item on the left side. A click runs `command`. */
export function createStatusItem(id: string, name: string, command: string): StatusItem {
  const item = vscode.window.createStatusBarItem(id, vscode.StatusBarAlignment.Left, 0);
  item.name = shownLine(name);
  item.command = command;
  return {
    show(parts, tooltip, link) {
      item.text = parts.map(({ icon, text }) => iconed(icon, text)).join(" ");
      const text = shownLine(tooltip);
      item.tooltip = link === undefined ? text : linkedTooltip(text, link);
      item.accessibilityInformation = { label: text };
      item.show();
    },
    hide: () => item.hide(),
    dispose: () => item.dispose(),
  };
}

/** Escapes the text and allows only the command of the link to run. */
function linkedTooltip(text: ShownText, { label, command }: StatusLink): vscode.MarkdownString {
  const tooltip = new vscode.MarkdownString().appendText(text);
  tooltip.appendMarkdown(`\n\n[${shownLine(label)}](command:${command})`);
  tooltip.isTrusted = { enabledCommands: [command] };
  return tooltip;
}

// Quick picks and input boxes

/** `T` with these texts gated. */
type Gated<T, Keys extends keyof T> = {
  [Key in keyof T]: Key extends Keys ? ShownText | Extract<T[Key], undefined> : T[Key];
};

export interface PickItem {
  readonly icon?: Icon;
  /** Path of a picture of a few pixels, in front of the label. */
  readonly picture?: string;
  readonly label: string;
  readonly description?: string;
  readonly detail?: string;
  readonly alwaysShow?: boolean;
  readonly buttons?: readonly PickButton[];
  /** A line with the label as a heading for the items below. */
  readonly isHeading?: boolean;
}

/** A button at the end of a row. */
export interface PickButton {
  readonly icon: Icon;
  readonly tooltip: string;
  readonly press: () => void;
}

export type ShownItem = Gated<vscode.QuickPickItem, "label" | "description" | "detail">;
export type ShownPick<Item extends ShownItem> = Gated<vscode.QuickPick<Item>, "title" | "placeholder">;

export function createPick<Item extends ShownItem>(): ShownPick<Item> {
  return vscode.window.createQuickPick<Item>() as ShownPick<Item>;
}

export function shownItem(item: PickItem): ShownItem {
  const { icon, picture, label, description, detail, alwaysShow, buttons, isHeading } = item;
  if (isHeading === true) return createSeparator(label);
  return {
    label: iconed(icon, label),
    ...definedFields({
      description: description === undefined ? undefined : shownLine(description),
      detail: detail === undefined ? undefined : shownLine(detail, 300),
      alwaysShow,
      iconPath: picture === undefined ? undefined : vscode.Uri.file(picture),
      buttons: buttons?.map((button) => ({
        iconPath: new vscode.ThemeIcon(button.icon),
        tooltip: shownLine(button.tooltip),
        press: button.press,
      })),
    }),
  };
}

/** A line with a heading between the items of a pick. */
export function createSeparator(label: string): ShownItem {
  return { label: shownLine(label), kind: vscode.QuickPickItemKind.Separator };
}

export type ShownTextBox = Gated<vscode.InputBox, "title" | "prompt" | "placeholder" | "validationMessage">;
/** A box that hides what is typed. A secret must never be set as its `value`. */
export type ShownSecretBox = ShownTextBox;

export function createSecretBox(): ShownSecretBox {
  const box = createTextBox();
  box.password = true;
  return box;
}

/** A box whose text the person changes and accepts. */
export function createTextBox(): ShownTextBox {
  const box = vscode.window.createInputBox();
  box.ignoreFocusOut = true;
  return box as ShownTextBox;
}

/** Asks for a text in a box that begins with `value`. `undefined` when the person leaves. */
export async function askText(question: {
  readonly title: string;
  readonly prompt: string;
  readonly value: string;
  /** Characters. */
  readonly longest: number;
}): Promise<string | undefined> {
  const { title, prompt, value, longest } = question;
  const text = await vscode.window.showInputBox({
    title: shownLine(title),
    prompt: shownLine(prompt),
    value,
    // The typed text must not be lost when the person clicks another place to look something up.
    ignoreFocusOut: true,
  });
  return text?.slice(0, longest);
}

// Editors

/** A button above a line (from 0) of a document. */
export function createLens(
  line: number,
  title: string,
  command: string,
  args: readonly string[] = [],
  tooltip = "",
): vscode.CodeLens {
  const range = new vscode.Range(line, 0, line, 0);
  return new vscode.CodeLens(range, {
    title: shownLine(title),
    command,
    arguments: [...args],
    ...(tooltip !== "" && { tooltip: shownLine(tooltip) }),
  });
}

/** A hover over a range of a document, as plain text. */
export function createHover(text: string, range: vscode.Range): vscode.Hover {
  return new vscode.Hover(new vscode.MarkdownString().appendText(shownLine(text, 2000)), range);
}

/** A hover with the marked lines of a change and its actions. Only the commands of its actions can be run from it. */
export function createChangeHover(
  lines: readonly string[],
  actions: readonly HoverAction[],
  range: vscode.Range,
): vscode.Hover {
  const text = new vscode.MarkdownString();
  text.isTrusted = { enabledCommands: actions.map(({ command }) => command) };
  text.appendCodeblock(lines.map((line) => shownLine(line, 400)).join("\n"), "diff");
  return new vscode.Hover(text.appendMarkdown(commandLinks(actions)), range);
}

function commandLinks(actions: readonly HoverAction[]): string {
  const links = actions.map(({ title, command, args }) => {
    const given = encodeURIComponent(JSON.stringify(args)).replaceAll("(", "%28").replaceAll(")", "%29");
    return `[${title}](command:${command}?${given})`;
  });
  return links.join(" · ");
}

export interface HoverAction {
  readonly title: string;
  readonly command: CommandId;
  readonly args: readonly unknown[];
}

export interface PictureHover {
  /** A picture on this machine, which is drawn small. */
  readonly picture: vscode.Uri | undefined;
  /** Plain texts, each a paragraph. */
  readonly lines: readonly string[];
  readonly actions: readonly HoverAction[];
}

/** Makes the hover. Only the commands of its actions can be run from it. */
export function createPictureHover({ picture, lines, actions }: PictureHover, range: vscode.Range): vscode.Hover {
  const text = new vscode.MarkdownString();
  text.isTrusted = { enabledCommands: actions.map(({ command }) => command) };
  // An encoded address has no bracket that would end the link. VS Code's hover is at most 250 pixels high, and the links must fit into it.
  if (picture !== undefined) text.appendMarkdown(`![](${picture.toString()}|height=96)\n\n`);
  for (const line of lines) text.appendText(shownLine(line, 400)).appendMarkdown("\n\n");
  return new vscode.Hover(text.appendMarkdown(commandLinks(actions)), range);
}

// Views

/** Tooltips are plain text: Markdown could hold links. */
export type ShownRow = Gated<vscode.TreeItem, "label" | "description" | "tooltip">;
export type ShownTree<Element> = Gated<vscode.TreeView<Element>, "title" | "description" | "message">;

export interface RowTexts {
  readonly label: string;
  readonly description?: string;
  /** The text that screen readers read in place of label and description. */
  readonly spoken?: string;
  readonly state?: vscode.TreeItemCollapsibleState;
}

export function createRow({ label, description, spoken, state }: RowTexts): ShownRow {
  const row = new vscode.TreeItem(shownLine(label), state);
  if (description !== undefined) row.description = shownLine(description);
  if (spoken !== undefined) row.accessibilityInformation = { label: shownLine(spoken, maxSpokenLength) };
  return row as ShownRow;
}

export function createTree<Element>(id: string, options: vscode.TreeViewOptions<Element>): ShownTree<Element> {
  return vscode.window.createTreeView(id, options) as ShownTree<Element>;
}

/** Shows a count on a view's icon; 0 removes it. */
export function showBadge(view: Pick<vscode.WebviewView, "badge">, value: number, tooltip: string): void {
  view.badge = value === 0 ? undefined : { value, tooltip: shownLine(tooltip) };
}

/** Shows a text next to a view's title. */
export function showViewDescription(view: Pick<vscode.WebviewView, "description">, text: string): void {
  const shown = shownLine(text);
  if (view.description !== shown) view.description = shown;
}

export function nameTab(tab: vscode.WebviewPanel, title: string): void {
  if (tab.title !== shownLine(title)) tab.title = shownLine(title);
}

/** Editor tabs with webviews of this type and this title, also those that VS Code has restored and that have no page yet. */
export function tabsTitled(viewType: string, title: string): readonly vscode.Tab[] {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  // VS Code puts its own prefix before the type.
  const isOurs = ({ input }: vscode.Tab): boolean =>
    input instanceof vscode.TabInputWebview && input.viewType.endsWith(`-${viewType}`);
  return tabs.filter((tab) => isOurs(tab) && tab.label === shownLine(title));
}

/** Creates an editor tab with an empty webview that may run no scripts and load no files; `mountPage` allows what its page needs. */
export function createTab(viewType: string, title: string): vscode.WebviewPanel {
  return vscode.window.createWebviewPanel(viewType, shownLine(title), vscode.ViewColumn.Active, {
    enableScripts: false,
    localResourceRoots: [],
  });
}

/**
 * Shows a list whose rows have buttons with a `press`. `read` resolves with its rows, and is called again at each change; without a row the list is
 * closed. Once it is hidden, it and its listeners are disposed.
 */
export async function showUntilHidden<T extends ShownItem>(
  pick: ShownPick<T>,
  read: () => Promise<readonly T[]>,
  onDidChange: Event<unknown>,
  listening: readonly vscode.Disposable[],
): Promise<void> {
  const hidden = Promise.withResolvers<undefined>();
  let reads = 0;
  const draw = async (): Promise<void> => {
    reads += 1;
    const number = reads;
    const rows = await read();
    // An earlier read may end after a later one. Its rows are older, such as a file that was decided meanwhile.
    if (number !== reads) return;
    if (rows.length === 0) pick.hide();
    else pick.items = rows;
  };
  const own = [
    onDidChange(() => void draw()),
    pick.onDidTriggerItemButton(({ button }) => {
      if ("press" in button && typeof button.press === "function") (button.press as () => void)();
    }),
    pick.onDidHide(() => hidden.resolve(undefined)),
  ];
  await draw();
  pick.show();
  await hidden.promise;
  for (const one of [...listening, ...own]) one.dispose();
  pick.dispose();
}
