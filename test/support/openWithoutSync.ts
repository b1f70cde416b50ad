/** SQLite without syncs and with its journal in memory, for tests of thousands of commits, which do not test power cuts. */
import { DatabaseSync } from "node:sqlite";
import type { OpenNative } from "../../src/base/database/runtime";

export const openWithoutSync: OpenNative = (path, options) => {
  const native = new DatabaseSync(path, options);
  return {
    exec: (sql) => native.exec(sql.replace("synchronous = FULL", "synchronous = OFF")),
    prepare: (sql) => native.prepare(sql.replace("journal_mode = TRUNCATE", "journal_mode = MEMORY")),
    close: () => native.close(),
  };
};
