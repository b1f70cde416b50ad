/** The part that is loaded with the first page of a task, a batch, the money or the usage. */
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { systemClock } from "../../base/async/systemClock";
import { DisposableStore } from "../../base/disposable";
import { cutLabel } from "../../domain/words/label";
import { dispatch } from "../../base/pageContract";
import type { MediaFormIntent } from "../contract/mediaFormPageContract";
import { gallerySubject } from "../contract/pageSections";
import { comparableIn, galleryTitle } from "./pages/galleryPage";
import { GalleryTab } from "./pages/galleryTab";
import { ConvertPage, convertTabTitle } from "./pages/convertPage";
import { batchTabTitle } from "./pages/batchPageView";
import { createWorkspaceFiles, diskFolders } from "../../tools/host/workspaceFiles";
import { createReportDocuments } from "../../vscode/interface/reportDocuments";
import { EditorTabs } from "../../vscode/editorTabs";
import { commands, internalCommands, type PageType, pageTypes } from "../../vscode/ids";
import { type MediaFormHost, MediaFormPage, mediaFormTitle } from "./pages/mediaFormPage";
import { LocalGatewayPage, localGatewayTitle } from "../../gateway/host/localGatewayPage";
import { moneyTitle, createMoneyTab } from "./pages/moneyPage";
import { TaskPage, type TaskPageOptions } from "./pages/taskPage";
import type { StoragePaths } from "../../vscode/storagePaths";
import { prefillFor } from "./missing/makeMissing";
import type { MissingPlace } from "./missing/missingHints";
import { runForTask, runForTasks } from "../../vscode/interface/runCommand";
import { notifyInformation } from "../../vscode/interface/show";
import type { TasksPart } from "./mountTasks";

export interface PagesPart {
  /** Fills a tab that VS Code kept over a reload of the window. */
  restore(type: PageType, tab: vscode.WebviewPanel, state: unknown): void;
}

export function mountPages(
  { extensionUri, subscriptions, globalState: memory }: vscode.ExtensionContext,
  part: TasksPart,
  storage: StoragePaths,
  loadMediaForm: () => Promise<MediaFormHost>,
  tokenUsage: TaskPageOptions["tokenUsage"],
): PagesPart {
  const { app, services, dialogs, log, translations } = part;
  const mounted = new DisposableStore();
  subscriptions.push(mounted);
  const { board } = app;
  const options: TaskPageOptions = {
    extensionUri,
    results: vscode.Uri.file(storage.results),
    tokenUsage,
    balances: services.balances,
    bills: services.bills,
    reports: mounted.add(createReportDocuments("sluice-evidence")),
    gatewayName: () => {
      const { current } = services.connections.current;
      return current.state === "ready" && !current.local ? new URL(current.home.origin).host : "";
    },
    board,
    clock: systemClock,
    log,
    dialogs,
    alt: { connections: part.connections, models: app.models, log },
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
      tabs["sluice.gallery"].open(batch, batchTabTitle(first?.intent.prompt));
    },
    addToForm: (intent) => {
      tabs["sluice.mediaForm"].open(mediaFormSubject, mediaFormTitle());
      loadMediaForm().then(
        ({ handlers }) => dispatch<MediaFormIntent>(handlers, intent),
        (failure: unknown) => void dialogs.showFailure(failure, "new-task"),
      );
    },
    keepChanged: async (root, path) => {
      const { keepChanged } = await import("../lock/keepChanged");
      const turn = { clock: systemClock, scratch: storage.lock };
      return await keepChanged(turn, root, path, AbortSignal.timeout(lockPatience));
    },
    openConvert: (id, width) => {
      const task = board.all.get(id);
      widths.set(id, width);
      if (task) tabs["sluice.mediaForm"].open(id, convertTabTitle(task.intent.prompt));
    },
  };
  /** Widths in pixels that are proposed for a conversion, by the task's id. */
  const widths = new Map<string, number | undefined>();
  let gallery: GalleryTab | undefined;
  const tabs: Readonly<Record<PageType, EditorTabs>> = {
    "sluice.task": mounted.add(new EditorTabs(pageTypes.task, (tab, id) => new TaskPage(tab, id, options))),
    "sluice.money": mounted.add(
      new EditorTabs(pageTypes.money, (tab, _subject, state) => createMoneyTab(tab, state, options)),
    ),
    "sluice.gallery": mounted.add(
      new EditorTabs(pageTypes.gallery, (tab, subject, state) => {
        const shown = new GalleryTab(tab, subject, state, options);
        if (subject === gallerySubject) gallery = shown;
        return shown;
      }),
    ),
    "sluice.mediaForm": mounted.add(
      // Any other subject is the id of the task whose picture is converted.
      new EditorTabs(pageTypes.mediaForm, (tab, subject) =>
        subject === mediaFormSubject
          ? new MediaFormPage(tab, loadMediaForm(), options)
          : new ConvertPage(tab, subject, options, { width: widths.get(subject), memory }),
      ),
    ),
    "sluice.localGateway": mounted.add(
      new EditorTabs(
        pageTypes.localGateway,
        (tab) => new LocalGatewayPage(tab, { ...options, startLocal: () => services.local.start() }),
      ),
    ),
  };
  registerPageCommands(part, options, tabs, mounted, {
    compare: (ids) => gallery?.compare(ids),
    loadForm: loadMediaForm,
  });
  return { restore: (type, tab, state) => tabs[type].restore(tab, state) };
}

