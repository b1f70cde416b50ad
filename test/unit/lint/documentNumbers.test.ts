/** The numbers that documents for users state are those of the code, and none is stated that is not compared here. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import * as z from "zod/mini";
import { subjectNames } from "../../../src/localGateway/demo/drawing/subjects";

const textOf = (file: string): string => readFileSync(file, "utf8");
const inSource = (file: string, pattern: RegExp): string => {
  const found = pattern.exec(textOf(file))?.[1];
  assert.ok(found !== undefined, `${file}: ${String(pattern)}`);
  return found;
};

/** The number of `const name`, or with `name.key` of a property of that constant: the product that its source says. */
function numberIn(file: string, name: string): number {
  const [constant = "", key] = name.split(".");
  const value = inSource(file, new RegExp(`\\bconst ${constant}(?::[^=]+)? = ([^;]+);`));
  const product = key === undefined ? value : (new RegExp(`\\b${key}: ([^,}]+)`).exec(value)?.[1] ?? "");
  return product.split(" * ").reduce((result, factor) => {
    const digits = factor.trim().replaceAll("_", "");
    if (/^[\d.]+$/.test(digits)) return result * Number(digits);
    return result * numberIn(file, digits);
  }, 1);
}

const kilobyte = 1024;
const megabyte = 1024 ** 2;
const minute = 60 * 1000;
const day = 24 * 60 * minute;

/** Seconds of all waits of a request that meets an overloaded gateway. */
function overloadPatience(): number {
  const of = (key: string): number => numberIn("src/gateway/stream/retryDelay.ts", `long.${key}`);
  const waits = Array.from({ length: of("retries") }, (_, at) => Math.min(of("first") * 2 ** at, of("longest")));
  return waits.reduce((sum, wait) => sum + wait, 0) / 1000;
}

const manifest = z
  .object({
    version: z.string(),
    engines: z.object({ vscode: z.string() }),
    contributes: z.object({ languageModelTools: z.array(z.unknown()) }),
  })
  .parse(JSON.parse(textOf("package.json")));
const taskTools = manifest.contributes.languageModelTools.length;
const compared = numberIn("src/tasks/contract/galleryPageContract.ts", "maxCompared");

