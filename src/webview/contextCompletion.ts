/** The completion after `#` in the composer: files, folders, symbols, the selection and problems, which become attachments. */
import { t } from "@vscode/l10n";
import type { ContextItem } from "../protocol/attachmentMessages";
import { CompletionList } from "./completionList";

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
  readonly list: CompletionList<ContextItem>;
  readonly #ports: ContextPorts;
  #asked: Asked | undefined;
  /** The query of the shown list. */
  #shown: string | undefined;

  constructor(ports: ContextPorts) {
    this.#ports = ports;
    this.list = new CompletionList<ContextItem>({
      name: () => t("Attachments"),
      changed: () => ports.changed(),
      accept: (item) => {
        const asked = this.#asked;
        this.#asked = undefined;
        if (asked !== undefined) ports.accept(item, asked.start, asked.end);
      },
    });
  }

  /** Reads what stands before the caret. */
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

  found(query: string, items: readonly ContextItem[]): void {
    if (query !== this.#asked?.query) return;
    const isGrowing = query === this.#shown && this.list.active !== undefined;
    this.#shown = query;
    this.list.show(items, isGrowing);
    this.#ports.changed();
  }
}
