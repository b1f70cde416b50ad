/** Completion and hover in `*.prompts.md` files: keys and values of directives and front matter, and variables. */
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { type Disposable, DisposableStore } from "../../../base/disposable";
import { joinWords } from "../../../domain/words/joinWords";
import { taskOptionWords } from "../../../domain/words/taskOptionWords";
import { isTaskOption, type TaskOption } from "../../../domain/task/commonOptions";
import { cutLabel } from "../../../domain/words/label";
import type { TaskType } from "../../../domain/task/task";
import type { PromptKey, PromptOffer } from "../../prompts/offers";
import type { ModelCatalog } from "../../../gateway/modelCatalog";
import { createHover } from "../../../vscode/interface/show";
import { shownLine } from "../../../vscode/interface/shownText";
import { loadOffers } from "../submit/promptAt";

const selector: vscode.DocumentSelector = { pattern: "**/*.prompts.md" };
/** The characters before a key, a value or a name: VS Code asks for completions when one is typed. */
const triggers = ["{", ":", "=", " ", "[", ","];

/** `models`: those of the gateway in use. */
export function registerPromptHelp({ models }: Pick<ModelCatalog, "models">): Disposable {
  const store = new DisposableStore();
  const add = (item: { dispose(): unknown }): void => {
    store.add({ dispose: () => void item.dispose() });
  };
  const idsFor = (type: TaskType | undefined): readonly string[] =>
    models.current.list
      .filter(({ taskTypes = [] }) => (type === undefined ? taskTypes.length > 0 : taskTypes.includes(type)))
      .map(({ id }) => id);
  add(
    vscode.languages.registerCompletionItemProvider(
      selector,
      {
        async provideCompletionItems(document, position) {
          const { offersAt } = await loadOffers();
          const found = offersAt(document.getText(), document.offsetAt(position), idsFor);
          if (found === undefined) return undefined;
          const range = new vscode.Range(document.positionAt(found.start), position);
          return found.offers.map((offer) => itemOf(offer, range));
        },
      },
      ...triggers,
    ),
  );
  add(
    vscode.languages.registerHoverProvider(selector, {
      async provideHover(document, position) {
        const { promptWordAt } = await loadOffers();
        const found = promptWordAt(document.getText(), document.offsetAt(position));
        if (found === undefined) return undefined;
        const range = new vscode.Range(document.positionAt(found.start), document.positionAt(found.end));
        return createHover(describe(found.offer), range);
      },
    }),
  );
  return store;
}

function itemOf(offer: PromptOffer, range: vscode.Range): vscode.CompletionItem {
  const item = new vscode.CompletionItem(shownLine(offer.name), kinds[offer.kind]);
  item.range = range;
  item.insertText = offer.kind === "key" ? offer.insert : offer.name;
  if (offer.kind !== "value") item.detail = shownLine(describe(offer));
  // Once a key is inserted, its values are listed.
  if (offer.kind === "key") item.command = { command: "editor.action.triggerSuggest", title: "" };
  return item;
}

const kinds: Readonly<Record<PromptOffer["kind"], vscode.CompletionItemKind>> = {
  key: vscode.CompletionItemKind.Property,
  value: vscode.CompletionItemKind.Value,
  variable: vscode.CompletionItemKind.Variable,
};

function describe(offer: PromptOffer): string {
  if (offer.kind === "key")
    return isTaskOption(offer.name) ? taskOptionWords[offer.name].about() : keyWords[offer.name]();
  if (offer.kind === "value") return offer.name;
  const values = offer.values.map((value) => cutLabel(value, 60));
  return values.length === 0 ? t("{0} has no value.", offer.name) : joinWords(values);
}

const keyWords: Readonly<Record<Exclude<PromptKey, TaskOption>, () => string>> = {
  type: () => t("What is made"),
  model: () => t("The model, by its id; a list makes a task for each"),
  reference: () => t("A picture that it is made from: a path from this file's folder, or a URL"),
  destination: () => t("Where the result is placed: a path from this file's folder, with / at its end a folder"),
};