/** By document: what it states, with the number in the place of `{}`. */
const stated: Readonly<Record<string, readonly (readonly [text: string, value: number | string])[]>> = {
  "README.md": [
    ["VS Code {} or newer", manifest.engines.vscode.replace(/^\^|\.0$/g, "")],
    ["Node.js {} or newer", inSource("CONTRIBUTING.md", /Node\.js (\d+)/)],
  ],
  "CHANGELOG.md": [
    ["## {} (unreleased)", manifest.version],
    ["3 styles and 4 seeds are {} variants", 12],
    ["at most {} rows", 8],
    ["2 to {} results are compared", compared],
    ["also at {}×", 2],
  ],
  "docs/safety.md": [
    ["until {} days have passed without a use", numberIn("src/chat/approval/grantRules.ts", "ruleLifetime") / day],
    ["covers {} more tasks", numberIn("src/chat/approval/coverage.ts", "taskAllowance")],
    // Overlays for namespaces of users are in the kernel from this version on.
    ["Linux {} or newer", "5.11"],
    ["the first {} changes", numberIn("src/tools/command/applyCopy.ts", "shownBounds.changes")],
    ["{} % of the memory", Number(inSource("src/tools/command/childProcesses.ts", /totalmem\(\) \* ([\d.]+)/)) * 100],
    ["{} processes", numberIn("src/tools/command/childProcesses.ts", "commandLimits.processes")],
    ["{} GB of the disk", Number(inSource("src/tools/command/childProcesses.ts", /written: (\d+) \* gigabyte/))],
    ["for {} days", numberIn("src/tools/sandbox/workspaceCopy.ts", "apartAge") / day],
    ["after {} hour without output", numberIn("src/tools/command/backgroundProcesses.ts", "idleLimit") / (60 * minute)],
    ["Over {} MB in all", numberIn("src/chat/undo/ledgerFolder.ts", "sizeCap") / megabyte],
    ["Files over {} MB", numberIn("src/chat/undo/fileContent.ts", "contentCap") / megabyte],
    ["read up to {} MB", numberIn("src/tools/fetchUrl.ts", "bounds.bytes") / megabyte],
    ["and {} s.", numberIn("src/tools/fetchUrl.ts", "bounds.time") / 1000],
    ["the {} tools for tasks", taskTools],
  ],
  "docs/chat.md": [
    ["for about {} s", overloadPatience()],
    ["up to {} MB each", numberIn("src/domain/chat/imageTypes.ts", "imageSizeCap") / megabyte],
    ["up to {} choices", inSource("src/tools/askPerson.ts", /minLength\(2\), z\.maxLength\((\d+)\)/)],
    ["or press {} to leave it", 0],
    ["Up to {} readers", numberIn("src/chat/session/explore.ts", "readerCap")],
    ["up to {} results of a call", numberIn("src/tools/tasks/taskModels.ts", "maxCopies")],
    ["at most {} % of what is left", numberIn("src/chat/request/resultRoom.ts", "share") * 100],
    ["is cut at {} KB", numberIn("src/tools/context/findInstructions.ts", "bounds.each") / kilobyte],
    ["all of them at {} KB", numberIn("src/tools/context/findInstructions.ts", "bounds.all") / kilobyte],
    ["Up to {} files of a folder", numberIn("src/tools/context/findPromptFiles.ts", "promptFileBounds.files")],
  ],
  "docs/tasks.md": [
    ["3 styles × 4 seeds, so {} tasks", 12],
    ["at most {} variants", numberIn("src/tasks/prompts/directives.ts", "maxValues")],
    ["count (up to {})", numberIn("src/domain/task/mediaFields.ts", "maxMediaCount")],
    ["{} variants, another model", numberIn("src/tasks/host/submit/taskDraft.ts", "variantCount")],
    ["compare 2 to {}", compared],
    ["at {}× if you like", 2],
    ["over {} KB", numberIn("src/domain/task/assetGroups.ts", "heavy") / 1000],
    ["from {} subjects", subjectNames.length],
  ],
  "docs/agents.md": [
    ["find {} tools", taskTools],
    ["shows 2 to {} results", numberIn("src/tools/tasks/lookAtTasks.ts", "maxCompared")],
    ["After {} questions", numberIn("src/agents/mcp/mcpCalls.ts", "patience")],
  ],
  "docs/models.md": [
    ["a limit: {}, or more", numberIn("src/gateway/families/messages/request.ts", "leastLimit")],
    // The services say so of their caches.
    ["keep for {} minutes", 5],
    ["kept on this machine for {} days", numberIn("src/agents/models/answerCache.ts", "oldest") / day],
    // Versions that were tried.
    ["VS Code 1.106 to {} do not say", "1.117"],
  ],
  "SECURITY.md": [["for {} days", numberIn("src/agents/models/answerCache.ts", "oldest") / day]],
  "SUPPORT.md": [],
  "docs/gateways.md": [],
  "docs/network.md": [["used for {} day", numberIn("src/gateway/http/network/transport.ts", "maxMemory") / day]],
};

/** Without code, pictures, addresses, names on screen and the numbers of lists. */
function proseOf(markdown: string): string {
  return markdown
    .replaceAll(/^ *```[\s\S]*?^ *```/gm, "")
    .replaceAll(/<picture>[\s\S]*?<\/picture>/g, "")
    .replaceAll(/`[^`\n]*`/g, "code")
    .replaceAll(/\]\([^)\s]*\)/g, "]")
    .replaceAll(/_[^_\n]+_/g, "name")
    .replaceAll(/^\s*\d+\. /gm, "")
    .replaceAll("127.0.0.1", "")
    .replaceAll(/ +/g, " ");
}

describe("numbers in documents", () => {
  it("V5: each number that a document for users states is the one of the code", () => {
    const wrong = Object.entries(stated).flatMap(([file, rows]) => {
      const prose = proseOf(textOf(file));
      return rows
        .map(([text, value]) => text.replace("{}", String(value)))
        .filter((text) => !prose.includes(text))
        .map((text) => `${file}: ${text}`);
    });
    assert.deepEqual(wrong, []);
  });

  it("V5: no document for users states a number that is not compared", () => {
    const unknown = Object.entries(stated).flatMap(([file, rows]) => {
      const rest = rows.reduce(
        (prose, [text, value]) => prose.replace(text.replace("{}", String(value)), ""),
        proseOf(textOf(file)),
      );
      return (rest.match(/.{0,30}(?<![\w.])\d.{0,20}/g) ?? []).map((found) => `${file}: ${found}`);
    });
    assert.deepEqual(unknown, []);
  });
});
