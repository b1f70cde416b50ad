/** The accounts of a gateway that tasks are known of, for the question whose key was set (C2). */
import type { Task } from "./task";

export interface AccountTasks {
  readonly id: string;
  readonly count: number;
  /** Of the newest task; milliseconds since 1970. */
  readonly lastAt: number;
}

/** The one with the newest task first. `resolve`: the account that a stored id means now. */
export function countAccounts(
  tasks: Iterable<Task>,
  origin: string,
  resolve: (account: string) => string,
): readonly AccountTasks[] {
  const accounts = new Map<string, AccountTasks>();
  for (const { intent } of tasks) {
    if (intent.home.origin !== origin) continue;
    const id = resolve(intent.home.account);
    const known = accounts.get(id);
    const lastAt = Math.max(known?.lastAt ?? intent.createdAt, intent.createdAt);
    accounts.set(id, { id, count: (known?.count ?? 0) + 1, lastAt });
  }
  return [...accounts.values()].sort((one, other) => other.lastAt - one.lastAt);
}
