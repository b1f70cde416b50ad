/** Opens the database of a state folder: with the former journal imported, and the first deposit made. */
import type { Clock } from "../../base/clock";
import { Ledger } from "../money/ledger";
import { importFormerJournal } from "./formerJournal";
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
    await importFormerJournal(state, stateDir);
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
