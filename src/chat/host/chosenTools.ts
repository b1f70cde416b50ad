/** Which tools of VS Code, other extensions and MCP servers the person has switched on. A tool that changes afterwards is off again (A3). */
import { createHash } from "node:crypto";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import * as z from "zod/mini";
import type { ForeignContent, ForeignTool, ForeignToolPort } from "../../domain/tools/toolPorts";
import { ToolRefusal } from "../../domain/tools/tool";
import { commands } from "../../vscode/ids";
import { runCommand } from "../../vscode/interface/runCommand";
import { notifyWarning } from "../../vscode/interface/show";
import { renderedTexts } from "../../vscode/interface/shownText";

const memoryKey = "chosenTools";
/** Maps the name of each tool that was switched on to its fingerprint at that time. */
const memorySchema = z.record(z.string(), z.string());
const manifestSchema = z.looseObject({
  contributes: z.looseObject({ languageModelTools: z.array(z.looseObject({ name: z.string() })) }),
});

export interface ListedTool extends ForeignTool {
  /** The extensions that declare the tool; missing for tools of VS Code itself and of MCP servers. */
  readonly source?: string;
  /** `changed`: the tool was switched on, but its definition has changed since, so it is off. */
  readonly state: "on" | "off" | "changed";
}

export class ChosenTools implements ForeignToolPort {
  readonly #memory: vscode.Memento;
  readonly #ownId: string;
  readonly #onChanged: (name: string) => void;
  readonly #reported = new Set<string>();

  /**
   * `memory` holds for all workspaces. `ownId`: the id of this extension. `onChanged` is called once for each tool that is off because it changed.
   */
  constructor(memory: vscode.Memento, ownId: string, onChanged: (name: string) => void) {
    this.#memory = memory;
    this.#ownId = ownId;
    this.#onChanged = onChanged;
  }

  /** All tools except those of Sluice, sorted by extension and name. Empty in Restricted Mode. */
  list(): readonly ListedTool[] {
    if (!vscode.workspace.isTrusted) return [];
    const declared = extensionsByTool();
    const chosen = this.#chosen();
    const listed = vscode.lm.tools.flatMap((tool): ListedTool[] => {
      const { name, description, inputSchema: schema } = tool;
      const extensions = declared.get(name);
      // Tools of Sluice itself are left out, also those that it offers over MCP.
      if (extensions?.includes(this.#ownId) === true || /^(mcp_)?sluice/i.test(name)) return [];
      const source = extensions?.join(", ");
      const promise = fingerprint({ ...tool, source });
      const known = chosen.get(name);
      const state = known === undefined ? "off" : known === promise ? "on" : "changed";
      return [{ name, description, schema, promise, state, ...(source !== undefined && { source }) }];
    });
    const key = ({ source = "\uffff", name }: ListedTool): string => `${source}\0${name}`;
    return listed.toSorted((one, other) => (key(one) < key(other) ? -1 : 1));
  }

  chosen(): readonly ForeignTool[] {
    const listed = this.list();
    const chosen = this.#chosen();
    for (const { name, state } of listed) {
      // The key contains the chosen fingerprint, not the current one: a server that changes a tool again and again causes one report only.
      const reported = `${name} ${chosen.get(name)}`;
      if (state !== "changed" || this.#reported.has(reported)) continue;
      this.#reported.add(reported);
      this.#onChanged(name);
    }
    return listed.filter(({ state }) => state === "on");
  }

  /** Switches on exactly the tools `on` among `listed`, which the person was shown. Tools that are not listed now stay as they were. */
  async choose(listed: readonly ListedTool[], on: readonly ListedTool[]): Promise<void> {
    const chosen = this.#chosen();
    for (const { name } of listed) chosen.delete(name);
    for (const { name, promise } of on) chosen.set(name, promise);
    await this.#memory.update(memoryKey, Object.fromEntries(chosen));
  }

  async call(
    { name, promise }: ForeignTool,
    input: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<readonly ForeignContent[]> {
    if (!this.chosen().some((tool) => tool.name === name && tool.promise === promise)) {
      throw new ToolRefusal(`The tool ${name} is not switched on any more, or has changed since.`);
    }
    const source = new vscode.CancellationTokenSource();
    const cancel = (): void => source.cancel();
    signal.addEventListener("abort", cancel, { once: true });
    try {
      const options = { input: structuredClone(input), toolInvocationToken: undefined };
      const { content } = await vscode.lm.invokeTool(name, options, source.token);
      return content.map(readPart);
    } finally {
      signal.removeEventListener("abort", cancel);
      source.dispose();
    }
  }

  #chosen(): Map<string, string> {
    const read = memorySchema.safeParse(this.#memory.get(memoryKey));
    return new Map(read.success ? Object.entries(read.data) : []);
  }
}

/** Maps each tool name to the sorted ids of the extensions that declare it. */
function extensionsByTool(): ReadonlyMap<string, readonly string[]> {
  const extensions = new Map<string, readonly string[]>();
  for (const { id, packageJSON } of vscode.extensions.all) {
    for (const name of declaredTools(packageJSON)) {
      extensions.set(name, [...(extensions.get(name) ?? []), id].sort());
    }
  }
  return extensions;
}

/** Cached by the manifest object, because each round of tools reads about a hundred. VS Code creates another object when an extension changes. */
const declaredNames = new WeakMap<object, readonly string[]>();

function declaredTools(manifest: unknown): readonly string[] {
  if (typeof manifest !== "object" || manifest === null) return [];
  const known = declaredNames.get(manifest);
  if (known) return known;
  const read = manifestSchema.safeParse(manifest);
  const names = (read.data?.contributes.languageModelTools ?? []).map(({ name }) => name);
  declaredNames.set(manifest, names);
  return names;
}

function fingerprint(tool: vscode.LanguageModelToolInformation & { readonly source: string | undefined }): string {
  const { name, source, description, inputSchema, tags } = tool;
  const facts = [name, source, description, inputSchema, tags];
  // The members are sorted, because a server may write its schema in another order after each start.
  const text = JSON.stringify(facts, (_key, value: unknown) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
      : value,
  );
  return createHash("sha256").update(text).digest("hex");
}

function readPart(part: unknown): ForeignContent {
  if (part instanceof vscode.LanguageModelTextPart) return { type: "text", text: part.value };
  if (part instanceof vscode.LanguageModelPromptTsxPart)
    return { type: "text", text: renderedTexts(part.value).join("") };
  if (!(part instanceof vscode.LanguageModelDataPart)) return { type: "data", mimeType: "unknown", size: 0 };
  const { mimeType, data } = part;
  if (/^text\/|[/+]json\b/.test(mimeType)) return { type: "text", text: new TextDecoder().decode(data) };
  if (mimeType.startsWith("image/")) return { type: "image", mimeType: mimeType.slice(0, 100), bytes: data };
  return { type: "data", mimeType: mimeType.slice(0, 100), size: data.length };
}

/** Warns that a tool is off because it changed. */
export async function warnOfChangedTool(name: string): Promise<void> {
  const changed = t("The tool {0} is not what it was when you switched it on, so it is off.", name);
  const choose = t("Choose Tools");
  if ((await notifyWarning(changed, choose)) === choose) await runCommand(commands.chooseTools);
}
