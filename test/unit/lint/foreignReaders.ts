/** What reads text of a gateway, an asset, a repository, a model, a page or a file, and what makes patterns at run time: by the file where it is. */
import { changedMiddle } from "../../../src/base/text/changedMiddle";
import { csvRow } from "../../../src/base/text/csv";
import { revealHidden } from "../../../src/base/text/revealHidden";
import { gitSetting } from "../../../src/base/gitSetting";
import { patternOf } from "../../../src/chat/approval/commandRule";
import { messageIn } from "../../../src/chat/request/commitRequest";
import { lineOfHit } from "../../../src/chat/storage/index/searchText";
import { oneLine } from "../../../src/chat/request/environmentText";
import { editedDocumentText } from "../../../src/chat/request/modeTexts";
import { isProjects } from "../../../src/chat/approval/projectCommands";
import { arrivingText, linesIn } from "../../../src/chat/request/editRequest";
import { cutResult } from "../../../src/chat/request/resultRoom";
import { mergeTexts } from "../../../src/chat/undo/mergeTexts";
import { firstBytes, lastBytes, cutText } from "../../../src/base/text/cutText";
import { replaceRange } from "../../../src/base/text/trackedRange";
import { createWordFilter, foldText } from "../../../src/base/text/wordFilter";
import { type AnswerEntry, type Chat, emptyChat } from "../../../src/domain/chat/chat";
import { documentSteps } from "../../../src/domain/chat/planDocument";
import { declaredName, describeUnknownTool } from "../../../src/domain/tools/calledTool";
import { findMedia } from "../../../src/gateway/families/answerMedia";
import { cleanValue } from "../../../src/gateway/families/normaliseHistory";
import { CumulativeFilter, ThinkFilter } from "../../../src/gateway/families/chatCompletionsDelta";
import { JsonBalance, describeArguments, parseArguments } from "../../../src/gateway/families/toolCallAssembly";
import { leaveOutRefused } from "../../../src/gateway/families/refusedParts";
import { ResultLines } from "../../../src/tools/base/resultLines";
import { findOmission } from "../../../src/tools/files/writeFile";
import { readPatch } from "../../../src/tools/edit/applyHunks";
import { placeCode } from "../../../src/tools/edit/placeCode";
import { takeWrittenCalls } from "../../../src/chat/session/textCalls";
import { findPattern, matchesIn } from "../../../src/domain/chat/findPattern";
import { isPrivateHost } from "../../../src/base/privateAddress";
import { mediaReferencesIn } from "../../../src/domain/task/mediaReference";
import { cutLabel } from "../../../src/domain/words/label";
import { quoteForeign } from "../../../src/domain/words/quoteForeign";
import { readErrorResponse } from "../../../src/gateway/http/serviceError";
import { createScrub } from "../../../src/gateway/scrub";
import { readSteps } from "../../../src/localGateway/demo/model/promptSteps";
import { readPlayedCalls } from "../../../src/localGateway/demo/model/plannedWork";
import { parseLooseJson } from "../../../src/base/looseJson";
import { assetUrlOf } from "../../../src/domain/gateway/assetUrl";
import { findAddresses } from "../../../src/gateway/taskWireValues";
import { readDirective, readSinglePrompt } from "../../../src/tasks/prompts/directives";
import { readFrontMatter } from "../../../src/tasks/prompts/frontMatter";
import { parsePrompts } from "../../../src/tasks/prompts/parsePrompts";
import { expandAlone, expandVariants } from "../../../src/tasks/prompts/variants";
import { findMediaReferences } from "../../../src/tasks/missing/findReferences";
import { isMediaPath, largestSize, pixelsOf } from "../../../src/tasks/missing/foundReference";
import { wantedFile } from "../../../src/tasks/missing/wantedFile";
import { readLock } from "../../../src/domain/lock/lockFile";
import { readTaskIds } from "../../../src/tasks/polling/watch";
import { readMediaType } from "../../../src/tasks/results/mediaType";
import { correctReferences } from "../../../src/tasks/results/correctReferences";
import { writeReference } from "../../../src/tasks/results/reference";
import { promptWords } from "../../../src/tasks/results/resultNames";
import { promptKey } from "../../../src/tasks/board/promptIndex";
import { PlainOutput } from "../../../src/tools/command/commandOutput";
import { posixParts, readCommandLine } from "../../../src/tools/command/readCommandLine";
import { createPreview } from "../../../src/tools/edit/changePreview";
import { reasonsOfChange, importedAddresses } from "../../../src/tools/gate/changeReasons";
import { parseIgnoreRules } from "../../../src/tools/gate/ignoreTree";
import { foldedName, listedName, nameOfListed, unusualPathReason } from "../../../src/tools/gate/pathNames";
import { findWrittenCalls } from "../../../src/chat/session/findWrittenCalls";
import { lineRange, patternAlias, placeInPath } from "../../../src/tools/base/argumentRules";
import { readArguments } from "../../../src/tools/base/defineTool";
import { isSecretPath } from "../../../src/tools/gate/sensitiveNames";
import { describeNotebook } from "../../../src/tools/edit/cells";
import { compileGlobs } from "../../../src/tools/search/globs";
import { compileSearched } from "../../../src/tools/search/lineFinder";
import { wrapWords } from "../../../src/base/text/wrapWords";
import { usableSetting } from "../../../src/vscode/usableSetting";
import { closeMarks } from "../../../src/chat/page/markdown/openMarks";
import { OpenFence } from "../../../src/chat/page/markdown/openFence";
import { readMarkdown } from "../../../src/chat/page/markdown/stream";
import { revealLine, revealName } from "../../../src/webview/hiddenCharacters";

