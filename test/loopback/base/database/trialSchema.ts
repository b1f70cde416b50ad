/** The tables of the database's trial. */
import type { SqlConnection, Migration } from "../../../../src/base/database/sqlConnection";

export const trialMigrations: readonly Migration[] = [
  (connection: SqlConnection): void =>
    connection.exec(`
      CREATE TABLE entry (writer TEXT NOT NULL, number INTEGER NOT NULL, text TEXT NOT NULL, PRIMARY KEY (writer, number)) STRICT;
      CREATE TABLE total (sum INTEGER NOT NULL) STRICT;
      CREATE TABLE scratch (text TEXT NOT NULL) STRICT;
      INSERT INTO total VALUES (0);
    `),
];
