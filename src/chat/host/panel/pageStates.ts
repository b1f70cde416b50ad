/**
 * The states of chat pages in VS Code's memory, which is on the disk at once. VS Code writes a page's own state only once a minute, so a kill would lose
 * what was typed since.
 */
import type * as vscode from "vscode";
import * as z from "zod/mini";

/** The state of one page. */
export interface PageState {
  /** The kept state, with the name of the page. */
  read(): Readonly<Record<string, unknown>>;
  keep(state: Readonly<Record<string, unknown>>): void;
  /** Called when a person has closed the page. */
  forget(): void;
}

const key = "chatPages";
/** Pages of killed windows may not come back, so only the last ones are kept. */
const maxPages = 20;
/** Characters of all states together, because VS Code writes all of them with each change. That of the page that was changed last is always kept. */
const maxLength = 1_000_000;
const statesSchema = z.record(z.string(), z.record(z.string(), z.unknown()));

/** Returns the state of the page with that name. */
export function pageStates(memory: Pick<vscode.Memento, "get" | "update">): (page: string) => PageState {
  const others = (page: string): (readonly [string, Readonly<Record<string, unknown>>])[] =>
    Object.entries(statesSchema.safeParse(memory.get(key)).data ?? {}).filter(([name]) => name !== page);
  const write = (states: readonly (readonly [string, unknown])[]): void => {
    let left = maxLength;
    const newest = states.slice(-maxPages).toReversed();
    const fitting = newest.filter(([, state], at) => (left -= JSON.stringify(state).length) >= 0 || at === 0);
    void memory.update(key, Object.fromEntries(fitting.toReversed()));
  };
  return (page) => ({
    read: () => ({ ...statesSchema.safeParse(memory.get(key)).data?.[page], page }),
    keep: (state) => write([...others(page), [page, state]]),
    forget: () => write(others(page)),
  });
}
