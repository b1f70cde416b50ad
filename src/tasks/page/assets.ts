/** Entry of two pages that are used together, so in one bundle: the project's files that were made here, and the conversion of a picture (T17). */
import "../../webview/styles/page.css";
import "../../webview/styles/fields.css";
import "../../webview/styles/assets.css";
import { t } from "@vscode/l10n";
import type {
  AssetsPageContract,
  AssetsPageSnapshot,
  AssetAction,
  AssetRow,
  AssetsPageIntent,
  FoundAssets,
} from "../contract/assetsPageContract";
import type { ConvertPageContract, ConvertPageSnapshot } from "../contract/convertPageContract";
import type { ProjectedContract } from "../../base/pageContract";
import { nextState, startPage } from "../../webview/page";
import { ConvertPageView, savedWords } from "./convert";
import { gallerySectionBar } from "./sectionBar";
import { html, nothing, type TemplateResult } from "lit-html";
import { repeat } from "lit-html/directives/repeat.js";
import type { AssetGroup } from "../../domain/task/assetGroups";
import { cutLabel } from "../../domain/words/label";
import { plural, textLanguage } from "../../domain/words/plural";
import { createTimes, type Times } from "../../domain/words/timeFormats";
import { assetFacts, foundSummary, leftOutWords, oversizeWords } from "./assetWords";
import { groupedNumber } from "../../domain/words/sizeWords";
import { taskActionLabel } from "../../domain/words/taskActionWords";
import { describeLockState } from "../../domain/words/lockWords";
import { revealName } from "../../webview/hiddenCharacters";
import { firstClick, icon } from "../../webview/pageParts";

type Snapshot = AssetsPageSnapshot | ConvertPageSnapshot;
type Intents = AssetsPageContract["intents"] & ConvertPageContract["intents"];

function savedSince(before: Snapshot, { saved }: ConvertPageSnapshot): string | undefined {
  const known = "picture" in before ? before.saved?.at : undefined;
  return saved === undefined || saved.at === known ? undefined : savedWords(saved.files);
}

// The page of assets shows the files of the project that were made here in groups: too large, used and unused ones.

type SendAssetsIntent = (intent: AssetsPageIntent) => void;

function assetsTemplate(
  { subject, noFolder, looking, found, isChecking, lacksCheck }: AssetsPageSnapshot,
  send: SendAssetsIntent,
): TemplateResult {
  const times = createTimes(textLanguage(), Date.now());
  return html`<div class="page assets-page">
    <header>
      ${gallerySectionBar("assets", subject, (section) => send({ type: "section-open", section }))}
      <h1>${t("In This Project")}</h1>
      <div class="assets-bar">
        <p class="quiet-text" role="status">
          ${
            looking !== undefined
              ? lookingWords(looking)
              : isChecking === true
                ? t("Comparing the files with sluice.lock…")
                : summaryOf(found, times)
          }
        </p>
        ${lacksCheck === true ? checkButton(send) : nothing}
        <button
          type="button"
          class="button secondary"
          @click=${() => send({ type: looking === undefined ? "assets-look" : "assets-stop" })}
        >
          ${looking === undefined ? t("Look Again") : t("Stop")}
        </button>
      </div>
      ${found === undefined || leftOutWords(found) === "" ? nothing : html`<p class="quiet-text">${leftOutWords(found)}</p>`}
    </header>
    ${noFolder === true ? withoutFolder(send) : found === undefined ? nothing : groups(found, send, times)}
  </div>`;
}

function checkButton(send: SendAssetsIntent): TemplateResult {
  const clicked = firstClick(() => send({ type: "check-add" }));
  const title = t("Puts a program into the project that checks sluice.lock with Node alone");
  return html`<button type="button" class="link" title=${title} @click=${clicked}>${t("Add Check for CI")}</button>`;
}

function withoutFolder(send: SendAssetsIntent): TemplateResult {
  return html`<p class="missing">
    ${t("No folder is open.")}
    <button type="button" class="link" @click=${() => send({ type: "folder-open" })}>${t("Open Folder")}</button>
  </p>`;
}

function summaryOf(found: FoundAssets | undefined, times: Times): string {
  return found === undefined || found.groups.length === 0 ? "" : foundSummary(found, times);
}

function lookingWords(documents: number): string {
  if (documents === 0) return t("Looking through the project…");
  const shown = groupedNumber(documents);
  return plural(documents, { other: "Looking through the project: {0} documents so far…" }, shown);
}

