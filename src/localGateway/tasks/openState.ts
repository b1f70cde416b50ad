/** Opens the database of a state folder, and makes the first deposit. */
import type { Clock } from "../../base/clock";
import { Ledger } from "../money/ledger";
import { StateDatabase, type StateDatabaseOptions } from "../state/stateDatabase";

export interface OpenStateOptions extends StateDatabaseOptions {
  readonly stateDir: string;
  readonly clock: Clock;
  /** Minor units, paid in when the ledger has no entry. */
  readonly deposit: number;
}

/** Rejects with `StateUnusable`. */
export async function openState({ stateDir, clock, deposit, ...options }: OpenStateOptions): Promise<StateDatabase> {
  const state = await StateDatabase.open(stateDir, options);
  try {
    await state.change((connection) => {
      if (connection.get("SELECT 1 FROM entry LIMIT 1") !== undefined) return;
      new Ledger(connection, clock.now()).deposit(deposit);
    });
    return state;
  } catch (error) {
    await state.close();
    throw error;
  }
}
