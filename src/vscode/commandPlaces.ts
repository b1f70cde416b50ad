/** The places of commands: menus of VS Code, and the conditions under which a command is shown there. */
import { mediaEndings } from "../domain/task/taskTypes";
import type { TaskActionFlag } from "../domain/task/taskActions";

type Menu =
  | "view/title"
  | "view/item/context"
  | "editor/context"
  | "explorer/context"
  | "editor/title"
  | Submenu
  | "editor/title/context"
  | "terminal/context"
  | "scm/title";

export type Submenu = "sluice.gateway";

export interface CommandPlace {
  readonly menu: Menu;
  /** The group, with the position in it after the `@`. */
  readonly group: string;
  readonly when?: string;
}

export const inMenu = (menu: Menu, group: string, when?: string): CommandPlace => ({
  menu,
  group,
  ...(when === undefined ? {} : { when }),
});
const both = (...conditions: readonly (string | undefined)[]): string =>
  conditions.filter((one) => one !== undefined).join(" && ");
export const inTasks = (group: string, when?: string): CommandPlace =>
  inMenu("view/title", group, both("view == sluice.tasks", when));
export const inChat = (group: string, when?: string): CommandPlace =>
  inMenu("view/title", group, both("view == sluice.chat", when));
export const inChatTab = (group: string, when?: string): CommandPlace =>
  inMenu("editor/title", group, both("activeWebviewPanelId == sluice.chatTab", when));
type RowWord = TaskActionFlag | "task" | "event";
/** The place on task rows that have one of the words in their context value. */
export const onRow = (group: string, ...words: readonly RowWord[]): CommandPlace =>
  inMenu("view/item/context", group, `view == sluice.tasks && ${hasWord(...words)}`);
/** The place on a task row with the word while several rows are selected. */
export const onSelectedRows = (group: string, word: RowWord): CommandPlace =>
  inMenu("view/item/context", group, `view == sluice.tasks && listMultiSelection && ${hasWord(word)}`);
const hasWord = (...[first, ...others]: readonly RowWord[]): string =>
  `viewItem =~ /\\b${others.length === 0 ? first : `(${[first, ...others].join("|")})`}\\b/`;
export const inGateway = (group: string): CommandPlace => inMenu("sluice.gateway", group);

const endings = [...mediaEndings].filter((ending) => ending !== ".bin").map((ending) => ending.slice(1));
/** The place in the explorer on pictures and videos. */
export const onMediaFile = (group: string): CommandPlace =>
  inMenu("explorer/context", group, `resourceExtname =~ /^\\.(${endings.join("|")})$/i`);
