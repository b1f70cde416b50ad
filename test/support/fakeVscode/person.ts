/** A person at a fake window, who does things by what is shown, and waits for it as a person does. */
import type * as vscode from "vscode";
import { QuickInputButtons, TextEditorSelectionChangeKind } from "./enums";
import { MarkdownString } from "./dataTypes";
import { selectionOf } from "./documents";
import { Selection } from "./positions";
import type { FakeWindow } from "./fakeWindow";
import type { MenuRow } from "./manifest";
import type { ShownMessage } from "./messages";
import type { Session } from "./quickWidget";
import type { TreeRow } from "./trees";

type Text = string | RegExp;

/** A typed text counts as one, however long. */
export interface Effort {
  readonly clicks: number;
  readonly keys: number;
  readonly texts: number;
}

export type Key = "Enter" | "Escape" | "ArrowDown" | "ArrowUp";

export class Person {
  readonly #window: FakeWindow;

  #effort: Effort = { clicks: 0, keys: 0, texts: 0 };

  constructor(window: FakeWindow) {
    this.#window = window;
  }

  /** The effort of all actions so far. A command that a test runs by its id takes none, because a journey begins there. */
  get effort(): Effort {
    return this.#effort;
  }

  #take({ clicks = 0, keys = 0, texts = 0 }: Partial<Effort>): void {
    const { clicks: clicked, keys: pressed, texts: typed } = this.#effort;
    this.#effort = { clicks: clicked + clicks, keys: pressed + keys, texts: typed + texts };
  }

  // Commands

  /** Runs a command to its end. A command that asks is begun with `start`. */
  async run(command: string, ...args: readonly unknown[]): Promise<unknown> {
    return this.#window.during(`${command} has ended`, this.#execute(command, args));
  }

  /** Begins a command that asks; `ended` waits for its end. */
  start(command: string, ...args: readonly unknown[]): { ended(): Promise<unknown> } {
    const running = this.#execute(command, args);
    // A command that fails while nobody waits for it fails the test.
    let isAwaited = false;
    running.catch((error: unknown) => {
      if (!isAwaited) throw error;
    });
    return {
      ended: () => {
        isAwaited = true;
        return this.#window.during(`${command} has ended`, running);
      },
    };
  }

  async #execute(command: string, args: readonly unknown[]): Promise<unknown> {
    const run = this.#window.commands.get(command);
    if (!run) throw new Error(`The command ${command} is not registered.`);
    return await run(...args);
  }

  /** Begins a command of the palette by its title there, such as `Sluice: New Task`. Fails where the palette does not list it. */
  palette(title: string): { ended(): Promise<unknown> } {
    const listed = this.#window.palette();
    const found = listed.find((one) => one.title === title);
    if (!found) throw new Error(`The palette has no ${title}, but ${listed.map((one) => one.title).join(" | ")}`);
    // It takes F1, its title and Enter.
    this.#take({ keys: 2, texts: 1 });
    return this.start(found.command);
  }

  /** Presses a key that package.json binds, such as `shift+alt+t`. Fails where it runs nothing. */
  key(key: string): { ended(): Promise<unknown> } {
    const found = this.#window.manifest.commandOf(key, this.#window.contexts());
    if (!found) throw new Error(`${key} runs nothing here.`);
    this.#take({ keys: 1 });
    return this.start(found.command, ...(found.args === undefined ? [] : [found.args]));
  }

  // Lists and input boxes

  get pick(): Session {
    const { visible } = this.#window.widget;
    if (!visible) throw new Error("No list is shown.");
    return visible;
  }

  /** Waits for the list or box with that text in its placeholder, prompt or title, and with that row. The extension hears it then. */
  async step(text: Text, row?: Text): Promise<Session> {
    const named = `the step ${String(text)}${row === undefined ? "" : ` with ${String(row)}`}`;
    const found = await this.#window.until(named, () => {
      const { visible } = this.#window.widget;
      if (!visible) return undefined;
      const { placeholder, prompt, title } = visible.state;
      const isMeant = [placeholder, prompt, title].some((one) => one !== undefined && isIn(one, text));
      return isMeant && (row === undefined || visible.rows.some(({ label }) => isIn(label, row))) ? visible : undefined;
    });
    await this.#window.settled();
    return found;
  }

  /** Waits until no list is shown. */
  async closed(): Promise<void> {
    await this.#window.until("no list is shown", () => this.#window.widget.visible === undefined);
    await this.#window.settled();
  }

  async press(...keys: readonly Key[]): Promise<void> {
    for (const key of keys) {
      await this.#window.settled();
      this.pressAtOnce(key);
    }
    await this.#window.settled();
  }

  /** Presses a key even while the extension is not ready for it, like a key that is held down. */
  pressAtOnce(key: Key): void {
    this.#take({ keys: 1 });
    if (key === "Escape") this.#window.widget.close();
    else if (key === "Enter") this.pick.accept();
    else this.pick.move(key === "ArrowDown" ? 1 : -1);
    this.#window.wire.changes.note();
  }

  /** Types in place of what the input has, which is selected before by a key. */
  async type(text: string): Promise<void> {
    await this.#window.settled();
    this.#take({ keys: this.pick.value === "" ? 0 : 1, texts: 1 });
    this.pick.type(text);
    this.#window.wire.changes.note();
    await this.#window.settled();
  }

  /** Clicks the first row that has the text in its label, once there is one. */
  async choose(label: Text): Promise<void> {
    await this.#window.until(`a row ${String(label)}`, () => this.#rowNamed(label));
    await this.#window.settled();
    this.#take({ clicks: 1 });
    this.pick.click(this.#rowNamed(label)!);
    this.#window.wire.changes.note();
    await this.#window.settled();
  }

  #rowNamed(label: Text): vscode.QuickPickItem | undefined {
    return this.#window.widget.visible?.rows.find((row) => isIn(row.label, label));
  }

  /** Accepts what is active in each of these steps, once it has its choices. */
  async through(...steps: readonly Text[]): Promise<void> {
    for (const step of steps) {
      const { isPick } = await this.step(step);
      if (isPick)
        await this.#window.until(
          `choices in ${String(step)}`,
          () => this.pick.active !== undefined && this.pick.state.busy !== true,
        );
      await this.press("Enter");
    }
  }

  async escape(): Promise<void> {
    await this.press("Escape");
  }

  async back(): Promise<void> {
    await this.#window.settled();
    const index = (this.pick.state.buttons ?? []).findIndex(
      ({ iconPath }) => iconPath === QuickInputButtons.Back.iconPath,
    );
    if (index === -1) throw new Error("The list has no button Back.");
    this.#take({ clicks: 1 });
    this.pick.pressButton(index);
    await this.#window.settled();
  }

  /** Presses a button in the title of the list, by its tooltip. */
  async pressButton(tooltip: Text): Promise<void> {
    await this.#window.settled();
    const index = (this.pick.state.buttons ?? []).findIndex((button) => isIn(button.tooltip ?? "", tooltip));
    if (index === -1) throw new Error(`The list has no button ${String(tooltip)}.`);
    this.#take({ clicks: 1 });
    this.pick.pressButton(index);
    await this.#window.settled();
  }

  /** Presses a button of a row, by its tooltip. */
  async pressItemButton(label: Text, tooltip: Text): Promise<void> {
    const row = await this.#window.until(`a row ${String(label)}`, () => this.#rowNamed(label));
    await this.#window.settled();
    const index = (row.buttons ?? []).findIndex((button) => isIn(button.tooltip ?? "", tooltip));
    if (index === -1) throw new Error(`The row ${row.label} has no button ${String(tooltip)}.`);
    this.#take({ clicks: 1 });
    this.pick.pressItemButton(row, index);
    await this.#window.settled();
  }

  // Messages

  async message(text: Text): Promise<ShownMessage> {
    return this.#window.until(`a message ${String(text)}`, () =>
      this.#window.messages.shown.find((one) => isIn(one.text, text)),
    );
  }

  /** Presses a button of a message; without one the message is closed. */
  async answer(text: Text, action?: string): Promise<void> {
    const message = await this.message(text);
    this.#take({ clicks: 1 });
    message.answer(action);
    await this.#window.settled();
  }

  // Views and pages

  /** Clicks the icon of the container that the view is in. */
  async openView(view: string): Promise<void> {
    this.#take({ clicks: 1 });
    await this.#window.showView(view);
    await this.#window.settled();
  }

  /** Clicks in a page, which sends the intent. */
  clickIn<Intent>(page: { send(intent: Intent): void }, intent: Intent): void {
    this.#take({ clicks: 1 });
    page.send(intent);
  }

  /** Presses a key in a page, which sends the intent. */
  pressIn<Intent>(page: { send(intent: Intent): void }, intent: Intent): void {
    this.#take({ keys: 1 });
    page.send(intent);
  }

  /** Types a text in a page and presses Enter, which sends the intent. */
  enterIn<Intent>(page: { send(intent: Intent): void }, intent: Intent): void {
    this.#take({ keys: 1, texts: 1 });
    page.send(intent);
  }

  /** Waits for a row of a view whose label, or what a screen reader says of it, has the text. */
  async row(view: string, text: Text): Promise<TreeRow> {
    return this.#window.until(`a row ${String(text)} in ${view}`, async () => {
      const rows = await this.#window.rowsOf(view);
      return rows.find(({ label, spoken }) => isIn(label, text) || isIn(spoken, text));
    });
  }

  /** Clicks a row: it is selected, and its command runs. */
  async click(row: TreeRow): Promise<void> {
    this.#take({ clicks: 1 });
    this.#window.moveFocus({ view: row.view });
    this.#window.trees.find(row.view)?.select([row.element]);
    await this.#window.settled();
    const { command } = row.item;
    if (command) await this.run(command.command, ...((command.arguments ?? []) as unknown[]));
  }

  /** Begins an entry of the menu of a row, or one of its buttons, by its title; `others`: what else is selected. */
  inMenu(row: TreeRow, title: string, others: readonly TreeRow[] = []): { ended(): Promise<unknown> } {
    const command = this.#entry(this.#window.menuOf(row, others), title);
    const selected = others.length === 0 ? undefined : [row, ...others].map(({ element }) => element);
    return this.start(command, row.element, selected);
  }

  /** Begins an entry of the title of a view, which VS Code calls with `undefined`. */
  inTitle(view: string, title: string): { ended(): Promise<unknown> } {
    return this.start(this.#entry(this.#window.titleMenu(view), title), undefined);
  }

  /** A button takes one click; an entry of a menu one more for the menu, and one for each submenu above it. */
  #entry(menu: readonly MenuRow[], title: string): string {
    const found = menu.find((row) => row.title === title);
    if (found?.command === undefined)
      throw new Error(`The menu has no ${title}, but ${menu.map((row) => row.title).join(" | ")}`);
    const isButton = found.path.length === 0 && (found.group === "inline" || found.group === "navigation");
    this.#take({ clicks: isButton ? 1 : 2 + found.path.length });
    return found.command;
  }

  // Documents

  /** Selects that text in the active editor, as by the keyboard. */
  async select(text: string, occurrence = 0): Promise<void> {
    const editor = this.#window.editors.active;
    if (!editor) throw new Error("No editor is active.");
    this.#window.moveFocus("editor");
    editor.select([selectionOf(editor.model, text, occurrence)], TextEditorSelectionChangeKind.Keyboard);
    await this.#window.settled();
  }

  /** Leaves the cursor at the end of what is selected, where an editor is active. */
  async deselect(): Promise<void> {
    const editor = this.#window.editors.active;
    if (!editor) return;
    const { end } = editor.selection;
    editor.select([new Selection(end, end)], TextEditorSelectionChangeKind.Keyboard);
    await this.#window.settled();
  }

  /** Types in the active editor, in place of its selection. */
  async typeInEditor(text: string): Promise<void> {
    const editor = this.#window.editors.active;
    if (!editor) throw new Error("No editor is active.");
    this.#take({ texts: 1 });
    await editor.edit((edit) => edit.replace(editor.selection, text));
    await this.#window.settled();
  }

  /** Waits for a lens with that title in the active editor, and returns it. */
  async lens(title: Text): Promise<vscode.CodeLens> {
    return this.#window.until(`a lens ${String(title)}`, async () =>
      (await this.lenses()).find((lens) => isIn(lens.command?.title ?? "", title)),
    );
  }

  /** The lenses of the active editor. */
  async lenses(): Promise<vscode.CodeLens[]> {
    const { active } = this.#window.editors;
    return active ? this.#window.languages.lenses(active.document) : [];
  }

  async clickLens(title: Text): Promise<{ ended(): Promise<unknown> }> {
    const { command } = await this.lens(title);
    this.#take({ clicks: 1 });
    return this.start(command!.command, ...((command!.arguments ?? []) as unknown[]));
  }

  /** The hovers at a text of the active editor, as Markdown. */
  async hoverAt(text: string): Promise<string[]> {
    const { active } = this.#window.editors;
    if (!active) throw new Error("No editor is active.");
    const hovers = await this.#window.languages.hovers(active.document, selectionOf(active.model, text).start);
    return hovers.flatMap(({ contents }) =>
      contents.map((one) => (one instanceof MarkdownString ? one.value : JSON.stringify(one))),
    );
  }
}

function isIn(text: string, wanted: Text): boolean {
  return typeof wanted === "string" ? text.includes(wanted) : wanted.test(text);
}
