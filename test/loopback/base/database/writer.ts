/** A process that writes and reads one database together with others, and says what was confirmed to it; started by the trial, which kills it. */
import { randomUUID } from "node:crypto";
import { systemClock } from "../../../../src/base/async/systemClock";
import { Database } from "../../../../src/base/database/database";
import { numberIn } from "../../../../src/base/database/sqlConnection";
import { trialMigrations } from "./trialSchema";

const [path = ""] = process.argv.slice(2);
const writer = randomUUID();

async function run(): Promise<void> {
  const database = await Database.open({ path, migrations: trialMigrations, clock: systemClock });
  for (let number = 1; ; number += 1) {
    // Two tables in one transaction: the sum must always be the number of rows.
    await database.write((connection) => {
      const sum = numberIn(connection.value("SELECT sum FROM total"));
      const text = "x".repeat(number % 3000);
      connection.run("INSERT INTO entry (writer, number, text) VALUES (:writer, :number, :text)", {
        writer,
        number,
        text,
      });
      if (!connection.changeRow("UPDATE total SET sum = :next WHERE sum = :sum", { sum, next: sum + 1 }))
        throw new Error("a row changed inside a transaction");
      // Rows go too, so that pages are freed and used again.
      if (number % 7 === 0) {
        connection.run("DELETE FROM scratch");
        connection.run("INSERT INTO scratch (text) VALUES (:text)", { text });
      }
    });
    process.stdout.write(`${writer} ${number}\n`);
    // Otherwise it takes the lock again before another, which polls, sees it free.
    await systemClock.delay(2);
    if (number % 5 === 0) {
      const [sum, rows] = await database.read((connection) => [
        numberIn(connection.value("SELECT sum FROM total")),
        numberIn(connection.value("SELECT count(*) FROM entry")),
      ]);
      if (sum !== rows) throw new Error(`read the half of a transaction: ${sum} of ${rows}`);
    }
  }
}

run().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exitCode = 1;
});
