/** The numbers that documents for users state are those of the code, and none is stated that is not compared here. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { globSync } from "tinyglobby";
import * as z from "zod/mini";
import { requestTimeouts } from "../../../src/domain/gateway/requestTimeouts";
import { settingIds } from "../../../src/domain/settingTable";
import { subjectNames } from "../../../src/localGateway/demo/drawing/subjects";

const textOf = (file: string): string => readFileSync(file, "utf8");

/** What the one place below that folder, or in that file, has for the first group. */
function inSource(place: string, pattern: RegExp): string {
  const files = /\.m(?:d|js)$/.test(place) ? [place] : globSync(`${place}/**/*.ts`);
  const found = files.flatMap((file) => [...textOf(file).matchAll(pattern)].map(([, value = ""]) => value));
  assert.equal(found.length, 1, `${place} has ${found.length} places of ${String(pattern)}`);
  return found[0] ?? "";
}

/** The number of `const name`, or with `name.key` of a property of that constant: the product that its source says. No other constant of the folder has the name. */
function numberIn(folder: string, name: string): number {
  const [constant = "", key] = name.split(".");
  const value = inSource(folder, new RegExp(`\\bconst ${constant}(?::[^=]+)? = ([^;]+);`, "g"));
  const product = key === undefined ? value : (new RegExp(`\\b${key}: ([^,}]+)`).exec(value)?.[1] ?? "");
  return product.split(" * ").reduce((result, factor) => {
    const digits = factor.trim().replaceAll("_", "");
    return result * (/^[\d.]+$/.test(digits) ? Number(digits) : numberIn(folder, digits));
  }, 1);
}

const kilobyte = 1024;
const megabyte = 1024 ** 2;
const minute = 60 * 1000;
const day = 24 * 60 * minute;

