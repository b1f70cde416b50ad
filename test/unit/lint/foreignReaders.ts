/** What reads text of a gateway, an asset, a repository, a model, a page or a file, and what makes patterns at run time: by the file where it is. */
import { csvRow } from "../../../src/base/text/csv";
import { revealHidden } from "../../../src/base/text/revealHidden";
import { gitSetting } from "../../../src/base/gitSetting";
import { patternOf } from "../../../src/chat/approval/commandShapes";
import { messageIn } from "../../../src/chat/request/commitRequest";
import { lineOfHit } from "../../../src/chat/storage/index/searchText";
import { mergeTexts } from "../../../src/chat/undo/mergeTexts";
import { findPattern, matchesIn } from "../../../src/domain/chat/findPattern";
import { isPrivateHost } from "../../../src/base/privateAddress";
import { mediaReferencesIn } from "../../../src/domain/task/mediaReference";
import { cutLabel } from "../../../src/domain/words/label";
import { quoteForeign } from "../../../src/domain/words/quoteForeign";
import { readErrorResponse } from "../../../src/gateway/http/errorResponse";
import { createScrub } from "../../../src/gateway/key/scrub";
import { readingsOf } from "../../../src/gateway/key/unescapeText";
import { readSteps } from "../../../src/localGateway/demo/model/promptSteps";
import { readPlayedCalls } from "../../../src/localGateway/demo/model/playedCalls";
import { parseLooseJson } from "../../../src/base/looseJson";
import { assetUrlOf } from "../../../src/domain/gateway/assetUrl";
import { findAddresses } from "../../../src/gateway/tasks/resultAddresses";
import { readDirective } from "../../../src/tasks/prompts/directives";
import { readFrontMatter } from "../../../src/tasks/prompts/frontMatter";
import { parsePrompts } from "../../../src/tasks/prompts/parsePrompts";
import { readSinglePrompt } from "../../../src/tasks/prompts/takeDirectives";
import { expandAlone, expandPrompt } from "../../../src/tasks/prompts/variants";
import { readTaskIds } from "../../../src/tasks/polling/watch";
import { readMediaType } from "../../../src/tasks/results/mediaType";
import { correctReferences, writeReference } from "../../../src/tasks/results/reference";
import { promptWords } from "../../../src/tasks/results/sidecar";
import { promptKey } from "../../../src/tasks/board/promptIndex";
import { PlainOutput } from "../../../src/tools/command/plainOutput";
import { posixParts } from "../../../src/tools/command/posixWords";
import { readCommandLine } from "../../../src/tools/command/readCommandLine";
import { createPreview } from "../../../src/tools/edit/changePreview";
import { reasonsOfChange } from "../../../src/tools/gate/changeReasons";
import { importedAddresses } from "../../../src/tools/gate/importedAddresses";
import { parseIgnoreRules } from "../../../src/tools/gate/ignoreRules";
import { listedName, oddityOf } from "../../../src/tools/gate/pathNames";
import { findWrittenCalls } from "../../../src/chat/textCalls/findWrittenCalls";
import { lineRange, patternAlias, placeInPath } from "../../../src/tools/base/argumentRules";
import { readArguments } from "../../../src/tools/base/readArguments";
import { isSecretPath } from "../../../src/tools/gate/sensitiveNames";
import { describeNotebook } from "../../../src/tools/edit/cells";
import { compileGlobs } from "../../../src/tools/search/globs";
import { compileSearched } from "../../../src/tools/search/lineFinder";
import { wrapWords } from "../../../src/base/text/wrapWords";
import { usableSetting } from "../../../src/vscode/settings/usableSetting";
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
  "src/base/text/csv.ts": (text) => csvRow([text]),
  "src/base/text/revealHidden.ts": revealHidden,
  "src/chat/request/commitRequest.ts": messageIn,
  "src/chat/approval/commandShapes.ts": (text) =>
    patternOf(["npm", text], { files: [], folders: [], modules: [], writable: [], foreign: [] }),
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
  "src/gateway/http/errorFields.ts": (text) => readError(`<html>${text}`),
  "src/gateway/http/errorResponse.ts": readError,
  "src/gateway/key/scrub.ts": (text) => [createScrub(key).text(text), createScrub("+-+-+-+-").text(text)],
  "src/gateway/key/unescapeText.ts": (text) => [...readingsOf(text)].length,
  "src/localGateway/demo/model/playedCalls.ts": readPlayedCalls,
  "src/localGateway/demo/model/promptSteps.ts": (text) => readSteps(text, ["read_file"]),
  "src/base/looseJson.ts": parseLooseJson,
  "src/gateway/tasks/resultAddresses.ts": (text) => [
    findAddresses({ image_url: text, b64_json: text }),
    findAddresses({ [text]: "a/b" }),
  ],
  "src/domain/gateway/assetUrl.ts": (text) => assetUrlOf(text, new URL("https://gateway.example/v1")),
  "src/tasks/prompts/directives.ts": (text) => readDirective(text, 0),
  "src/tasks/prompts/frontMatter.ts": (text) => readFrontMatter(text, 0),
  "src/tasks/prompts/takeDirectives.ts": readSinglePrompt,
  "src/tasks/prompts/variants.ts": (text) => [
    expandAlone({ text, settings: {} }),
    expandPrompt({ text, settings: {} }, [{ name: "a", values: ["b"], start: 0, end: 0 }]),
  ],
  "src/tasks/prompts/parsePrompts.ts": (text) => [
    parsePrompts(text),
    parsePrompts(`---\n${text}\n---`),
    parsePrompts(`# a\n${text}`),
  ],
  "src/tasks/polling/watch.ts": readTaskIds,
  "src/tasks/results/mediaType.ts": (text) => readMediaType(latin1(text), "image/png"),
  "src/tasks/results/reference.ts": (text) => [
    correctReferences(text, "a.png", "b.png"),
    writeReference("markdown", { path: "a.png", alt: text }),
  ],
  "src/tasks/results/sidecar.ts": promptWords,
  "src/tasks/board/promptIndex.ts": promptKey,
  "src/tools/command/plainOutput.ts": (text) => new PlainOutput().add(text),
  "src/tools/command/posixWords.ts": (text) => [posixParts(text), posixParts(text, false)],
  "src/tools/command/readCommandLine.ts": (text) => [readCommandLine(text, false), readCommandLine(text, true)],
  "src/tools/gate/changeReasons.ts": (text) =>
    ["a.md", "a.html", "a.css", "package.json", "a.rs", "a.go", "a.ts"].map((path) =>
      reasonsOfChange({ file: path, before: "", after: text, preview: createPreview(path, "", "") }),
    ),
  "src/tools/gate/importedAddresses.ts": (text) => [
    importedAddresses(text),
    importedAddresses(text.replaceAll("/", '/*"https:')),
    importedAddresses('"https:/**/'.repeat(text.length / 11)),
  ],
  "src/tools/gate/ignoreRules.ts": (text) => parseIgnoreRules(latin1(text), false),
  "src/tools/gate/nameTable.ts": isSecretPath,
  "src/tools/gate/pathNames.ts": (text) => [oddityOf(text), listedName(text)],
  "src/tools/edit/cells.ts": (text) => [
    describeNotebook(text),
    describeNotebook(JSON.stringify({ cells: [{ cell_type: "code", source: text, outputs: [{ text }] }] })),
  ],
  "src/chat/textCalls/findWrittenCalls.ts": (text) => findWrittenCalls(text, ["read_file"]),
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
  "src/vscode/settings/usableSetting.ts": (text) => usableSetting("consoleUrl", text),
  "src/chat/page/markdown/openFence.ts": (text) => [
    new OpenFence({ language: "" }, "```").add(text),
    new OpenFence({ language: "" }, "`".repeat(text.length)).add(`${text}\n`),
  ],
  "src/chat/page/markdown/stream.ts": readMarkdown,
  "src/webview/hiddenCharacters.ts": (text) => [revealLine(text), revealName(text)],
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
