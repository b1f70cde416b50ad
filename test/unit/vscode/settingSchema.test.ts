/** Which values of settings are used: those that VS Code's editor of settings does not underline. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { settingDefaults } from "../../../src/domain/settingDefaults";
import { fitsSchema, settingSchemas } from "../../../src/vscode/settingSchema";

const schemas = settingSchemas(JSON.parse(readFileSync("package.json", "utf8")));

describe("the schema of a setting", () => {
  it("V4 (finding 36): package.json has one for each setting, and each default fits its own", () => {
    const refused = Object.entries(settingDefaults).filter(([id, value]) => {
      const schema = schemas.get(id);
      return schema === undefined || !fitsSchema(schema, value);
    });
    assert.deepEqual(refused, []);
    assert.equal(schemas.size, Object.keys(settingDefaults).length);
  });

  it("V4: a value of another type, out of its range or not in its list is not used", () => {
    const bad: Readonly<Record<string, readonly unknown[]>> = {
      baseUrl: [1, null, ["https://a.example"]],
      consoleUrl: ["console.example", "file:///etc/passwd"],
      models: [{}, "m", 1],
      "messages.authentication": ["everywhere", "", 1],
      "messages.version": ["1\r\nx-evil: 1", "latest", ""],
      stylizedImageTaskType: ["", "  "],
      "network.connectTimeout": ["15", 0, -1, 601, NaN, Infinity, null],
      "results.fetchUpTo": [-1, 4096, "200"],
      summarizeChats: ["true", 1],
    };
    for (const [id, values] of Object.entries(bad))
      for (const value of values)
        assert.equal(fitsSchema(schemas.get(id) ?? {}, value), false, `${id}: ${String(value)}`);
  });

  it("V4, T10: half a task is a cap of one, which the reader rounds up, and is used", () => {
    assert.equal(fitsSchema(schemas.get("caps.tasksPerDay") ?? {}, 0.5), true);
    assert.equal(fitsSchema(schemas.get("caps.tasksPerDay") ?? {}, -1), false);
  });
});
