/** The providers of the extension for documents: lenses, hovers, completions, code actions, drops and pastes, diagnostics. */
import path from "node:path";
import { isDeepStrictEqual } from "node:util";
import type * as vscode from "vscode";
import { neverCancelled } from "./documents";
import { EventEmitter } from "./events";
import { isInPattern } from "./files";
import type { Changes } from "./wire";

interface Provided<Provider> {
  readonly selector: vscode.DocumentSelector;
  readonly provider: Provider;
}

class Registry<Provider> {
  readonly #all = new Set<Provided<Provider>>();

  add(selector: vscode.DocumentSelector, provider: Provider): vscode.Disposable {
    const entry = { selector, provider };
    this.#all.add(entry);
    return { dispose: () => void this.#all.delete(entry) };
  }

  for(document: vscode.TextDocument, folders: readonly vscode.WorkspaceFolder[]): Provider[] {
    return [...this.#all]
      .filter(({ selector }) => isSelected(selector, document, folders))
      .map(({ provider }) => provider);
  }
}

function isSelected(
  selector: vscode.DocumentSelector,
  { uri, languageId }: vscode.TextDocument,
  folders: readonly vscode.WorkspaceFolder[],
): boolean {
  const filters = (Array.isArray(selector) ? selector : [selector]) as readonly (string | vscode.DocumentFilter)[];
  return filters.some((filter) => {
    if (typeof filter === "string") return filter === "*" || filter === languageId;
    const { scheme, language, pattern } = filter;
    if (scheme !== undefined && scheme !== "*" && scheme !== uri.scheme) return false;
    if (language !== undefined && language !== "*" && language !== languageId) return false;
    if (pattern === undefined) return true;
    // A pattern of a selector is for the whole path, in any folder.
    return typeof pattern === "string"
      ? path.matchesGlob(uri.path, pattern)
      : isInPattern(uri.fsPath, pattern, folders);
  });
}

export class Languages {
  readonly #folders: () => readonly vscode.WorkspaceFolder[];
  readonly #changes: Changes;
  readonly #lenses = new Registry<vscode.CodeLensProvider>();
  /** The lenses of each provider for the document that was looked at last, until it reports that it has others, or the text changes. */
  readonly #givenLenses = new Map<vscode.CodeLensProvider, readonly vscode.CodeLens[]>();
  #lensesOf = "";
  /** How often providers have reported that they have other lenses. */
  lensChanges = 0;
  readonly #hovers = new Registry<vscode.HoverProvider>();
  readonly #completions = new Registry<vscode.CompletionItemProvider>();
  readonly #actions = new Registry<vscode.CodeActionProvider>();
  readonly #drops = new Registry<vscode.DocumentDropEditProvider>();
  readonly #pastes = new Registry<vscode.DocumentPasteEditProvider>();
  readonly #diagnostics = new Map<
    string,
    Map<string, { readonly uri: vscode.Uri; readonly all: readonly vscode.Diagnostic[] }>
  >();
  readonly diagnosticsChanged = new EventEmitter<vscode.DiagnosticChangeEvent>();

  constructor(folders: () => readonly vscode.WorkspaceFolder[], changes: Changes) {
    this.#folders = folders;
    this.#changes = changes;
  }

  registerLenses(selector: vscode.DocumentSelector, provider: vscode.CodeLensProvider): vscode.Disposable {
    const listening = provider.onDidChangeCodeLenses?.(() => {
      this.lensChanges += 1;
      this.#givenLenses.delete(provider);
      this.#changes.note();
    });
    const registration = this.#lenses.add(selector, provider);
    this.#changes.note();
    return {
      dispose: () => {
        listening?.dispose();
        registration.dispose();
        this.#givenLenses.delete(provider);
      },
    };
  }
  registerHovers(selector: vscode.DocumentSelector, provider: vscode.HoverProvider): vscode.Disposable {
    return this.#hovers.add(selector, provider);
  }
  registerCompletions(selector: vscode.DocumentSelector, provider: vscode.CompletionItemProvider): vscode.Disposable {
    return this.#completions.add(selector, provider);
  }
  registerActions(selector: vscode.DocumentSelector, provider: vscode.CodeActionProvider): vscode.Disposable {
    return this.#actions.add(selector, provider);
  }
  registerDrops(selector: vscode.DocumentSelector, provider: vscode.DocumentDropEditProvider): vscode.Disposable {
    return this.#drops.add(selector, provider);
  }
  registerPastes(selector: vscode.DocumentSelector, provider: vscode.DocumentPasteEditProvider): vscode.Disposable {
    return this.#pastes.add(selector, provider);
  }

  /** The lenses of a document, resolved, by their lines. As in VS Code no provider is asked again while the same text is looked at. */
  async lenses(document: vscode.TextDocument): Promise<vscode.CodeLens[]> {
    const { uri, languageId, version } = document;
    const seen = [uri.toString(), languageId, version].join(" ");
    if (this.#lensesOf !== seen) this.#givenLenses.clear();
    this.#lensesOf = seen;
    const all: vscode.CodeLens[] = [];
    for (const provider of this.#lenses.for(document, this.#folders())) {
      const given = this.#givenLenses.get(provider) ?? (await this.#askForLenses(provider, document));
      all.push(...given);
    }
    return all.sort((one, other) => one.range.start.compareTo(other.range.start));
  }

  /** Forgets the lenses, as after an edit: the next look asks the providers again. */
  forgetLenses(): void {
    this.#givenLenses.clear();
  }

  async #askForLenses(
    provider: vscode.CodeLensProvider,
    document: vscode.TextDocument,
  ): Promise<readonly vscode.CodeLens[]> {
    const before = this.lensChanges;
    const given: vscode.CodeLens[] = [];
    for (const lens of (await provider.provideCodeLenses(document, neverCancelled)) ?? []) {
      const resolved = lens.command ? lens : await provider.resolveCodeLens?.(lens, neverCancelled);
      given.push(resolved ?? lens);
    }
    if (before === this.lensChanges) this.#givenLenses.set(provider, given);
    return given;
  }

  async hovers(document: vscode.TextDocument, position: vscode.Position): Promise<vscode.Hover[]> {
    const all: vscode.Hover[] = [];
    for (const provider of this.#hovers.for(document, this.#folders())) {
      const hover = await provider.provideHover(document, position, neverCancelled);
      if (hover) all.push(hover);
    }
    return all;
  }

  async completions(
    document: vscode.TextDocument,
    position: vscode.Position,
    triggerCharacter?: string,
  ): Promise<vscode.CompletionItem[]> {
    const context = {
      triggerKind: triggerCharacter === undefined ? 0 : 1,
      triggerCharacter,
    } as vscode.CompletionContext;
    const all: vscode.CompletionItem[] = [];
    for (const provider of this.#completions.for(document, this.#folders())) {
      const found = await provider.provideCompletionItems(document, position, neverCancelled, context);
      if (found) all.push(...("items" in found ? found.items : found));
    }
    return all;
  }

  async actions(
    document: vscode.TextDocument,
    range: vscode.Range | vscode.Selection,
  ): Promise<(vscode.CodeAction | vscode.Command)[]> {
    const diagnostics = this.of(document.uri).filter((one) => one.range.intersection(range) !== undefined);
    const context: vscode.CodeActionContext = { triggerKind: 1, diagnostics, only: undefined };
    const all: (vscode.CodeAction | vscode.Command)[] = [];
    for (const provider of this.#actions.for(document, this.#folders())) {
      all.push(...((await provider.provideCodeActions(document, range, context, neverCancelled)) ?? []));
    }
    return all;
  }

  async drop(
    document: vscode.TextDocument,
    position: vscode.Position,
    transfer: vscode.DataTransfer,
  ): Promise<vscode.DocumentDropEdit[]> {
    const all: vscode.DocumentDropEdit[] = [];
    for (const provider of this.#drops.for(document, this.#folders())) {
      const found = await provider.provideDocumentDropEdits(document, position, transfer, neverCancelled);
      if (found) all.push(...(Array.isArray(found) ? found : [found]));
    }
    return all;
  }

  async paste(
    document: vscode.TextDocument,
    ranges: readonly vscode.Range[],
    transfer: vscode.DataTransfer,
  ): Promise<vscode.DocumentPasteEdit[]> {
    const all: vscode.DocumentPasteEdit[] = [];
    const context = { only: undefined, triggerKind: 0 } as vscode.DocumentPasteEditContext;
    for (const provider of this.#pastes.for(document, this.#folders())) {
      all.push(
        ...((await provider.provideDocumentPasteEdits?.(document, ranges, transfer, context, neverCancelled)) ?? []),
      );
    }
    return all;
  }

  /** Sets what a language extension, or this one, finds in a document. */
  setDiagnostics(owner: string, uri: vscode.Uri, diagnostics: readonly vscode.Diagnostic[]): void {
    const known =
      this.#diagnostics.get(owner) ??
      new Map<string, { readonly uri: vscode.Uri; readonly all: readonly vscode.Diagnostic[] }>();
    this.#diagnostics.set(owner, known);
    const before = known.get(uri.toString())?.all ?? [];
    if (diagnostics.length === 0) known.delete(uri.toString());
    else known.set(uri.toString(), { uri, all: diagnostics });
    this.diagnosticsChanged.fire({ uris: [uri] });
    // Each look at lenses has the extension set the same diagnostics again, which is no change.
    if (!isDeepStrictEqual(before, diagnostics)) this.#changes.note();
  }

  of(uri: vscode.Uri): vscode.Diagnostic[] {
    return [...this.#diagnostics.values()].flatMap((owner) => owner.get(uri.toString())?.all ?? []);
  }

  get all(): [vscode.Uri, vscode.Diagnostic[]][] {
    const uris = new Map(
      [...this.#diagnostics.values()].flatMap((owner) => [...owner].map(([key, { uri }]) => [key, uri] as const)),
    );
    return [...uris.values()].map((uri) => [uri, this.of(uri)]);
  }

  createCollection(name = ""): vscode.DiagnosticCollection {
    const owned = (): ReadonlyMap<string, { readonly uri: vscode.Uri; readonly all: readonly vscode.Diagnostic[] }> =>
      this.#diagnostics.get(name) ?? new Map();
    const clear = (): void => {
      for (const { uri } of [...owned().values()]) this.setDiagnostics(name, uri, []);
    };
    return {
      name,
      set: (
        where: vscode.Uri | readonly [vscode.Uri, readonly vscode.Diagnostic[] | undefined][],
        diagnostics?: readonly vscode.Diagnostic[],
      ) => {
        if ("scheme" in where) this.setDiagnostics(name, where, diagnostics ?? []);
        else for (const [uri, all] of where) this.setDiagnostics(name, uri, all ?? []);
      },
      delete: (uri) => this.setDiagnostics(name, uri, []),
      get: (uri) => owned().get(uri.toString())?.all,
      has: (uri) => owned().has(uri.toString()),
      ...{ clear, dispose: clear },
      forEach: (callback) => {
        for (const { uri, all } of owned().values()) callback(uri, all, this.createCollection(name));
      },
      *[Symbol.iterator]() {
        for (const { uri, all } of owned().values()) yield [uri, all] as [vscode.Uri, readonly vscode.Diagnostic[]];
      },
    };
  }
}
