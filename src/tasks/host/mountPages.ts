/** The part that is loaded with the first page of a task, a batch, the money or the usage. */
import * as vscode from "vscode";
import { systemClock } from "../../base/async/systemClock";
import { DisposableStore } from "../../base/disposable";
import { cutLabel } from "../../domain/words/label";
import { BatchPage } from "./pages/batchPage";
import { comparableIn, GalleryPage, galleryTitle } from "./pages/galleryPage";
import { AssetsPage, assetsTitle } from "./pages/assetsPage";
import { ConvertPage, convertTabTitle } from "./pages/convertPage";
import { batchTabTitle } from "./pages/batchPageView";
import { diskFolders } from "../../tools/host/toolRoots";
import { EditorTabs } from "../../vscode/editorTabs";
import { commands, type PageType, pageTypes } from "../../vscode/ids";
import { type MediaFormHost, MediaFormPage, mediaFormTitle } from "./pages/mediaFormPage";
import { LocalGatewayPage, localGatewayTitle } from "../../gateway/host/local/localGatewayPage";
import { MoneyPage, moneyTitle } from "./pages/moneyPage";
import { TaskPage, type TaskPagePorts } from "./pages/taskPage";
import { UsagePage, usageTitle } from "./pages/usagePage";
import type { StoragePaths } from "../../vscode/storagePaths";
import { createWorkspaceFiles } from "../../tools/host/workspaceFiles";
import type { TasksPart } from "./mountTasks";

export interface PagesPart {
  /** Fills a tab that VS Code kept over a reload of the window. */
  restore(type: PageType, tab: vscode.WebviewPanel, state: unknown): void;
}

export function mountPages(
  { extensionUri, subscriptions }: vscode.ExtensionContext,
  part: TasksPart,
  storage: StoragePaths,
  loadMediaForm: () => Promise<MediaFormHost>,
  tokenUsage: TaskPagePorts["tokenUsage"],
): PagesPart {
  const { app, services, dialogs, log, translations } = part;
  const mounted = new DisposableStore();
  subscriptions.push(mounted);
  const { board } = app;
  const ports: TaskPagePorts = {
    extensionUri,
    results: vscode.Uri.file(storage.results),
    tokenUsage,
    board,
    clock: systemClock,
    log,
    dialogs,
    translations,
    loadEvents: (id) => app.loadEvents(id),
    saveResult: (id, request) => app.saveResult(id, request),
    awaitsResult: (task) => app.fetcher.awaits(task),
    readDocuments: async (request) => {
      const { readDocuments } = await import("../../tools/search/readDocuments");
      return readDocuments({ ...createWorkspaceFiles(), roots: diskFolders }, request);
    },
    resultsFolder: () => services.settings.resultsFolder(),
    settings: services.settings,
    openTask: (id) => {
      const task = board.all.get(id);
      if (task) tabs["sluice.task"].open(id, cutLabel(task.intent.prompt));
    },
    openBatch: (batch) => {
      const first = [...board.all.values()].find(({ intent }) => intent.batch === batch);
      tabs["sluice.batch"].open(batch, batchTabTitle(first?.intent.prompt));
    },
    openConvert: (id, width) => {
      const task = board.all.get(id);
      widths.set(id, width);
      if (task) tabs["sluice.convert"].open(id, convertTabTitle(task.intent.prompt));
    },
  };
  /** Proposed for a conversion, by the task's id. */
  const widths = new Map<string, number | undefined>();
  let gallery: GalleryPage | undefined;
  const tabs: Readonly<Record<PageType, EditorTabs>> = {
    "sluice.task": mounted.add(new EditorTabs(pageTypes.task, (tab, id) => new TaskPage(tab, id, ports))),
    "sluice.batch": mounted.add(new EditorTabs(pageTypes.batch, (tab, id) => new BatchPage(tab, id, ports))),
    "sluice.money": mounted.add(
      new EditorTabs(pageTypes.money, (tab, _subject, state) => new MoneyPage(tab, state, ports)),
    ),
    "sluice.usage": mounted.add(
      new EditorTabs(pageTypes.usage, (tab, _subject, state) => new UsagePage(tab, state, ports)),
    ),
    "sluice.gallery": mounted.add(new EditorTabs(pageTypes.gallery, (tab) => (gallery = new GalleryPage(tab, ports)))),
    "sluice.mediaForm": mounted.add(
      new EditorTabs(pageTypes.mediaForm, (tab) => new MediaFormPage(tab, loadMediaForm(), ports)),
    ),
    "sluice.assets": mounted.add(new EditorTabs(pageTypes.assets, (tab) => new AssetsPage(tab, ports))),
    "sluice.convert": mounted.add(
      new EditorTabs(pageTypes.convert, (tab, id) => new ConvertPage(tab, id, ports, widths.get(id))),
    ),
    "sluice.localGateway": mounted.add(
      new EditorTabs(
        pageTypes.localGateway,
        (tab) => new LocalGatewayPage(tab, { ...ports, startLocal: () => services.local.start() }),
      ),
    ),
  };
  registerPageCommands(part, ports, tabs, mounted, {
    compare: (ids) => gallery?.compare(ids),
    addToForm: async (ids) => (await loadMediaForm()).addResults(ids),
  });
  return { restore: (type, tab, state) => tabs[type].restore(tab, state) };
}

