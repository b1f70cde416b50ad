/** Which values of settings are used: those that VS Code's editor of settings does not underline. */
import assert from "node:assert/strict";
import { type SettingId, settingIds, settingTable } from "../../../src/domain/settingTable";
import { usableSetting } from "../../../src/vscode/usableSetting";

describe("a usable setting", () => {
  it("V4 (finding 36): each default fits its own row, and is what is used in place of a value that does not", () => {
    assert.deepEqual(
      settingIds.filter((id) => usableSetting(id, settingTable[id].default) === undefined),
      [],
    );
  });

  it("V4: a value of another type, out of its range or not in its list is not used", () => {
    const bad: Readonly<Partial<Record<SettingId, readonly unknown[]>>> = {
      baseUrl: [1, null, ["https://a.example"]],
      consoleUrl: ["console.example", "file:///etc/passwd"],
      models: [{}, "m", 1],
      notifications: ["everywhere", "", 1, "all "],
      "caps.moneyPerDay": ["15", -1, NaN, null],
      "results.fetchUpTo": [-1, 4096, "200"],
      summarizeChats: ["true", 1],
    };
    for (const id of settingIds)
      for (const value of bad[id] ?? []) assert.equal(usableSetting(id, value), undefined, `${id}: ${String(value)}`);
  });

  it("V4: a text is used without the spaces around it", () => {
    assert.equal(usableSetting("baseUrl", " https://a.example/v1\n"), "https://a.example/v1");
  });

  it("V4, T10: half a task is a cap of one, which the reader rounds up, and is used", () => {
    assert.equal(usableSetting("caps.tasksPerDay", 0.5), 0.5);
    assert.equal(usableSetting("caps.tasksPerDay", -1), undefined);
  });
});
