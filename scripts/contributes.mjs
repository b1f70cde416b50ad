// `node scripts/contributes.mjs`: writes the settings and commands in package.json and the documents, from their tables and words. A test fails when they differ.
import { build } from "esbuild";
import { readFileSync, writeFileSync } from "node:fs";
import { globSync } from "tinyglobby";
import * as z from "zod/mini";

/**
 * @typedef {import("../src/domain/settingTable").SettingRow} SettingRow
 * @typedef {import("../src/vscode/commandTable").CommandRow} CommandRow
 * @typedef {import("../src/vscode/commandPlaces").CommandPlace} CommandPlace
 * @typedef {Readonly<Record<string, string>>} Words of package.nls.json, by key
 *
 * @typedef {object} Tables
 * @property {readonly string[]} settingGroups
 * @property {Readonly<Record<string, SettingRow>>} settingTable
 * @property {Readonly<Record<string, z.core.$ZodType>>} entrySchemas of the entries of settings that are lists, by the setting's id
 * @property {Readonly<Record<string, string>>} commands the ids by name
 * @property {Readonly<Record<string, CommandRow>>} commandTable by name
 * @property {readonly { id: string, label: string, at: readonly CommandPlace[] }[]} submenus
 *
 * @typedef {{ contributes: Record<string, unknown> }} Manifest
 */

/** @param {Manifest} manifest @param {Tables} tables @param {Words} words @returns {Manifest} */
export function withContributes(manifest, tables, words) {
  const contributes = {
    ...manifest.contributes,
    ...commandContributes(tables, words),
    configuration: configuration(tables, words),
  };
  return { ...manifest, contributes };
}

/** @param {Tables} tables @param {Words} words */
function commandContributes({ commands, commandTable, submenus }, words) {
  const rows = Object.entries(commandTable).map(([name, row]) => ({ command: commands[name] ?? "", ...row }));
  /** @type {Record<string, object[]>} */
  const menus = {};
  /** @param {object} shown @param {CommandPlace} place */
  const add = (shown, { menu, ...place }) => void (menus[menu] ??= []).push({ ...shown, ...place });
  for (const { command, menus: places = [] } of rows) for (const place of places) add({ command }, place);
  for (const { id, at } of submenus) for (const place of at) add({ submenu: id }, place);
  menus["commandPalette"] = rows.flatMap(({ command, palette }) =>
    palette === undefined ? [] : [{ command, when: String(palette) }],
  );
  return {
    commands: rows.map(({ command, icon }) => {
      const key = command.replace("sluice.", "command.");
      return {
        command,
        title: `%${key}%`,
        ...(`${key}.short` in words ? { shortTitle: `%${key}.short%` } : {}),
        category: "Sluice",
        ...(icon === undefined ? {} : { icon: `$(${icon})` }),
      };
    }),
    keybindings: rows.flatMap(({ command, keys }) => (keys ? [{ command, ...keys }] : [])),
    submenus: submenus.map(({ id, label }) => ({ id, label })),
    menus,
  };
}

/** @param {Tables} tables @param {Words} words */
function configuration({ settingGroups, settingTable, entrySchemas }, words) {
  return settingGroups.map((group, index) => ({
    id: `sluice.${group}`,
    title: `%settings.${group}%`,
    order: index + 1,
    properties: Object.fromEntries(
      Object.entries(settingTable)
        .filter(([, row]) => row.group === group)
        .map(([id, row], place) => [
          `sluice.${id}`,
          {
            ...schemaOf(id, row, words),
            ...(entrySchemas[id] ? { items: itemsOf(id, entrySchemas[id], words) } : {}),
            default: row.default,
            // Neither a workspace nor a dev container can set one, and a remote window has the person's value.
            scope: "application",
            order: place + 1,
            markdownDescription: `%setting.${id}%`,
          },
        ]),
    ),
  }));
}

/** Returns the schema of a setting without its default and its group. @param {string} id @param {SettingRow} row @param {Words} words */
function schemaOf(id, { group: _, default: __, ...schema }, words) {
  return {
    ...schema,
    ...(`setting.${id}.pattern` in words ? { patternErrorMessage: `%setting.${id}.pattern%` } : {}),
    ...("enum" in schema && schema.enum
      ? { markdownEnumDescriptions: schema.enum.map((value) => `%setting.${id}.${value}%`) }
      : {}),
  };
}