interface ShownPages {
  /** In the gallery, once that is open. */
  readonly compare: (ids: readonly string[]) => void;
  readonly addToForm: (ids: readonly string[]) => Promise<void>;
}

function registerPageCommands(
  { app, dialogs, tree }: TasksPart,
  ports: TaskPagePorts,
  tabs: Readonly<Record<PageType, EditorTabs>>,
  mounted: DisposableStore,
  { compare, addToForm }: ShownPages,
): void {
  const { board } = app;
  mounted.add(
    dialogs.register(commands.openTask, (...args) => {
      for (const id of tree.chosenIds(args)) ports.openTask(id);
    }),
  );
  mounted.add(
    dialogs.register(commands.openBatch, (...args) => {
      const batches = tree.chosenIds(args).flatMap((id) => board.all.get(id)?.intent.batch ?? []);
      for (const batch of new Set(batches)) ports.openBatch(batch);
    }),
  );
  mounted.add(dialogs.register(commands.showMoney, () => tabs["sluice.money"].open("money", moneyTitle())));
  mounted.add(dialogs.register(commands.showUsage, () => tabs["sluice.usage"].open("usage", usageTitle())));
  const openGallery = (): void => tabs["sluice.gallery"].open("gallery", galleryTitle());
  mounted.add(dialogs.register(commands.openGallery, openGallery));
  mounted.add(
    dialogs.register(commands.compareResults, (...args) => {
      const ids = comparableIn(board, tree.chosenIds(args));
      if (ids === undefined) return;
      openGallery();
      compare(ids);
    }),
  );
  mounted.add(
    dialogs.register(commands.openMediaForm, async (...args) => {
      tabs["sluice.mediaForm"].open("mediaForm", mediaFormTitle());
      // The title menu passes no argument; `chosenIds` would then return the selected rows, which are not meant.
      if (args[0] !== undefined) await addToForm(tree.chosenIds(args));
    }),
  );
  mounted.add(dialogs.register(commands.openAssets, () => tabs["sluice.assets"].open("assets", assetsTitle())));
  mounted.add(
    dialogs.register(commands.convertResult, (...args) => {
      // A tab each: of many selected rows the first is meant.
      for (const id of tree.chosenIds(args).slice(0, 1)) ports.openConvert(id);
    }),
  );
  const showLocal = (): void => tabs["sluice.localGateway"].open("localGateway", localGatewayTitle());
  mounted.add(dialogs.register(commands.showLocalGateway, showLocal));
}