/** Seconds of all waits of a request that meets an overloaded gateway. */
function overloadPatience(): number {
  const of = (key: string): number => numberIn("src/gateway", `longPatience.${key}`);
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
const compared = (): number => numberIn("src/tasks", "maxCompared");

/** By document: what it states, with the number in the place of `{}`. */
const stated = (): Readonly<Record<string, readonly (readonly [text: string, value: number | string])[]>> => ({
  "README.md": [
    ["VS Code {} or newer", manifest.engines.vscode.replace(/^\^|\.0$/g, "")],
    ["Node.js {} or newer", inSource("CONTRIBUTING.md", /Node\.js (\d+)/g)],
  ],
  "CHANGELOG.md": [
    ["## {} (unreleased)", manifest.version],
    ["3 styles and 4 seeds are {} variants", 12],
    ["at most {} rows", 8],
    ["2 to {} results are compared", compared()],
    ["also at {}×", 2],
    ["There are {} settings", settingIds.length],
  ],
  "docs/safety.md": [
    ["until {} days have passed without a use", numberIn("src/chat", "ruleLifetime") / day],
    ["covers {} more tasks", numberIn("src/chat", "taskAllowance")],
    // Overlays for namespaces of users are in the kernel from this version on.
    ["Linux {} or newer", "5.11"],
    ["the first {} changes", numberIn("src/tools", "shownBounds.changes")],
    ["{} % of the memory", Number(inSource("src/tools", /memory: Math\.max\(totalmem\(\) \* ([\d.]+)/g)) * 100],
    ["{} processes", numberIn("src/tools", "commandLimits.processes")],
    ["{} GB of the disk", Number(inSource("src/tools", /written: (\d+) \* gigabyte/g))],
    ["for {} days", numberIn("src/tools", "apartAge") / day],
    ["after {} hour without output", numberIn("src/tools", "idleLimit") / (60 * minute)],
    ["Over {} MB in all", numberIn("src/chat", "sizeCap") / megabyte],
    ["a chat without messages it is kept for {} days", numberIn("src/chat", "maxAgeWithoutChat") / day],
    ["Files over {} MB", numberIn("src/chat", "contentCap") / megabyte],
    ["read up to {} MB", numberIn("src/tools", "pageBounds.bytes") / megabyte],
    ["and {} s.", numberIn("src/tools", "pageBounds.time") / 1000],
    ["the {} tools for tasks", taskTools],
  ],
  "docs/chat.md": [
    ["for about {} s", overloadPatience()],
    ["up to {} MB each", numberIn("src/domain", "imageSizeCap") / megabyte],
    ["up to {} choices", inSource("src/tools", /minLength\(2\), z\.maxLength\((\d+)\), z\.describe\("2 to/g)],
    ["or press {} to leave it", 0],
    ["Up to {} readers", numberIn("src/chat", "readerCap")],
    ["up to {} results of a call", numberIn("src/tools", "maxCopies")],
    ["at most {} % of what is left", numberIn("src/chat", "resultShare") * 100],
    ["is cut at {} KB", numberIn("src/tools", "instructionBounds.each") / kilobyte],
    ["all of them at {} KB", numberIn("src/tools", "instructionBounds.all") / kilobyte],
    ["Up to {} files of a folder", numberIn("src/tools", "promptFileBounds.files")],
  ],
  "docs/tasks.md": [
    ["3 styles × 4 seeds, so {} tasks", 12],
    ["at most {} variants", numberIn("src/tasks", "maxValues")],
    ["count (up to {})", numberIn("src/domain", "maxMediaCount")],
    ["{} variants, another model", numberIn("src/tasks", "variantCount")],
    ["compare 2 to {}", compared()],
    ["at {}× if you like", 2],
    ["over {} KB", numberIn("src/domain", "heavy") / 1000],
    ["add at most {} KB", numberIn("src/domain", "maxMarkBytes") / kilobyte],
    ["from {} subjects", subjectNames.length],
    ["It needs Node {} or newer", inSource("esbuild.mjs", /splitting: false, target: "node(\d+)"/g)],
  ],
  "docs/agents.md": [
    ["find {} tools", taskTools],
    ["shows 2 to {} results", numberIn("src/tools", "maxCompared")],
    ["After {} questions", numberIn("src/agents", "maxUnansweredQuestions")],
  ],
  "docs/models.md": [
    ["a limit: {}, or more", numberIn("src/gateway", "leastLimit")],
    // The services say so of their caches.
    ["keep for {} minutes", 5],
    ["kept on this machine for {} days", numberIn("src/agents", "oldest") / day],
    // Versions that were tried.
    ["VS Code 1.106 to {} do not say", "1.117"],
  ],
  "SECURITY.md": [["for {} days", numberIn("src/agents", "oldest") / day]],
  "SUPPORT.md": [],
  "docs/gateways.md": [],
  "docs/network.md": [
    ["used for {} day", numberIn("src/gateway", "maxMemory") / day],
    ["a connection | {} s", requestTimeouts.connect / 1000],
    ["response | {} minutes", requestTimeouts.firstByte / minute],
    ["of a stream | {} minutes", requestTimeouts.silence / minute],
  ],
});

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
    const wrong = Object.entries(stated()).flatMap(([file, rows]) => {
      const prose = proseOf(textOf(file));
      return rows
        .map(([text, value]) => text.replace("{}", String(value)))
        .filter((text) => !prose.includes(text))
        .map((text) => `${file}: ${text}`);
    });
    assert.deepEqual(wrong, []);
  });

  it("V5: no document for users states a number that is not compared", () => {
    const unknown = Object.entries(stated()).flatMap(([file, rows]) => {
      const rest = rows.reduce(
        (prose, [text, value]) => prose.replace(text.replace("{}", String(value)), ""),
        proseOf(textOf(file)),
      );
      return (rest.match(/.{0,30}(?<![\w.])\d.{0,20}/g) ?? []).map((found) => `${file}: ${found}`);
    });
    assert.deepEqual(unknown, []);
  });
});