/** Milliseconds in which a click may wait for another window that writes the lock. */
const lockPatience = 10_000;

/** The subject of the form, of which there is one. */
const mediaFormSubject = "mediaForm";

const isUri = (one: unknown): one is vscode.Uri => one instanceof vscode.Uri;

/** The place that the quick fix for a missing file passes to the command. */
function placeIn(argument: unknown): MissingPlace | undefined {
  if (typeof argument !== "object" || argument === null || !("missing" in argument)) return undefined;
  return argument.missing as MissingPlace;
}

interface ShownPages {
  /** Compares results in the gallery, once that is open. */
  readonly compare: (ids: readonly string[]) => void;
  readonly loadForm: () => Promise<MediaFormHost>;
}

function registerPageCommands(
  { app, dialogs, tree, missing }: TasksPart,
  options: TaskPageOptions,
  tabs: Readonly<Record<PageType, EditorTabs>>,
  mounted: DisposableStore,
  { compare, loadForm }: ShownPages,
): void {
  const { board } = app;
  mounted.add(
    dialogs.register(commands.openTask, (...args) => {
      for (const id of tree.chosenIds(args)) options.openTask(id);
    }),
  );
  mounted.add(
    dialogs.register(internalCommands.openBatch, (...args) => {
      const batches = tree.chosenIds(args).flatMap((id) => board.all.get(id)?.intent.batch ?? []);
      for (const batch of new Set(batches)) options.openBatch(batch);
    }),
  );
  mounted.add(dialogs.register(commands.showMoney, () => tabs["sluice.money"].open("money", moneyTitle())));
  const openGallery = (): void => tabs["sluice.gallery"].open(gallerySubject, galleryTitle());
  mounted.add(
    dialogs.register(commands.openGallery, async (...args) => {
      const [clicked, selected] = args;
      const isOfSeveral = Array.isArray(selected) && selected.length > 1;
      // VS Code also passes the focused row, or null, to an entry of the title menu, so a row without a batch opens all results.
      const [first] = clicked ? tree.chosenIds(args) : [];
      const task = first === undefined ? undefined : board.all.get(first);
      if (isOfSeveral) await runForTasks(internalCommands.compareResults, tree.chosenIds(args));
      else if (task?.intent.batch !== undefined) await runForTask(internalCommands.openBatch, task.intent.id);
      else openGallery();
    }),
  );
  mounted.add(
    dialogs.register(internalCommands.compareResults, (...args) => {
      const ids = comparableIn(board, tree.chosenIds(args));
      if (ids === undefined) return;
      openGallery();
      compare(ids);
    }),
  );
  mounted.add(
    dialogs.register(commands.newTask, async (...args) => {
      const [clicked, selected, choice] = args;
      const place = placeIn(clicked);
      if (place !== undefined) {
        const prefill = prefillFor(missing()?.missingFromSamePicture(place) ?? [], place.document);
        // The page is filled in when it is first shown.
        if (prefill !== undefined) (await loadForm()).prefill(prefill);
      }
      const task = choice === "task" ? tree.chosenId(args) : undefined;
      if (choice === "task" && task === undefined) {
        void notifyInformation(t("This task is no longer on the list."));
        return;
      }
      if (task !== undefined && !(await (await loadForm()).fillFromTask(task))) return;
      tabs["sluice.mediaForm"].open(mediaFormSubject, mediaFormTitle());
      if (choice === "results") await (await loadForm()).addResults(tree.chosenIds(args));
      // VS Code also passes the focused row to the button in the title of the view, although the click does not mean that row.
      if (!(clicked instanceof vscode.Uri)) return;
      const form = await loadForm();
      if (choice === "marks") await form.fillFrom(clicked);
      else form.addFiles(Array.isArray(selected) ? selected.filter(isUri) : [clicked]);
    }),
  );
  mounted.add(
    dialogs.register(internalCommands.convertResult, (...args) => {
      // Each conversion opens a tab, so only the clicked one of several selected rows is converted.
      const id = tree.chosenId(args);
      if (id !== undefined) options.openConvert(id);
    }),
  );
  const showLocal = (): void => tabs["sluice.localGateway"].open("localGateway", localGatewayTitle());
  mounted.add(dialogs.register(commands.showLocalGateway, showLocal));
}
