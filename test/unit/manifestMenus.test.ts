/** The commands of package.json: named alike, reachable, with different icons, and on keys that nothing else has. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { globSync } from "tinyglobby";
import * as z from "zod/mini";
import { commands } from "../../src/vscode/ids";
import { isTrue } from "../support/fakeVscode/whenClause";
import { defaultsOnOwnKeys, foreignUses, normalize, ownKeys, type System } from "../support/defaultKeys";

const entry = z.looseObject({
  command: z.exactOptional(z.string()),
  when: z.exactOptional(z.string()),
  group: z.exactOptional(z.string()),
});
const packageJson: unknown = JSON.parse(readFileSync("package.json", "utf8"));
const { contributes } = z
  .object({
    contributes: z.object({
      commands: z.array(
        z.object({
          command: z.string(),
          title: z.string(),
          shortTitle: z.exactOptional(z.string()),
          category: z.string(),
          icon: z.exactOptional(z.string()),
        }),
      ),
      menus: z.record(z.string(), z.array(entry)),
      viewsWelcome: z.array(z.object({ when: z.string() })),
    }),
  })
  .parse(packageJson);
const words = z.record(z.string(), z.string()).parse(JSON.parse(readFileSync("package.nls.json", "utf8")));
const { commandPalette = [], ...menus } = contributes.menus;
const systems: readonly System[] = ["linux", "mac", "win"];

/** Short words that title case leaves small, and what is spelled as it is. */
const small = new Set("a all an and as at by for from in into of on or the this to under with".split(" "));

describe("commands in the manifest", () => {
  it("V4 (finding 25): each command has the category, and a title in title case that begins with a verb or a noun", () => {
    for (const { command, title, shortTitle, category } of contributes.commands) {
      assert.equal(category, "Sluice", command);
      for (const key of [title, ...(shortTitle === undefined ? [] : [shortTitle])]) {
        const text = words[key.replaceAll("%", "")] ?? "";
        assert.match(text, /^(?:✓ )?[A-Z]/, command);
        assert.doesNotMatch(text, /[.!]$|\.\.\./, command);
        const wrong = text.split(/[\s…]+/).filter((word) => /^[a-z]/.test(word) && !small.has(word));
        assert.deepEqual(wrong, [], text);
      }
    }
  });

  it("V4 (finding 25): each command can be reached, and one that the palette never shows is in a menu or run by the code", () => {
    const code = globSync("src/**/*.ts")
      .filter((file) => !file.endsWith("vscode/ids.ts"))
      .map((file) => readFileSync(file, "utf8"))
      .join("\n");
    const inMenus = new Set(Object.values(menus).flatMap((list) => list.map(({ command }) => command)));
    for (const [name, id] of Object.entries(commands)) {
      const shown = commandPalette.filter(({ command }) => command === id);
      assert.ok(shown.length < 2, `${id} is in the palette once`);
      const uses = code.split(`commands.${name}`).length - 1;
      // One use registers it; a second one runs it.
      if (shown[0]?.when === "false") assert.ok(inMenus.has(id) || uses > 1, `${id} can't be reached`);
    }
  });

  it("V4 (finding 25): what stands beside each other has an icon of its own", () => {
    const iconOf = new Map(contributes.commands.map(({ command, icon }) => [command, icon]));
    for (const [menu, list] of Object.entries(menus)) {
      const places = new Map<string, string[]>();
      for (const { command = "", when = "", group = "" } of list) {
        if (!/^(?:navigation|inline)/.test(group)) continue;
        const icon = iconOf.get(command);
        assert.ok(icon, `${command} is shown in ${menu} as an icon`);
        const view =
          /(?:view|activeWebviewPanelId|activeEditor|resourceScheme|scmProvider) == [\w.-]+|resource in [\w.]+/.exec(
            when,
          )?.[0] ?? "";
        const place = `${menu} ${view}`;
        const known = places.get(place) ?? [];
        // A command and its opposite may change places: they have icons of their own too.
        assert.ok(!known.includes(icon), `${icon} twice in ${place}`);
        places.set(place, [...known, icon]);
      }
    }
  });

  it("T6, P6: what a row has as a button, the pointer's, its menu has in the same states for the keyboard", () => {
    const entries = menus["view/item/context"] ?? [];
    const missing = entries.filter(
      ({ command, when, group = "" }) =>
        group.startsWith("inline") &&
        !entries.some((one) => one.command === command && one.when === when && !one.group?.startsWith("inline")),
    );
    // Its menu has what lists it with the other ways to keep a result.
    assert.deepEqual(
      missing.map(({ command }) => command),
      ["sluice.task.saveIntoWorkspace"],
    );
  });

  it("V4: in each state of the connection the empty Tasks view says one thing, whether the chat is in view or not", () => {
    for (const state of ["local", "ready", "unreachable", "refused", "failed", "signed-out"])
      for (const isVisible of [true, false]) {
        const contexts: Record<string, unknown> = { "sluice.connection": state, "view.sluice.chat.visible": isVisible };
        const said = contributes.viewsWelcome.filter(({ when }) => isTrue(when, (key) => contexts[key]));
        assert.equal(said.length, 1, `${state} ${isVisible ? "with" : "without"} the chat`);
      }
  });

  it("V4: no key takes over one of VS Code's, on any system", () => {
    for (const system of systems) {
      const own = ownKeys(system, packageJson);
      const facts = defaultsOnOwnKeys[system];
      for (const { key, command } of own) assert.ok(key in facts, `${command}: ${key} was not looked up on ${system}`);
      const bindings = Object.entries(facts).flatMap(([key, list]) => list.map((command) => ({ key, command })));
      assert.deepEqual(foreignUses(own, bindings), [], system);
    }
  });

  it("V4: a key of VS Code that is taken is found", () => {
    const own = [{ command: "sluice.chat.stop", key: normalize("ctrl+shift+p"), when: "editorTextFocus" }];
    const defaults = [{ key: "shift+ctrl+p", command: "workbench.action.showCommands" }];
    assert.deepEqual(foreignUses(own, defaults), ["ctrl+shift+p: workbench.action.showCommands (always)"]);
    const always = ownKeys("linux", packageJson).map((one) => ({ ...one, when: "true" }));
    assert.equal(foreignUses(always, [{ key: "ctrl+escape", command: "workbench.action.chat.cancel" }]).length, 1);
  });
});
