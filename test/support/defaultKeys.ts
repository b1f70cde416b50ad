/** Finds which of VS Code's own keybindings have the keys of Sluice. */
import * as z from "zod/mini";

export type System = "linux" | "mac" | "win";

const keybinding = z.object({
  command: z.string(),
  key: z.string(),
  mac: z.exactOptional(z.string()),
  win: z.exactOptional(z.string()),
  when: z.string(),
});
const manifest = z.object({ contributes: z.object({ keybindings: z.array(keybinding) }) });

export interface OwnKey {
  readonly command: string;
  readonly key: string;
  readonly when: string;
}

/** The keybindings of package.json as that system has them. */
export function ownKeys(system: System, packageJson: unknown): readonly OwnKey[] {
  const { keybindings } = manifest.parse(packageJson).contributes;
  return keybindings.map(({ command, key, when, ...other }) => {
    const own = system === "linux" ? key : (other[system] ?? key);
    return { command, key: normalize(own), when };
  });
}

/** The same key has one name, in whatever order its modifiers are written. */
export function normalize(key: string): string {
  const parts = key.toLowerCase().split("+");
  return [...parts.slice(0, -1).sort(), parts.at(-1)].join("+");
}

/**
 * The commands that VS Code 1.139 has on our keys, read from `vscode://defaultsettings/keybindings.json` on each system. A key that is not here was
 * not looked up.
 */
export const defaultsOnOwnKeys: Readonly<Record<System, Readonly<Record<string, readonly string[]>>>> = {
  linux: {
    "ctrl+escape": ["workbench.action.hideComment", "quickInput.hide", "workbench.action.chat.cancel"],
    "ctrl+shift+a": [
      "editor.action.blockComment",
      "workbench.action.chat.focusConfirmation",
      "workbench.action.chat.focusQuestionCarousel",
      "notification.acceptPrimaryAction",
      "markdown.editor.cursorLogicalLineStartSelect",
    ],
    "alt+shift+e": [],
    "alt+shift+k": [],
    "alt+shift+l": [],
    "alt+shift+n": [],
    "alt+shift+p": [],
    "alt+shift+t": [],
    "alt+shift+u": [],
  },
  mac: {
    "cmd+escape": ["workbench.action.hideComment", "quickInput.hide", "workbench.action.chat.cancel"],
    "cmd+shift+a": [
      "workbench.action.chat.focusConfirmation",
      "workbench.action.chat.focusQuestionCarousel",
      "notification.acceptPrimaryAction",
    ],
    "cmd+ctrl+e": [],
    "cmd+ctrl+k": [],
    "cmd+ctrl+l": [],
    "cmd+ctrl+n": [],
    "cmd+ctrl+p": [],
    "cmd+ctrl+t": [],
    "cmd+ctrl+u": [],
  },
  win: {
    "alt+backspace": ["workbench.action.hideComment", "workbench.action.chat.cancel", "markdown.editor.deleteWordLeft"],
    "ctrl+shift+a": [
      "workbench.action.chat.focusConfirmation",
      "workbench.action.chat.focusQuestionCarousel",
      "notification.acceptPrimaryAction",
      "markdown.editor.cursorLogicalLineStartSelect",
    ],
    "alt+shift+e": [],
    "alt+shift+k": [],
    "alt+shift+l": [],
    "alt+shift+n": [],
    "alt+shift+p": [],
    "alt+shift+t": [],
    "alt+shift+u": [],
  },
};

/** Matches the condition that the chat of Sluice has the focus, and an answer runs or a call waits in it. */
const inOwnPage =
  /^\(focusedView == sluice\.chat \|\| activeWebviewPanelId == sluice\.chatTab && !focusedView && !inputFocus\) && sluice\.chat\.is(?:Running|Waiting)$/;

/**
 * Commands that can't be meant there: those of editors, of pick lists, or of VS Code's own chat and notifications for the same act (stop
 * what runs, go to what waits for a yes), which the page of Sluice has itself while something of its own runs or waits.
 */
const elsewhere = new Set(Object.values(defaultsOnOwnKeys).flatMap((keys) => Object.values(keys).flat()));

/** The foreign bindings whose key one of ours would take. */
export function foreignUses(own: readonly OwnKey[], bindings: readonly unknown[]): readonly string[] {
  const binding = z.looseObject({ key: z.string(), command: z.string(), when: z.exactOptional(z.string()) });
  return bindings.flatMap((one) => {
    const { key, command, when = "always" } = binding.parse(one);
    const first = normalize(key.split(" ")[0] ?? "");
    const taken = own.filter((ours) => ours.key === first);
    if (command.replace(/^-/, "").startsWith("sluice.") || taken.length === 0) return [];
    const isApart = elsewhere.has(command) && taken.every((ours) => inOwnPage.test(ours.when));
    return isApart ? [] : [`${first}: ${command} (${when})`];
  });
}
