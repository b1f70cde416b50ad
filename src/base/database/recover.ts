/** Copies what can still be read of a damaged database, row by row, past the pages that can't be. */
import type { SQLInputValue } from "node:sqlite";
import { type SqlConnection, numberIn, type Row } from "./sqlConnection";
import { hasKind } from "./failure";

/** Every table of `target` that `source` has too, by the columns that both have. Rows whose key is taken stay as they are. Returns how many rows were copied. */
export function copyReadableRows(source: SqlConnection, target: SqlConnection): number {
  let copied = 0;
  for (const table of tablesOf(target)) {
    const theirs = new Set(columnsOf(source, table));
    const columns = columnsOf(target, table).filter((column) => theirs.has(column));
    if (columns.length === 0) continue;
    const quoted = columns.map((column) => `"${column}"`).join(", ");
    const places = columns.map((_, index) => `:c${index}`).join(", ");
    const insert = `INSERT OR IGNORE INTO "${table}" (${quoted}) VALUES (${places})`;
    for (const row of readableRows(source, table, quoted)) {
      const values = Object.fromEntries(
        columns.map((column, index): [string, SQLInputValue] => [`c${index}`, row[column] ?? null]),
      );
      try {
        copied += target.run(insert, values);
      } catch (error) {
        // A damaged value that the schema refuses.
        if (!hasKind(error, "constraint")) throw error;
      }
    }
  }
  return copied;
}

function tablesOf(connection: SqlConnection): readonly string[] {
  const rows = connection.all("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'");
  return rows.map(({ name }) => String(name));
}

/** Empty when the table is not there or its definition can't be read. */
function columnsOf(connection: SqlConnection, table: string): readonly string[] {
  return tolerant(() => connection.all(`PRAGMA table_info("${table}")`))?.map(({ name }) => String(name)) ?? [];
}

/** Row numbers that one try to get past an unreadable page skips at most, where the end of the table is known. */
const maxSkip = 64;

/** In the order of their numbers. After an unreadable page the search goes on behind it, in steps that double. */
function* readableRows(source: SqlConnection, table: string, columns: string): Iterable<Row> {
  const last = lastRow(source, table);
  let after: number | undefined;
  for (let step = 1; ;) {
    try {
      const where = after === undefined ? "" : `WHERE rowid > ${after}`;
      for (const row of source.iterate(`SELECT rowid AS _row, ${columns} FROM "${table}" ${where} ORDER BY rowid`)) {
        after = numberIn(row["_row"]);
        step = 1;
        yield row;
      }
      return;
    } catch (error) {
      if (!hasKind(error, "corrupt")) throw error;
    }
    after = (after ?? 0) + step;
    step = last === undefined ? step * 2 : Math.min(step * 2, maxSkip);
    if (after > (last ?? Number.MAX_SAFE_INTEGER / 4)) return;
  }
}

/** Unknown when the end of the table is what is damaged. */
function lastRow(source: SqlConnection, table: string): number | undefined {
  const found = tolerant(() => source.get(`SELECT rowid AS _row FROM "${table}" ORDER BY rowid DESC LIMIT 1`));
  return found && numberIn(found["_row"]);
}

function tolerant<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (hasKind(error, "corrupt")) return undefined;
    throw error;
  }
}
