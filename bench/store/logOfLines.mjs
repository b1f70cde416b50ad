// The named peer: the append-only log of JSON lines that the database has replaced. Each record is a line; paid ones are synced; opening reads the whole file.
import { open } from "node:fs/promises";
import { intentIdOf } from "../../src/domain/task/taskRecord";
import { placeRecord } from "../../src/tasks/store/taskRows";

const synced = new Set(["task-intended", "task-sending", "task-accepted", "task-cancel"]);

/** @typedef {import("../../src/domain/task/taskRecord").TaskRecord} TaskRecord */

/** @param {string} path */
export async function openLog(path) {
  const handle = await open(path, "a+", 0o600);
  const text = await handle.readFile("utf8");
  /** @type {Map<string, import("../../src/tasks/store/taskRows").PlacedTask>} */
  const tasks = new Map();
  for (const line of text.split("\n")) {
    if (line.trim() === "") continue;
    place(JSON.parse(line));
  }

  /** @param {TaskRecord} record */
  function place(record) {
    const id = intentIdOf(record);
    const placed = placeRecord(tasks.get(id), record);
    if (placed) tasks.set(id, placed);
  }

  return {
    tasks,
    /** @param {TaskRecord} record */
    async record(record) {
      await handle.appendFile(`\n${JSON.stringify(record)}\n`);
      if (synced.has(record.type)) await handle.datasync();
      place(record);
    },
    /** Many at once, to fill the file. @param {readonly TaskRecord[]} records */
    async fill(records) {
      await handle.appendFile(records.map((record) => `\n${JSON.stringify(record)}\n`).join(""));
    },
    close: () => handle.close(),
  };
}
