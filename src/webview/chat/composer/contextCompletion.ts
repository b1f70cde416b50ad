/** The completion after `#` in the composer: files, folders, symbols, the selection and problems, which become attachments. */
import { t } from "@vscode/l10n";
import type { ContextItem } from "../../../protocol/attachmentMessages";
import { CompletionList, type ListOption } from "./completionList";
import type { IconName } from "../../shared/icons";

const icons: Readonly<Record<ContextItem["kind"], IconName>> = {
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
        this.#asked = undefined;
        if (asked !== undefined) ports.accept(item, asked.start, asked.end);
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

  found({ query, items }: { readonly query: string; readonly items: readonly ContextItem[] }): void {
    if (query !== this.#asked?.query) return;
    const isGrowing = query === this.#shown && this.list.active !== undefined;
    this.#shown = query;
    this.list.show(
      items.map((item) => ({ ...item, icon: icons[item.kind] })),
      isGrowing,
    );
    this.#ports.changed();
  }
}
