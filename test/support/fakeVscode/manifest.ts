/** package.json as VS Code reads it: titles from package.nls.json, menus and keys by their `when` clauses in the contexts that are set. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { type Contexts, isTrue } from "./whenClause";

interface MenuEntry {
  readonly command?: string;
  readonly submenu?: string;
  readonly when?: string;
  readonly group?: string;
}

type Texts = Readonly<Record<string, string | { readonly message: string }>>;

interface Manifest {
  readonly contributes: {
    readonly commands: readonly {
      readonly command: string;
      readonly title: string;
      readonly shortTitle?: string;
      readonly category?: string;
      readonly enablement?: string;
    }[];
    readonly menus: Readonly<Record<string, readonly MenuEntry[]>>;
    readonly submenus: readonly { readonly id: string; readonly label: string }[];
    readonly keybindings: readonly {
      readonly command: string;
      readonly key: string;
      readonly mac?: string;
      readonly win?: string;
      readonly when?: string;
      readonly args?: unknown;
    }[];
    readonly views: Readonly<
      Record<
        string,
        readonly { readonly id: string; readonly name: string; readonly type?: string; readonly when?: string }[]
      >
    >;
    readonly viewsWelcome: readonly { readonly view: string; readonly contents: string; readonly when?: string }[];
    readonly configuration:
      | { readonly properties: Readonly<Record<string, { readonly default?: unknown }>> }
      | readonly { readonly properties: Readonly<Record<string, { readonly default?: unknown }>> }[];
  };
}

export interface MenuRow {
  readonly title: string;
  readonly command: string | undefined;
  /** `inline` and `navigation` are buttons. */
  readonly group: string;
  /** Titles of the submenus that lead to it. */
  readonly path: readonly string[];
}

export class ManifestView {
  readonly json: Manifest;
  readonly #texts: Texts;

  constructor(root: string, language: string) {
    const read = (name: string): unknown => JSON.parse(readFileSync(path.join(root, name), "utf8"));
    this.json = read("package.json") as Manifest;
    const english = read("package.nls.json") as Texts;
    const local = language === "en" ? {} : (read(`package.nls.${language}.json`) as Texts);
    this.#texts = { ...english, ...local };
  }

  text(text: string): string {
    const key = /^%(.+)%$/.exec(text)?.[1];
    const found = key === undefined ? undefined : this.#texts[key];
    return found === undefined ? text : typeof found === "string" ? found : found.message;
  }

  get defaults(): ReadonlyMap<string, unknown> {
    const parts = [this.json.contributes.configuration].flat() as {
      properties: Readonly<Record<string, { default?: unknown }>>;
    }[];
    return new Map(
      parts.flatMap(({ properties }) => Object.entries(properties).map(([id, property]) => [id, property.default])),
    );
  }

  get viewIds(): readonly string[] {
    return Object.values(this.json.contributes.views).flatMap((views) => views.map(({ id }) => id));
  }

  titleOf(command: string, isShort = false): string {
    const found = this.json.contributes.commands.find((one) => one.command === command);
    if (!found) throw new Error(`package.json has no command ${command}`);
    return this.text((isShort ? found.shortTitle : undefined) ?? found.title);
  }

  #isEnabled(command: string, contexts: Contexts): boolean {
    return isTrue(this.json.contributes.commands.find((one) => one.command === command)?.enablement, contexts);
  }

  /** The rows of a menu, in its order; entries of submenus follow where these are. */
  menu(id: string, contexts: Contexts, above: readonly string[] = []): MenuRow[] {
    const entries = (this.json.contributes.menus[id] ?? []).filter(({ when }) => isTrue(when, contexts));
    return [...entries].sort(byGroup).flatMap(({ command, submenu, group = "" }) => {
      const [name = ""] = group.split("@");
      if (command !== undefined) {
        if (!this.#isEnabled(command, contexts)) return [];
        return [{ title: this.titleOf(command, true), command, group: name, path: above }];
      }
      const found = this.json.contributes.submenus.find((one) => one.id === submenu);
      if (!found) return [];
      return this.menu(found.id, contexts, [...above, this.text(found.label)]).map((row) => ({
        ...row,
        group: above.length === 0 ? name : row.group,
      }));
    });
  }

  /** The entries of the palette: the commands whose entry in `commandPalette` is true, or that have none. */
  palette(contexts: Contexts): { readonly title: string; readonly command: string }[] {
    const rules = this.json.contributes.menus["commandPalette"] ?? [];
    return this.json.contributes.commands.flatMap(({ command, category, enablement }) => {
      const isListed = rules.filter((rule) => rule.command === command).every(({ when }) => isTrue(when, contexts));
      if (!isListed || !isTrue(enablement, contexts)) return [];
      const title = this.titleOf(command);
      return [{ title: category === undefined ? title : `${this.text(category)}: ${title}`, command }];
    });
  }

  /** The command that a key runs now: of those whose clause is true the last one. */
  commandOf(
    key: string,
    contexts: Contexts,
    system: "linux" | "mac" | "win" = "linux",
  ): { readonly command: string; readonly args: unknown } | undefined {
    const wanted = normalized(key);
    const keyOf = (one: Manifest["contributes"]["keybindings"][number]): string =>
      (system === "mac" ? one.mac : system === "win" ? one.win : undefined) ?? one.key;
    const found = this.json.contributes.keybindings
      .filter(
        (one) =>
          normalized(keyOf(one)) === wanted && isTrue(one.when, contexts) && this.#isEnabled(one.command, contexts),
      )
      .at(-1);
    return found && { command: found.command, args: found.args };
  }

  /** The key of a command in the contexts, if it has one there. */
  keyFor(command: string, contexts: Contexts): string | undefined {
    return this.json.contributes.keybindings.find((one) => one.command === command && isTrue(one.when, contexts))?.key;
  }

  welcome(view: string, contexts: Contexts): string[] {
    return this.json.contributes.viewsWelcome
      .filter((one) => one.view === view && isTrue(one.when, contexts))
      .map(({ contents }) => this.text(contents));
  }
}

function normalized(key: string): string {
  return key
    .toLowerCase()
    .split(" ")
    .map((chord) => chord.split("+").sort().join("+"))
    .join(" ");
}

/** `navigation` and `inline` first, then the groups by their names; in a group by the number behind @. */
function byGroup({ group: one = "" }: MenuEntry, { group: other = "" }: MenuEntry): number {
  const [[a = "", first = "0"], [b = "", second = "0"]] = [one.split("@"), other.split("@")];
  if (a !== b) {
    const rank = (name: string): number => (name === "navigation" || name === "inline" ? 0 : name === "" ? 2 : 1);
    return rank(a) - rank(b) || (a < b ? -1 : 1);
  }
  return Number(first) - Number(second);
}
