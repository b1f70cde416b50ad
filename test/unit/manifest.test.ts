/** The manifest and the code say the same ids, and every word of the manifest is there. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { globSync } from "tinyglobby";
import { fromJSONSchema } from "zod";
import * as z from "zod/mini";
import { settingDocuments, withContributes, withSettingRows } from "../../scripts/contributes.mjs";
import { families } from "../../src/domain/chat/family";
import { settingGroups, settingTable } from "../../src/domain/settingTable";
import { headerEntrySchema } from "../../src/domain/gateway/networkSettings";
import { priceEntrySchema } from "../../src/domain/task/priceSetting";
import { modelEntrySchema } from "../../src/gateway/modelCatalog";
import { commandTable, submenus } from "../../src/vscode/commandTable";
import { commands, internalCommands, views } from "../../src/vscode/ids";

const packageJson: unknown = JSON.parse(readFileSync("package.json", "utf8"));
const setting = z.looseObject({ scope: z.string(), order: z.number(), default: z.unknown() });
const manifest = z
  .object({
    l10n: z.literal("./l10n"),
    engines: z.object({ vscode: z.string() }),
    devDependencies: z.record(z.string(), z.string()),
    contributes: z.object({
      commands: z.array(z.object({ command: z.string(), title: z.string(), category: z.literal("Sluice") })),
      views: z.record(z.string(), z.array(z.object({ id: z.string() }))),
      submenus: z.array(z.object({ id: z.string() })),
      // An entry is a command or a submenu.
      menus: z.record(
        z.string(),
        z.array(z.object({ command: z.exactOptional(z.string()), submenu: z.exactOptional(z.string()) })),
      ),
      configuration: z.array(
        z.object({ title: z.string(), order: z.number(), properties: z.record(z.string(), setting) }),
      ),
    }),
  })
  .parse(packageJson);
const words = z.record(z.string(), z.string()).parse(JSON.parse(readFileSync("package.nls.json", "utf8")));
const { contributes } = manifest;
const groups = contributes.configuration;
const properties = Object.fromEntries(groups.flatMap((group) => Object.entries(group.properties)));

describe("manifest", () => {
  it("V4: contributes exactly the commands and views that the code knows", () => {
    const contributed = contributes.commands.map(({ command }) => command);
    assert.deepEqual(contributed.sort(), Object.values(commands).sort());
    const shown = Object.values(contributes.views).flatMap((list) => list.map(({ id }) => id));
    assert.deepEqual(shown.sort(), Object.values(views).sort());
  });

  it("V4: a menu names only commands that there are", () => {
    const contributed = new Set(contributes.commands.map(({ command }) => command));
    const submenus = new Set(contributes.submenus.map(({ id }) => id));
    for (const { command, submenu = "" } of Object.values(contributes.menus).flat()) {
      assert.ok(command === undefined ? submenus.has(submenu) : contributed.has(command), command ?? submenu);
    }
  });

  it("V4: a submenu is once in a menu, as VS Code ignores and reports the second", () => {
    for (const [menu, entries] of Object.entries(contributes.menus)) {
      const named = entries.flatMap(({ submenu }) => submenu ?? []);
      assert.deepEqual(named, [...new Set(named)], menu);
    }
  });

  it("C1 (finding S14): no setting can be set by a workspace or by the dev container of a repository", () => {
    for (const [id, { scope }] of Object.entries(properties)) assert.equal(scope, "application", id);
  });

  it("V4 (finding 22): no setting begins with a value that its own schema refuses", () => {
    const refused = Object.entries(properties).filter(([, setting]) => {
      const { default: value, type, pattern, format, minimum, maximum, minLength, enum: values } = setting;
      const schema = { type, pattern, format, minimum, maximum, minLength, enum: values };
      const given = Object.fromEntries(Object.entries(schema).filter(([, part]) => part !== undefined));
      return !fromJSONSchema(given).safeParse(value).success;
    });
    assert.deepEqual(
      refused.map(([id]) => id),
      [],
    );
  });

  const entrySchemas = { models: modelEntrySchema, prices: priceEntrySchema, requestHeaders: headerEntrySchema };
  const tables = { settingGroups, settingTable, entrySchemas, commands, commandTable, submenus };

  it("V4: package.json has the settings, commands, keys and menus of the tables, as node scripts/contributes.mjs writes them", () => {
    const written = z.looseObject({ contributes: z.looseObject({}) }).parse(packageJson);
    assert.deepEqual(written, withContributes(written, tables, words));
  });

  it("V4: the documents have a row for each setting, as node scripts/contributes.mjs writes it", () => {
    const documents = settingDocuments();
    assert.ok(documents.length > 0);
    for (const file of documents) {
      const text = readFileSync(file, "utf8");
      assert.equal(text, withSettingRows(text, tables, words), file);
    }
  });

  it("V4: a setting is added in two places: its line in the table and its words make all that the manifest and the documents say", () => {
    const added = {
      ...tables,
      settingTable: {
        ...settingTable,
        "chat.echo": { group: "chat", type: "number", minimum: 1, default: 2 } as const,
      },
    };
    const worded = { ...words, "setting.chat.echo": "How often. See `#sluice.baseUrl#`." };
    const { contributes: made } = withContributes({ contributes: {} }, added, worded);
    const [, chat] = z
      .array(z.object({ properties: z.record(z.string(), z.unknown()) }))
      .parse((made as { configuration: unknown }).configuration);
    assert.deepEqual(chat?.properties["sluice.chat.echo"], {
      type: "number",
      minimum: 1,
      default: 2,
      scope: "application",
      order: Object.values(settingTable).filter(({ group }) => group === "chat").length + 1,
      markdownDescription: "%setting.chat.echo%",
    });
    const [file = ""] = settingDocuments();
    assert.match(
      withSettingRows(readFileSync(file, "utf8"), added, worded),
      /^\| `sluice\.chat\.echo` \| 2 \| from 1 \| How often\. See `sluice\.baseUrl`\. \|$/m,
    );
  });

  it("C5: an entry of sluice.models may name each family, and no other", () => {
    const { items } = z
      .looseObject({ items: z.object({ properties: z.object({ family: z.object({ enum: z.array(z.string()) }) }) }) })
      .parse(properties["sluice.models"]);
    assert.deepEqual(items.properties.family.enum, [...families]);
  });

  it("V4 (finding 22): each group and each setting in it has its own place in the settings page", () => {
    const areCounted = (orders: readonly number[]): void =>
      assert.deepEqual(
        orders,
        orders.map((_, index) => index + 1),
      );
    areCounted(groups.map(({ order }) => order));
    for (const group of groups) areCounted(Object.values(group.properties).map(({ order }) => order));
  });

  it("V4 (finding 22): the console's address may be empty, and is an address of a web page otherwise", () => {
    const { pattern } = z.looseObject({ pattern: z.string() }).parse(properties["sluice.consoleUrl"]);
    const accepts = (url: string): boolean => new RegExp(pattern).test(url);
    assert.deepEqual(["", "https://console.example/keys", "http://127.0.0.1:8080"].map(accepts), [true, true, true]);
    assert.deepEqual(["console.example", "file:///etc/passwd", "command:x", "https://"].map(accepts), [
      false,
      false,
      false,
      false,
    ]);
  });

  it("P6: every %word% of the manifest is in package.nls.json, and none is there for nothing", () => {
    const used = [...readFileSync("package.json", "utf8").matchAll(/"%([^%"]+)%"/g)].map(([, key]) => key ?? "");
    assert.deepEqual([...new Set(used)].sort(), Object.keys(words).sort());
  });

  it("V5: the types are those of the oldest VS Code that is promised", () => {
    const minor = (version: string | undefined): string | undefined => /(\d+\.\d+)\./.exec(version ?? "")?.[1];
    assert.equal(minor(manifest.devDependencies["@types/vscode"]), minor(manifest.engines.vscode));
  });

  it("V4: a welcome has one button, and what it and the walkthrough offer are commands that there are", () => {
    const { viewsWelcome, walkthroughs } = z
      .object({
        viewsWelcome: z.array(z.object({ contents: z.string(), when: z.string() })),
        walkthroughs: z.array(
          z.object({
            steps: z.array(
              z.object({ description: z.string(), title: z.string(), media: z.object({ svg: z.string() }) }),
            ),
          }),
        ),
      })
      .parse((packageJson as { contributes: unknown }).contributes);
    const known = new Set<string>([
      ...Object.values(commands),
      ...Object.values(internalCommands),
      ...Object.values(views).map((view) => `${view}.focus`),
    ]);
    const languages = globSync("package.nls*.json").map((file) =>
      z.record(z.string(), z.string()).parse(JSON.parse(readFileSync(file, "utf8"))),
    );
    const textsOf = (key: string): readonly string[] =>
      languages.map((language) => language[key.slice(1, -1)] ?? assert.fail(key));
    const steps = walkthroughs.flatMap((walkthrough) => walkthrough.steps);
    assert.ok(steps.length >= 4 && viewsWelcome.length >= 6);
    // The chat has a notice with the same button: both in one view of the window say it once.
    for (const { contents, when } of viewsWelcome) {
      const isOfTrouble = !/== (?:local|ready)$/.test(when);
      assert.equal(when.includes("view.sluice.chat.visible"), isOfTrouble, contents);
    }
    for (const { contents } of viewsWelcome) {
      for (const text of textsOf(contents)) {
        assert.equal(text.split("\n").filter((line) => /^\[[^\]]+\]\([^)]+\)$/.test(line)).length, 1, text);
      }
    }
    for (const key of [...viewsWelcome.map(({ contents }) => contents), ...steps.map((step) => step.description)]) {
      for (const text of textsOf(key)) {
        const offered = [...text.matchAll(/\]\(command:([^)]+)\)/g)].map(([, command]) => command ?? "");
        assert.ok(offered.length > 0, text);
        for (const command of offered) assert.ok(known.has(command), command);
      }
    }
    // Pictures in the theme's colours, and small.
    for (const { media } of steps) {
      const svg = readFileSync(media.svg, "utf8");
      assert.ok(svg.length < 1000 && svg.includes("var(--vscode-") && !/#[0-9a-f]{3}/i.test(svg), media.svg);
    }
  });
});
