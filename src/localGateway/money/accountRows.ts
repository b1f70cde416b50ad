/** The accounts of the gateway: each has its key, its balance and the task types that are switched off for it. Inside the transaction of the caller. */
import { randomBytes } from "node:crypto";
import * as z from "zod/mini";
import { type SqlConnection, numberIn, type Row } from "../../base/database/sqlConnection";
import { HttpError, invalidRequest } from "../http/httpError";
import { type TaskTypeWord, taskTypeWords } from "../demo/taskKinds";
import { Ledger } from "./ledger";
import { type AccountSums, mainAccount, readSums } from "../state/accountSums";

export interface Account extends AccountSums {
  readonly id: number;
  readonly name: string;
  /** Missing for the main account: its key is that of the gateway. */
  readonly key?: string;
  readonly typesOff: readonly TaskTypeWord[];
}

const maxAccounts = 20;
/** Minor units. */
const firstDeposit = 100_000;
/** Letters, digits and blanks: it is shown as it is. */
export const accountName = /^[A-Za-z0-9][A-Za-z0-9 _-]{0,39}$/;
const typesSchema = z.array(z.enum(taskTypeWords));

/** In the order in which they were created; the main account is the first. */
export function listAccounts(connection: SqlConnection): readonly Account[] {
  return connection.all("SELECT id, name, key, types_off FROM account ORDER BY id").map((row) => {
    const id = numberIn(row["id"]);
    const key = row["key"] === null ? {} : { key: String(row["key"]) };
    return { id, name: String(row["name"]), ...key, typesOff: typesIn(row), ...readSums(connection, id) };
  });
}

/** 409 for a name that is taken. */
function createAccount(connection: SqlConnection, name: string | undefined): Account {
  const known = listAccounts(connection);
  if (known.length >= maxAccounts) throw invalidRequest("No more accounts can be created.");
  const id = Math.max(...known.map((account) => account.id)) + 1;
  const values = { id, name: name ?? `account ${id}`, key: `sk-local-${randomBytes(24).toString("base64url")}` };
  if (known.some((account) => account.name === values.name)) {
    throw new HttpError(409, "account_exists", `There is an account ${values.name} already.`, { param: "name" });
  }
  connection.run("INSERT INTO account (id, name, key) VALUES (:id, :name, :key)", values);
  return { ...values, typesOff: [], ...readSums(connection, id) };
}

/** Creates an account with money in it. */
export function openAccount(connection: SqlConnection, now: number, name: string | undefined): Account {
  const account = createAccount(connection, name);
  new Ledger(connection, now, account.id).deposit(firstDeposit);
  return { ...account, ...readSums(connection, account.id) };
}

/** What the start of the gateway asks for: accounts that may be there already, and the types that are off for the main one. */
export function prepareAccounts(
  connection: SqlConnection,
  now: number,
  { wanted, off }: { readonly wanted: readonly string[]; readonly off?: readonly TaskTypeWord[] },
): void {
  const known = new Set(listAccounts(connection).map(({ name }) => name));
  for (const name of new Set(wanted)) if (!known.has(name)) openAccount(connection, now, name);
  if (off !== undefined) setTypesOff(connection, mainAccount, off);
}

/** 404 when there is none. */
export function findAccount(connection: SqlConnection, name: string): Account {
  const account = listAccounts(connection).find((one) => one.name === name);
  if (account === undefined) throw new HttpError(404, "account_not_found", `There is no account ${name}.`);
  return account;
}

export function switchType(
  connection: SqlConnection,
  { id, typesOff }: Account,
  type: TaskTypeWord,
  on: boolean,
): void {
  const others = typesOff.filter((one) => one !== type);
  setTypesOff(connection, id, on ? others : [...others, type]);
}

function setTypesOff(connection: SqlConnection, id: number, types: readonly TaskTypeWord[]): void {
  connection.run("UPDATE account SET types_off = :types WHERE id = :id", { id, types: JSON.stringify(types) });
}

export function isTypeOff(connection: SqlConnection, account: number, type: TaskTypeWord): boolean {
  const row = connection.get("SELECT types_off FROM account WHERE id = :account", { account });
  return row !== undefined && typesIn(row).includes(type);
}

function typesIn(row: Row): readonly TaskTypeWord[] {
  return typesSchema.parse(JSON.parse(String(row["types_off"])));
}
