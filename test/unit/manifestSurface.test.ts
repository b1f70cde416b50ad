/** How much a person has to learn: commands, rows of menus, settings and pages are counted, so that none is added unseen. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import * as z from "zod/mini";
import { type TaskActionFlag, taskActionFacts, taskActions } from "../../src/domain/task/taskActions";
import { settingIds } from "../../src/domain/settingTable";
import { internalCommands, pageTypes } from "../../src/vscode/ids";

const place = z.object({
  command: z.exactOptional(z.string()),
  submenu: z.exactOptional(z.string()),
  when: z._default(z.string(), ""),
  group: z._default(z.string(), ""),
});
const { contributes } = z
  .object({
    contributes: z.object({
      commands: z.array(z.object({ command: z.string() })),
      menus: z.record(z.string(), z.array(place)),
      submenus: z.array(z.object({ id: z.string() })),
    }),
  })
  .parse(JSON.parse(readFileSync("package.json", "utf8")));
const { commandPalette: hidden = [], ...menus } = contributes.menus;
const atMost = (count: number, most: number, what: string): void =>
  assert.ok(count <= most, `${what}: ${count}, at most ${most}`);

describe("the surface", () => {
  it("V4: at most 45 commands are ever in the palette, and at most 70 have a name", () => {
    const never = new Set(hidden.filter(({ when }) => when === "false").map(({ command }) => command));
    atMost(contributes.commands.filter(({ command }) => !never.has(command)).length, 45, "in the palette");
    atMost(contributes.commands.length, 70, "commands");
    // They have neither a title nor a place; a row, a lens or a button runs them.
    atMost(Object.keys(internalCommands).length, 13, "commands without a name");
  });

  it("V4: the menu of a task has at most eight rows, whatever its state", () => {
    const rows = (menus["view/item/context"] ?? []).filter(({ group }) => !group.startsWith("inline"));
    const offered = (value: string): number =>
      new Set(
        rows
          .filter(({ when }) => new RegExp(/viewItem =~ \/(.+?)\//.exec(when)?.[1] ?? "^$").test(value))
          .map(({ command, submenu }) => command ?? submenu),
      ).size;
    const flags = taskActions.flatMap((action) => taskActionFacts(action).flag ?? []);
    const without = (...left: readonly TaskActionFlag[]): string =>
      ["task", ...flags.filter((flag) => !left.some((one) => one === flag))].join(" ");
    // A task that succeeded, one that failed, one that was refused, one that runs in doubt, one whose outcome is unknown.
    const ofEnded = ["reconcilable", "resendable", "cancelable", "waiting", "toppable"] as const;
    const succeeded = without(...ofEnded, "retryable", "checkable");
    const failed = without(...ofEnded, "openable", "placeable", "referable", "varied");
    const others = ["retryable", "openable", "placeable", "referable", "varied", "repeatable"] as const;
    const refused = without(...others, "reconcilable", "cancelable", "waiting", "checkable", "accepted");
    const running = without(...others, "reconcilable", "resendable", "waiting", "toppable", "removable");
    const unknown = without(...others, "resendable", "cancelable", "waiting", "toppable", "checkable");
    for (const [state, value] of Object.entries({ succeeded, failed, refused, running, unknown })) {
      assert.ok(offered(value) >= 4, value);
      atMost(offered(value), 8, `rows of a task that is ${state}`);
    }
  });

  it("V4: the title of a view has at most eight entries, and a submenu at most six rows", () => {
    for (const view of ["sluice.tasks", "sluice.chat"]) {
      const entries = (menus["view/title"] ?? []).filter(({ when }) => when.includes(`view == ${view}`));
      atMost(entries.length, 8, view);
    }
    for (const { id } of contributes.submenus) atMost(menus[id]?.length ?? 0, 6, id);
  });

  it("V4: there are at most 18 settings, and five pages in editor tabs beside the chat", () => {
    atMost(settingIds.length, 18, "settings");
    atMost(Object.keys(pageTypes).length, 5, "pages");
  });
});