/** A field has the description that is in package.nls.json as `setting.<id>.<field>`. @param {string} id @param {z.core.$ZodType} entry @param {Words} words */
function itemsOf(id, entry, words) {
  const { $schema: _, properties = {}, ...items } = z.toJSONSchema(entry);
  const described = Object.entries(properties).map(([name, field]) => {
    if (typeof field === "boolean") return [name, field];
    // The largest integer of JavaScript is no limit, and the names of a free object are strings anyway.
    const { maximum, propertyNames: __, ...rest } = field;
    const key = `setting.${id}.${name}`;
    const limit = maximum === undefined || maximum === Number.MAX_SAFE_INTEGER ? {} : { maximum };
    return [name, { ...rest, ...limit, ...(key in words ? { markdownDescription: `%${key}%` } : {}) }];
  });
  return { ...items, properties: Object.fromEntries(described) };
}

const [begin, end] = ["<!-- settings: node scripts/contributes.mjs -->\n", "<!-- /settings -->"];

/** The documents with a table of settings. */
export const settingDocuments = () =>
  globSync(["*.md", "docs/**/*.md"])
    .sort()
    .filter((file) => readFileSync(file, "utf8").includes(begin));

/** @param {string} document @param {Tables} tables @param {Words} words */
export function withSettingRows(document, { settingTable }, words) {
  const rows = Object.entries(settingTable).map(([id, row]) => {
    // A link of VS Code's editor of settings is a plain name elsewhere; what follows the first paragraph is an example.
    const text = (words[`setting.${id}`] ?? "").split("\n\n")[0]?.replaceAll(/`#([\w.]+)#`/g, "`$1`");
    return `| \`sluice.${id}\` | ${shown(row.default)} | ${allowed(row)} | ${text} |\n`;
  });
  const before = document.slice(0, document.indexOf(begin) + begin.length);
  const after = document.slice(document.indexOf(end));
  const head = "| setting | default | values | what it does |\n| --- | --- | --- | --- |\n";
  // Prettier would pad every cell to the longest one.
  return `${before}\n<!-- prettier-ignore -->\n${head}${rows.join("")}\n${after}`;
}

/** @param {unknown} value */
const shown = (value) =>
  value === "" ? "empty" : typeof value === "number" ? String(value) : `\`${Array.isArray(value) ? "[]" : value}\``;

/** @param {SettingRow} row */
function allowed(row) {
  if (row.type === "boolean") return "";
  if (row.type === "string") return row.enum?.map((value) => `\`${value}\``).join(", ") ?? "";
  if (row.type === "array") return "";
  return row.maximum === undefined ? `from ${row.minimum}` : `${row.minimum} to ${row.maximum}`;
}

/** Reads the tables from the sources. @returns {Promise<Tables>} */
async function readTables() {
  const contents = `
    export { settingGroups, settingTable } from "./src/domain/settingTable";
    import { priceEntrySchema } from "./src/domain/task/priceSetting";
    import { headerEntrySchema } from "./src/domain/gateway/networkSettings";
    import { modelEntrySchema } from "./src/gateway/modelCatalog";
    export const entrySchemas = { models: modelEntrySchema, prices: priceEntrySchema, requestHeaders: headerEntrySchema };
    export { commands } from "./src/vscode/ids";
    export { commandTable, submenus } from "./src/vscode/commandTable";`;
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: ".", loader: "ts" },
    bundle: true,
    write: false,
    format: "esm",
    platform: "node",
  });
  return await import(`data:text/javascript;base64,${Buffer.from(outputFiles[0]?.contents ?? []).toString("base64")}`);
}

async function writeAll() {
  const tables = await readTables();
  /** @type {Words} */
  const words = JSON.parse(readFileSync("package.nls.json", "utf8"));
  const manifest = withContributes(JSON.parse(readFileSync("package.json", "utf8")), tables, words);
  writeFileSync("package.json", `${JSON.stringify(manifest, undefined, 2)}\n`);
  for (const file of settingDocuments())
    writeFileSync(file, withSettingRows(readFileSync(file, "utf8"), tables, words));
}

// The tests load this file by `require`, which takes no `await` at the top.
if (import.meta.filename === process.argv[1]) void writeAll();
