/** The sums of an account, which the database keeps beside its entries. */
import { type SqlConnection, numberIn } from "../../base/database/sqlConnection";

/** The account of a gateway that has no others; its key is that of the gateway. */
export const mainAccount = 1;

/** Minor units. `available + held + spent === deposited`, after every entry. */
export interface Balance {
  readonly deposited: number;
  readonly available: number;
  readonly held: number;
  readonly spent: number;
}

export interface AccountSums {
  readonly balance: Balance;
  readonly openHolds: number;
}

export function readSums(connection: SqlConnection, account: number): AccountSums {
  const query = "SELECT deposited, available, held, spent, open_holds FROM account WHERE id = :account";
  const row = connection.get(query, { account }) ?? {};
  const { deposited, available, held, spent, open_holds: openHolds } = row;
  const balance = {
    deposited: numberIn(deposited),
    available: numberIn(available),
    held: numberIn(held),
    spent: numberIn(spent),
  };
  return { balance, openHolds: numberIn(openHolds) };
}