function groups(found: FoundAssets, send: SendAssetsIntent, times: Times): TemplateResult | readonly TemplateResult[] {
  if (found.groups.length === 0) {
    return html`<p class="missing">
      ${t("Nothing of this project was made here yet. A result that is saved into the workspace is listed here.")}
    </p>`;
  }
  return found.groups.map(
    ({ name, rows }) =>
      html`<section aria-label=${groupName(name)}>
        <h2>${groupName(name)}<span class="quiet-text">${rows.length}</span></h2>
        <ul class="assets">
          ${repeat(
            rows,
            ({ file }) => file,
            (row) => assetRow(row, send, times),
          )}
        </ul>
      </section>`,
  );
}

function assetRow(row: AssetRow, send: SendAssetsIntent, times: Times): TemplateResult {
  const { file, path, prompt, opens, picture, uses, moreUses, actions } = row;
  const note = [describeLockState(row.locked), oversizeWords(row)].filter((words) => words !== "").join(" ");
  const others = actions.filter(isButton);
  const act = (action: AssetAction): void => send({ type: "asset-act", action, file });
  return html`<li class="asset">
    <div class="asset-picture">
      ${picture === undefined ? icon("file-media") : html`<img src=${picture} alt="" loading="lazy" decoding="async" />`}
    </div>
    <div>
      <div class="asset-path">
        ${
          actions.includes("show")
            ? html`<button type="button" class="link" title=${t("Show")} @click=${() => act("show")}>
                ${revealName(path)}
              </button>`
            : revealName(path)
        }
      </div>
      ${
        opens === undefined
          ? html`<div class="quiet-text">${t("Made on another machine")}</div>`
          : html`<button type="button" class="link" @click=${() => act(opens)}>${revealName(cutLabel(prompt))}</button>`
      }
      <div class="quiet-text">${revealName(assetFacts(row, times))}</div>
      ${note === "" ? nothing : html`<div class="asset-note">${note}</div>`}
      ${
        uses.length === 0
          ? nothing
          : html`<ul class="asset-uses" aria-label=${t("Used in")}>
              ${uses.map(
                (use, index) =>
                  html`<li>
                    <button type="button" class="link" @click=${() => send({ type: "use-open", file, use: index })}>
                      ${revealName(use)}
                    </button>
                  </li>`,
              )}
              ${moreUses === 0 ? nothing : html`<li class="quiet-text">${t("{0} more", moreUses)}</li>`}
            </ul>`
      }
    </div>
    ${others.length === 0 ? nothing : html`<div class="asset-actions">${others.map((action) => actionButton(action, act))}</div>`}
  </li>`;
}

type AssetButton = Exclude<AssetAction, "open-task" | "open-prompt" | "show">;

/** The others are the links of the row. */
function isButton(action: AssetAction): action is AssetButton {
  return action !== "open-task" && action !== "open-prompt" && action !== "show";
}

function actionButton(action: AssetButton, act: (action: AssetAction) => void): TemplateResult {
  const clicked = firstClick(() => act(action));
  return html`<button type="button" class="button secondary" @click=${clicked}>${actionLabel(action)}</button>`;
}

function actionLabel(action: AssetButton): string {
  switch (action) {
    case "make-real":
    case "convert":
      return taskActionLabel(action);
    case "make":
      return t("Make It…");
    case "make-again":
      return t("Make Again…");
    case "restore":
      return t("Restore…");
    case "keep":
      return t("Keep As It Is");
  }
}

function groupName(group: AssetGroup): string {
  switch (group) {
    case "too-large":
      return t("Larger than needed");
    case "used":
      return t("Used");
    case "unused":
      return t("Not used");
  }
}

startPage<ProjectedContract<Intents, Snapshot, Snapshot>>((actions) => {
  const convert = new ConvertPageView(actions);
  return {
    reduce: nextState,
    template: (snapshot) => ("picture" in snapshot ? convert.render(snapshot) : assetsTemplate(snapshot, actions.send)),
    // The section is that of the gallery, the choices are those of a conversion.
    saved: (snapshot) => ({
      subject: snapshot.subject,
      ...("picture" in snapshot ? {} : { section: "assets" }),
      choices: convert.choices,
    }),
    announce: (before, now) => {
      if ("picture" in now) return savedSince(before, now);
      const hasLooked = "looking" in before && now.looking === undefined;
      return hasLooked ? t("The project was looked through.") : undefined;
    },
  };
});