const latin1 = (text: string): Buffer => Buffer.from(text, "latin1");
const key = "sk-0123456789abcdef";

export const foreignReaders: Readonly<Record<string, (text: string) => unknown>> = {
  "src/base/gitSetting.ts": (text) => [
    gitSetting(text, "core", "excludesfile"),
    gitSetting(`[core]\nexcludesfile = ${text}`, "core", "excludesfile"),
  ],
  "src/base/text/changedMiddle.ts": (text) => [changedMiddle(text, `${text}a${text}`), changedMiddle(`a${text}`, text)],
  "src/base/text/csv.ts": (text) => csvRow([text]),
  "src/base/text/revealHidden.ts": revealHidden,
  "src/chat/approval/projectCommands.ts": (text) =>
    ["npm", "git", "python"].map((program) =>
      isProjects({
        argv: [program, ...text.split(" ")],
        paths: { files: [], folders: [], modules: [], writable: [], foreign: [] },
      }),
    ),
  "src/chat/request/environmentText.ts": oneLine,
  "src/chat/request/modeTexts.ts": editedDocumentText,
  "src/chat/request/commitRequest.ts": messageIn,
  "src/chat/approval/commandRule.ts": (text) =>
    patternOf(["npm", text], {
      paths: { files: [], folders: [], modules: [], writable: [], foreign: [] },
      isPlainFile: () => false,
    }),
  "src/chat/storage/index/searchText.ts": (text) => lineOfHit(text, ["a"]),
  "src/chat/undo/mergeTexts.ts": (text) => mergeTexts(text, `${text}a`, text),
  "src/domain/chat/findPattern.ts": (text) =>
    [findPattern("a b"), findPattern(text.slice(0, 200))].map(
      (pattern) => pattern && Array.from(matchesIn(text, pattern)).length,
    ),
  "src/base/privateAddress.ts": isPrivateHost,
  "src/domain/task/mediaReference.ts": (text) => [
    mediaReferencesIn(text, ["a b.png"]),
    mediaReferencesIn(`${text} a.png ${text}`),
    mediaReferencesIn("a.png ".repeat(text.length / 6)),
  ],
  "src/domain/words/label.ts": cutLabel,
  "src/domain/words/quoteForeign.ts": (text) => quoteForeign(text),
  "src/gateway/http/serviceError.ts": (text) => [readError(text), readError(`<html>${text}`)],
  "src/gateway/scrub.ts": (text) => [createScrub(key).text(text), createScrub("+-+-+-+-").text(text)],
  "src/localGateway/demo/model/plannedWork.ts": readPlayedCalls,
  "src/localGateway/demo/model/promptSteps.ts": (text) => readSteps(text, ["read_file"]),
  "src/base/looseJson.ts": parseLooseJson,
  "src/gateway/taskWireValues.ts": (text) => [
    findAddresses({ image_url: text, b64_json: text }),
    findAddresses({ [text]: "a/b" }),
  ],
  "src/domain/gateway/assetUrl.ts": (text) => assetUrlOf(text, new URL("https://gateway.example/v1")),
  "src/tasks/prompts/directives.ts": (text) => [readDirective(text, 0), readSinglePrompt(text)],
  "src/tasks/prompts/frontMatter.ts": (text) => readFrontMatter(text, 0),
  "src/tasks/prompts/variants.ts": (text) => [
    expandAlone({ text, settings: {} }),
    expandVariants({ text, settings: {} }, new Map([["a", { name: "a", values: ["b"], start: 0, end: 0 }]])),
  ],
  "src/tasks/prompts/parsePrompts.ts": (text) => [
    parsePrompts(text),
    parsePrompts(`---\n${text}\n---`),
    parsePrompts(`# a\n${text}`),
  ],
  "src/tasks/missing/codeReferences.ts": (text) => [
    findMediaReferences("a.tsx", `"x.png" ${text}`),
    findMediaReferences("a.tsx", `${text} src="x.png" ${text}`),
    findMediaReferences("a.tsx", `image: "${text}", icon: "x.png ${text}"`),
  ],
  "src/tasks/missing/foundReference.ts": (text) => [
    isMediaPath(text),
    isMediaPath(`${text}.png`),
    pixelsOf(text),
    largestSize(text),
  ],
  "src/tasks/missing/htmlReferences.ts": (text) => [
    findMediaReferences("a.html", `x.png ${text}`),
    findMediaReferences("a.html", `<img src="x.png" alt="${text}" srcset="${text}" class="url(x.png) ${text}">`),
    findMediaReferences("a.vue", `x.png <style>${text}</style><script>${text}`),
  ],
  "src/tasks/missing/jsonReferences.ts": (text) => [
    findMediaReferences("manifest.json", JSON.stringify({ name: text, icons: [{ src: "x.png", sizes: text }] })),
    findMediaReferences("app.json", `{ "icon": "x.png", "${text}": 1 }`),
  ],
  "src/tasks/missing/markdownReferences.ts": (text) => [
    findMediaReferences("a.md", `x.png ${text}`),
    findMediaReferences("a.mdx", `---\n${text}\n---\n![${text}](x.png){${text}}`),
    findMediaReferences("a.md", `${text}(x.png "${text}") ${text}`),
  ],
  "src/tasks/missing/styleReferences.ts": (text) => [
    findMediaReferences("a.scss", `x.png ${text}`),
    findMediaReferences("a.scss", `${text} url(x.png) ${text} image-set(${text}`),
  ],
  "src/tasks/missing/wantedFile.ts": (text) =>
    wantedFile(`${text.slice(0, 200)}.png`, { written: "", start: 0, end: 0, use: "page", alt: text, near: text }),
  "src/domain/lock/lockFile.ts": readLock,
  "src/tasks/polling/watch.ts": readTaskIds,
  "src/tasks/results/mediaType.ts": (text) => readMediaType(latin1(text), "image/png"),
  "src/tasks/results/correctReferences.ts": (text) => [
    correctReferences(`${text}![](a.png)`, "a.png", "b.png", "mdx"),
    correctReferences(`${text}<img src="a.png">`, "a.png", "b.png", "html"),
  ],
  "src/tasks/results/reference.ts": (text) => writeReference("markdown", { path: "a.png", alt: text }),
  "src/tasks/results/resultNames.ts": promptWords,
  "src/tasks/board/promptIndex.ts": promptKey,
  "src/tools/command/commandOutput.ts": (text) => new PlainOutput().add(text),
  "src/tools/command/readCommandLine.ts": (text) => [
    posixParts(text),
    posixParts(text, false),
    readCommandLine(text, false),
    readCommandLine(text, true),
  ],
  "src/tools/gate/changeReasons.ts": (text) => [
    ["a.md", "a.html", "a.css", "package.json", "a.rs", "a.go", "a.ts"].map((path) =>
      reasonsOfChange({ file: path, before: "", after: text, preview: createPreview(path, "", "") }),
    ),
    importedAddresses(text),
    importedAddresses(text.replaceAll("/", '/*"https:')),
    importedAddresses('"https:/**/'.repeat(text.length / 11)),
  ],
  "src/tools/gate/ignoreTree.ts": (text) => parseIgnoreRules(latin1(text), false),
  "src/tools/gate/nameTable.ts": isSecretPath,
  "src/tools/gate/pathNames.ts": (text) => [
    unusualPathReason(text),
    listedName(text),
    foldedName(text),
    nameOfListed(`"${text}"`),
  ],
  "src/tools/edit/cells.ts": (text) => [
    describeNotebook(text),
    describeNotebook(JSON.stringify({ cells: [{ cell_type: "code", source: text, outputs: [{ text }] }] })),
  ],
  "src/chat/session/findWrittenCalls.ts": (text) => findWrittenCalls(text, ["read_file"]),
  "src/tools/base/argumentRules.ts": (text) =>
    readArguments(
      { properties: { text: { type: "string" }, first: { type: "integer" }, last: { type: "integer" } } },
      { rules: [patternAlias("text", "is_pattern", "pattern"), lineRange("first", "last"), placeInPath("text")] },
      { pattern: text, offset: text, lines: text },
    ),
  "src/tools/search/globs.ts": (text) => orRefusal(() => compileGlobs([text])),
  "src/tools/search/lineFinder.ts": (text) =>
    orRefusal(() => text.search(compileSearched({ text: text.slice(0, 200), isPattern: false, matchCase: false }))),
  "src/base/text/wrapWords.ts": (text) => wrapWords(text, 80),
  "src/vscode/usableSetting.ts": (text) => usableSetting("consoleUrl", text),
  "src/chat/page/markdown/openFence.ts": (text) => [
    new OpenFence({ language: "" }, "```").add(text),
    new OpenFence({ language: "" }, "`".repeat(text.length)).add(`${text}\n`),
  ],
  "src/chat/page/markdown/stream.ts": readMarkdown,
  "src/chat/page/markdown/openMarks.ts": (text) => [
    readMarkdown(`**（${text}`),
    closeMarks({ type: "paragraph", children: [{ type: "text", text }] }),
  ],
  "src/base/text/cutText.ts": (text) => [
    firstBytes(text, text.length / 2),
    lastBytes(text, text.length / 2),
    cutText(text, text.length - 1),
  ],
  "src/base/text/trackedRange.ts": (text) => replaceRange(text, { start: 1, end: 2 }, text),
  "src/base/text/wordFilter.ts": (text) => [createWordFilter(text.slice(0, 200))?.(foldText(text))],
  "src/chat/request/editRequest.ts": (text) => [
    linesIn(text, text),
    linesIn(`\`\`\`\n${text}`, `${text}\n\`\`\``),
    arrivingText(text, text),
  ],
  "src/chat/request/resultRoom.ts": (text) => cutResult({ tool: "read_file", text }, text.length / 2, () => "1"),
  "src/chat/session/textCalls.ts": (text) => {
    const answer = { type: "answer", id: "a", at: 0, state: "complete", finish: "stop", blocks: [] as unknown[] };
    const call = `<tool_call>{"name": "read_file", "arguments": ${JSON.stringify({ text })}}</tool_call>`;
    answer.blocks.push({ type: "text", block: 0, text: `${text}\n${call}` });
    const chat = { ...emptyChat("c"), entries: [{ type: "user", id: "u", at: 0, text }] } as unknown as Chat;
    return takeWrittenCalls(chat, answer as unknown as AnswerEntry, ["read_file"]);
  },
  "src/domain/chat/plan.ts": documentSteps,
  "src/domain/tools/calledTool.ts": (text) => [declaredName(text, ["read_file"]), describeUnknownTool(text, [])],
  "src/gateway/families/answerMedia.ts": (text) =>
    [{ b64_json: text }, { url: `data:${text}` }, { url: `https://${text}` }].map((part) => findMedia(part)),
  "src/gateway/families/normaliseHistory.ts": (text) => cleanValue([text]),
  "src/gateway/families/chatCompletionsDelta.ts": (text) => {
    for (const start of ["", "<think>"]) {
      const think = new ThinkFilter(ignore, ignore);
      const filter = new CumulativeFilter((piece) => think.push(piece));
      for (const piece of (start + text).match(/[^]{1,7}/g) ?? []) filter.push(piece);
      filter.flush();
      think.flush();
    }
  },
  "src/gateway/families/toolCallAssembly.ts": (text) => {
    const balance = new JsonBalance();
    for (const piece of text.match(/[^]{1,7}/g) ?? []) balance.push(piece);
    return [
      balance.balanced,
      ...[text, JSON.stringify(text)].map((given) => parseArguments(given) ?? describeArguments(given)),
    ];
  },
  "src/gateway/families/refusedParts.ts": (message) =>
    leaveOutRefused().map((rule) => rule.matches({ kind: "rejected", status: 400, message })),
  "src/tools/base/resultLines.ts": (text) => {
    const lines = new ResultLines();
    for (const line of text.match(/[^]{1,7}/g) ?? []) lines.add(line);
    return lines.text;
  },
  "src/tools/edit/changePreview.ts": (text) => [
    createPreview("a.ts", "", text),
    createPreview("a.ts", text, text.replaceAll("a", "b\n")),
  ],
  "src/tools/files/writeFile.ts": (text) => [findOmission("", text), findOmission(text, `// ${text}`)],
  // Also in the parts of a patch, and as lines of them: models that repeat themselves do so with blank lines and signs.
  "src/tools/edit/applyHunks.ts": (text) =>
    ["", "*** Begin Patch\n*** Add File: a\n+", "*** Begin Patch\n*** Update File: a\n@@\n-a\n+"].flatMap((before) =>
      [
        text,
        "\n".repeat(text.length),
        "+\n".repeat(text.length / 2),
        "*** Delete File: a\n".repeat(text.length / 19),
      ].map((body) => orRefusal(() => readPatch(before + body))),
    ),
  "src/tools/edit/placeCode.ts": (text) => [
    placeCode(text, text, { start: 0, end: 0 }),
    placeCode("a\n".repeat(text.length / 2), text.replaceAll(/.{4}/g, "a\n"), { start: 0, end: 0 }),
  ],
  "src/webview/hiddenCharacters.ts": (text) => [revealLine(text), revealName(text)],
};

function ignore(): void {
  // The pieces are not looked at.
}

/** What the rule of `modelTextReaders.ts` finds and what is not measured there, each for its reason. */
export const otherReaders: Readonly<Record<string, string>> = {
  "src/chat/request/history.ts": "It reads a whole chat, whose length the tests of long chats measure.",
  "src/gateway/families/answer.ts": "It passes text on, and looks a word up.",
  ...Object.fromEntries(
    ["chatCompletions", "generateContent", "messages"].map((family) => [
      `src/gateway/families/${family}Decoder.ts`,
      "It passes text on.",
    ]),
  ),
  "src/gateway/families/callList.ts": "It collects text, which `toolCallAssembly.ts` reads.",
  "src/tools/base/pageScaler.ts": "It passes the bytes of a picture on.",
};

function readError(text: string): unknown {
  return readErrorResponse({ status: 502, headers: { get: () => undefined }, text, now: 0 });
}

function orRefusal(read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    return error;
  }
}
