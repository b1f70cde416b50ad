// Splits a script by statement: what some programs need stays, the rest goes into a script of its own. Rollup keeps a module whole, and
// of the schema library that every part shares the MCP server alone uses a third. Called by joinParts.mjs.
import { parseAst } from "@rollup/wasm-node/parseAst";

/** @typedef {{ type: string, start: number, end: number, [key: string]: unknown }} Node */

/** @param {unknown} value @returns {value is Node} */
const isNode = (value) => typeof value === "object" && value !== null && "type" in value;

/** @param {string} text */
const statementsOf = (text) => /** @type {Node[]} */ (/** @type {unknown} */ (parseAst(text).body));

/** Every identifier below a node but names of properties: also those of inner scopes, for one import too many does no harm. @param {unknown} value @returns {Generator<string>} */
function* identifiersIn(value) {
  if (Array.isArray(value)) for (const one of value) yield* identifiersIn(one);
  if (!isNode(value)) return;
  if (value.type === "Identifier") yield String(value["name"]);
  for (const [key, child] of Object.entries(value)) {
    const isName = (key === "property" || key === "key") && value["computed"] === false;
    if (!isName && typeof child === "object") yield* identifiersIn(child);
  }
}

/** What a statement declares. @param {Node} node */
function declaredBy(node) {
  if (node.type === "VariableDeclaration")
    return [...identifiersIn(/** @type {Node[]} */ (node["declarations"]).map((one) => one["id"]))];
  return /^(Function|Class)Declaration$/.test(node.type) ? [...identifiersIn(node["id"])] : [];
}

/**
 * `shaken`: the script without what those programs do not use, with the same names. `restOf`: how the second script imports the first.
 * `undefined` where nothing is left over.
 * @param {string} text @param {string} shaken @param {string} restOf
 * @returns {{ text: string, rest: string } | undefined}
 */
export function splitScript(text, shaken, restOf) {
  const nodes = statementsOf(text);
  const isImport = (/** @type {Node} */ node) => node.type === "ImportDeclaration" || isNode(node["source"]);
  const imports = nodes.filter(isImport).map(({ start, end }) => text.slice(start, end));
  const exported = nodes.flatMap((node) =>
    node.type === "ExportNamedDeclaration" && !isImport(node)
      ? /** @type {{ local: { name: string }, exported: { name: string } }[]} */ (node["specifiers"])
      : [],
  );
  const all = nodes
    .filter((node) => !isImport(node) && node.type !== "ExportNamedDeclaration")
    .map((node) => {
      const declares = declaredBy(node);
      return { text: text.slice(node.start, node.end), declares, uses: new Set(identifiersIn(node)) };
    });
  const declared = new Set(all.flatMap(({ declares }) => declares));
  const wanted = new Set(statementsOf(shaken).flatMap(declaredBy));
  const isOwn = (/** @type {(typeof all)[number]} */ { declares, uses }) =>
    declares.length > 0
      ? declares.some((name) => wanted.has(name))
      : [...uses].every((name) => wanted.has(name) || !declared.has(name));
  const [own, rest] = [all.filter(isOwn), all.filter((one) => !isOwn(one))];
  if (rest.length === 0) return undefined;

  const here = new Set(own.flatMap(({ declares }) => declares));
  const there = new Set(rest.flatMap(({ declares }) => declares));
  const shared = [...here].filter((name) => rest.some(({ uses }) => uses.has(name)));
  const list = (/** @type {readonly string[]} */ names) => `{${names.join()}}`;
  const exports = (/** @type {(name: string) => boolean} */ includes) =>
    `export${list(exported.filter(({ local }) => includes(local.name)).map((one) => `${one.local.name} as ${one.exported.name}`))};`;
  const bodyOf = (/** @type {typeof all} */ some) => [...imports, ...some.map((one) => one.text)];
  return {
    text: [
      ...bodyOf(own),
      exports((name) => !there.has(name)),
      `export${list(shared.map((name) => `${name} as shared$${name}`))};`,
    ].join("\n"),
    rest: [
      `import${list(shared.map((name) => `shared$${name} as ${name}`))}from${JSON.stringify(restOf)};`,
      ...bodyOf(rest),
      exports((name) => there.has(name)),
    ].join("\n"),
  };
}
