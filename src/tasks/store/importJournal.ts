/** Takes over the tasks of the journal of lines that earlier versions kept. The file stays beside the database under another name. */
import { existsSync } from "node:fs";
import { readFile, rename } from "node:fs/promises";
import type { Database } from "../../base/database/database";
import { intentIdOf } from "../../domain/task/taskRecord";
import { readTaskRecord } from "./recordSchema";
import { applyRecord } from "./taskRows";

/**
 * Returns how many lines could not be read. A task that the database has already is left as it is there: so a kill
 * between the import and the change of name does no harm.
 */
export async function importJournal(database: Database, journal: string): Promise<number> {
  if (!existsSync(journal)) return 0;
  const text = await readFile(journal, "utf8");
  let unreadable = 0;
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const records = lines.flatMap((line) => {
    const record = readTaskRecord(parseLine(line));
    if (record === undefined) unreadable += 1;
    return record ?? [];
  });
  await database.write((connection) => {
    const known = new Set(connection.all("SELECT id FROM task").map(({ id }) => id));
    const written = new Map<string, number>();
    for (const record of records) {
      if (!known.has(intentIdOf(record))) applyRecord(connection, { record }, written);
    }
  });
  await rename(journal, `${journal}.imported`);
  return unreadable;
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
