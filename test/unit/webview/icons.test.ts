/** Every icon that the page names has its rule in the style sheet, and none is there for nothing. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { globSync } from "tinyglobby";
import { iconNames } from "../../../src/webview/icons";

describe("icons", () => {
  const sheet = readFileSync(path.join("src", "webview", "styles", "icons.css"), "utf8");

  it("V5: the style sheet has a rule for each name, and no other", () => {
    const ruled = [...sheet.matchAll(/^\.codicon-([\w-]+)::before/gm)].map(([, name]) => name);
    assert.deepEqual(ruled.sort(), [...iconNames].sort());
  });

  it("V5: every class name of an icon in the page's source is one of them", () => {
    const known = new Set<string>([...iconNames, "modifier-spin"]);
    for (const file of globSync(["src/webview/**/*.{ts,css}", "src/*/page/**/*.ts"])) {
      for (const [, name = ""] of readFileSync(file, "utf8").matchAll(/\bcodicon-([a-z][\w-]*[a-z])/g)) {
        if (name !== "spin") assert.ok(known.has(name), `${name} in ${file}`);
      }
    }
  });

  it("V5: each name is used", () => {
    const source = globSync(["src/webview/**/*.ts", "src/*/page/**/*.ts"], { ignore: "**/icons.ts" }).map((file) =>
      readFileSync(file, "utf8"),
    );
    for (const name of iconNames)
      assert.ok(
        source.some((text) => new RegExp(`["\\-]${name}["\\s]`).test(text)),
        name,
      );
  });
});
