/** The completion after `#` in the composer: files, folders, symbols, the selection and problems, which become attachments. */
import { t } from "@vscode/l10n";
import type { AttachmentMessage, ContextItem } from "../../contract/attachmentMessages";
import { CompletionList, type ListOption } from "./completionList";
import type { IconName } from "../../../webview/icons";

const icons: Readonly<Record<ContextItem["kind"], IconName>> = {
  group: "chevron-right",
  file: "file",
  image: "file-media",
  folder: "folder",
  selection: "list-selection",
  problems: "warning",
  class: "symbol-class",
  method: "symbol-method",
  variable: "symbol-variable",
};

export interface ContextPorts {
  find(query: string): void;
  /** The text from `start` to `end` asked for the item and goes. */
  accept(item: ContextItem, start: number, end: number): void;
  changed(): void;
}

/** `#` and what follows it, up to the caret. */
interface Asked {
  readonly query: string;
  readonly start: number;
  readonly end: number;
}

type FoundItems = Omit<Extract<AttachmentMessage, { type: "context-found" }>, "type">;

export class ContextCompletion {
  readonly list: CompletionList<ContextItem & ListOption>;
  readonly #ports: ContextPorts;
  #asked: Asked | undefined;
  /** The query of the shown list. */
  #shown: string | undefined;

  constructor(ports: ContextPorts) {
    this.#ports = ports;
    this.list = new CompletionList<ContextItem & ListOption>({
      name: () => t("Attachments"),
      changed: () => ports.changed(),
      accept: (item) => {
        const asked = this.#asked;
        // The list of what was typed before: that of the query is still on its way.
        if (asked === undefined || asked.query !== this.#shown) return;
        this.#asked = undefined;
        ports.accept(item, asked.start, asked.end);
      },
    });
  }

  /** Reads what is before the caret. */
  edited({ value, selectionStart: end }: HTMLTextAreaElement): void {
    const query = /(?:^|\s)#([^\s#]*)$/.exec(value.slice(Math.max(0, end - 300), end))?.[1];
    if (query === undefined) {
      this.#asked = undefined;
      this.list.close();
    } else {
      if (query !== this.#asked?.query) this.#ports.find(query);
      this.#asked = { query, start: end - query.length - 1, end };
    }
  }

  found({ query, items, more }: FoundItems): void {
    if (query !== this.#asked?.query) return;
    const isGrowing = query === this.#shown && this.list.active !== undefined;
    this.#shown = query;
    this.list.show(
      items.map((item) => ({ ...item, icon: icons[item.kind] })),
      isGrowing,
      more ? "" : describeNone(query),
    );
    this.#ports.changed();
  }
}

/** `file:`, `folder:`, `symbol:` and `change:` name the group in which a name is looked for. */
function describeNone(query: string): string {
  const [, group = "", name = ""] = /^(?:(file|folder|symbol|change):)?(.*)$/.exec(query) ?? [];
  if (group === "symbol" && name.length < 2) return t("Type two letters of the symbol's name");
  if (name !== "") return t("Nothing named “{0}”", name);
  return group === "change" ? t("Nothing was changed since the last commit") : t("There is nothing to attach");
}
