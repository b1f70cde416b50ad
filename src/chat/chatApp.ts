/** Assembles the chats without VS Code: sessions, tools and undo ledgers. Everything from outside is passed in. */
import { abortable } from "../base/async/abort";
import { once, onceNow } from "../base/async/serialQueue";
import type { Disposable } from "../base/disposable";
import { isProjects } from "./approval/projectCommands";
import { type GrantRules, openGrantRules } from "./approval/grantRules";
import { ChangeLedgers } from "./undo/changeLedger";
import { LedgerFiles } from "./undo/ledgerFiles";
import { ChatSession } from "./session/session";
import { ChatSessions, type ChatSessionsOptions } from "./storage/chatSessions";
import { ImageFolder } from "./storage/imageFolder";
import { SessionFolder } from "./storage/sessionFolder";
import type { ChildProcesses } from "../domain/tools/childProcesses";
import type {
  EditorPort,
  ScaleImage,
  ForeignToolPort,
  Terminals,
  PlacePort,
  PagePort,
  WebPort,
} from "../domain/tools/toolPorts";
import type { Connections } from "../domain/ports";
import type { Environment } from "../domain/environment";
import type { TaskPort } from "../domain/task/taskPort";
import type { SandboxState } from "../domain/tools/sandbox";
import type { Tool } from "../domain/tools/tool";
import type { Workspace } from "../domain/tools/workspace";
import type { ModelCatalog } from "../gateway/modelCatalog";
import { attachFiles, type ConfirmAttachment, type ListProblems, untrustedImage } from "../tools/attachFiles";
import { BackgroundProcesses } from "../tools/command/backgroundProcesses";
import { realRoots } from "../tools/command/confinedCommand";
import { FilesOfCommands } from "../tools/command/ownOutput";
import { createForeignTools } from "../tools/foreignTools";
import { KeptResults, readResult } from "../tools/readResult";
import { filePolicyOf } from "../tools/gate/changeReasons";
import { areTracked } from "../tools/gate/trackedFiles";
import { OpenedFiles } from "../tools/gate/openedFiles";
import { ParallelSearch } from "../tools/search/parallelSearch";
import { declareTaskModels } from "../tools/tasks/taskModels";
import { chatTaskTools } from "../tools/tasks/taskToolNames";
import { createTools, type ToolOptions } from "../tools/tools";
import { openWorkspaceContext } from "./session/workspaceContext";
import { editOutcomes, returnsTakenBack } from "./undo/editOutcomes";
import type { AskedOutcomes } from "../domain/chat/editOutcome";

export interface ChatAppOptions extends Pick<Environment, "clock" | "log" | "settings"> {
  readonly connections: Connections;
  readonly models: ModelCatalog;
  /** The tasks as tools may use them; called with the first chat. */
  readonly openTaskPort: () => Promise<TaskPort>;
  readonly workspace: Workspace;
  /** Runs commands; loaded with the tools. */
  readonly loadProcesses: () => Promise<ChildProcesses>;
  readonly terminals: Terminals;
  /** The bundle of `program.ts`. */
  readonly searchProgram: string;
  /** The parts of the editor that the tools use; loaded with them. */
  readonly loadEditor: () => Promise<EditorPort>;
  /** The foreign tools that the person has switched on. */
  readonly loadForeignTools: () => Promise<ForeignToolPort>;
  /** Asks before an attached file that may hold a secret is sent to the model. */
  readonly confirmAttachment: ConfirmAttachment;
  /** The problems that the editor has for a file, or of the whole workspace. */
  readonly listProblems: ListProblems;
  /** The editor and the settings of the person, which describe where the chats work. */
  readonly loadPlace: () => Promise<PlacePort>;
  /** Scales images that tools return. */
  readonly scaleImage: ScaleImage;
  /** Reads pages of the internet; loaded with the tools. */
  readonly loadWeb: () => Promise<WebPort>;
  /** Draws pages of this machine, where a browser is installed. */
  readonly loadPages: () => Promise<PagePort | undefined>;
  /** Whether a chat's model is asked for its title. */
  readonly makesTitles: () => boolean;
  /** Folders on this machine. */
  readonly storage: { readonly chats: string; readonly rules: string };
  readonly shownChat: ChatSessionsOptions["shownMemory"];
  readonly quotedTexts: ChatSessionsOptions["quotedMemory"];
}

/** The folders on the disk that the chats of all windows share. */
export interface ChatFolders {
  readonly sessions: SessionFolder;
  /** The changes of files by tools. Those of a chat are deleted with its session. */
  readonly ledgers: LedgerFiles;
  /** Images that were attached or returned by tools. */
  readonly images: ImageFolder;
}

export interface ChatApp extends Disposable {
  readonly folders: ChatFolders;
  /** The chats of this window. The tools are loaded with the first call. */
  openChats(): Promise<ChatSessions>;
  /** The rules for what runs without a question in this window. */
  openRules(): Promise<GrantRules>;
  /** The commands of the model that run in the background; loaded with the chats. */
  openBackground(): Promise<BackgroundProcesses>;
  /** Whether commands of the model run in a sandbox here. */
  sandbox(): Promise<SandboxState>;
  /** The changes of files by tools, by chat; loaded with the chats. */
  openLedgers(): Promise<ChangeLedgers>;
  /** Ends the running command of that id and opens a terminal for it. The call has reported the id. Nothing happens once the command has ended. */
  moveCommand(id: string): void;
  /** Ends the turns and finishes what is being written. */
  close(): Promise<void>;
}

export function createChatApp(options: ChatAppOptions): ChatApp {
  let loaded: LoadedChats | undefined;
  const moves = new Map<string, () => void>();
  const rules = onceNow(() => openGrantRules(options.storage.rules, options.workspace, options.clock));
  const folders = openFolders(options.storage.chats);
  const load = once(
    async () => (loaded = await loadChats(options, folders, await options.openTaskPort(), moves, rules())),
  );
  const dispose = (): void => {
    loaded?.chats.dispose();
    loaded?.background.dispose();
  };
  return {
    folders,
    openChats: async () => (await load()).chats,
    openLedgers: async () => (await load()).ledgers,
    openBackground: async () => (await load()).background,
    sandbox: async () => (await load()).sandbox(),
    openRules: () => Promise.resolve(rules()),
    moveCommand: (id) => moves.get(id)?.(),
    dispose,
    async close() {
      dispose();
      await Promise.all([loaded?.chats.close(), loaded?.background.close()]);
    },
  };
}

function openFolders(chats: string): ChatFolders {
  const ledgers = LedgerFiles.nextTo(chats);
  return {
    sessions: new SessionFolder(chats, (id) => ledgers.forget(id)),
    ledgers,
    images: ImageFolder.beside(chats),
  };
}

interface LoadedChats {
  readonly chats: ChatSessions;
  readonly ledgers: ChangeLedgers;
  readonly background: BackgroundProcesses;
  readonly sandbox: () => Promise<SandboxState>;
}

/** Opens the chat that this window shows. */
async function loadChats(
  options: ChatAppOptions,
  { sessions: folder, ledgers: kept, images }: ChatFolders,
  tasks: TaskPort,
  moves: ToolOptions["moves"],
  rules: GrantRules,
): Promise<LoadedChats> {
  const { connections, models, clock, log, settings, shownChat } = options;
  const opened = new OpenedFiles(options.workspace);
  const workspace: Workspace = { ...options.workspace, wasThere: opened.wasThere };
  await opened.look();
  const made = new FilesOfCommands(workspace);
  const results = new KeptResults();
  const background = new BackgroundProcesses(clock);
  const processes = await options.loadProcesses();
  const tools = await openTools({ ...options, workspace }, processes, tasks, moves, results, made, background);
  const ledgers = openLedgers(options, kept, folder);
  const filePolicy = filePolicyOf(workspace);
  const mayQuote = async (path: string): Promise<boolean> =>
    !filePolicy.isSecret(path) && (await areTracked(workspace, [path]));
  const workspaceContext = openWorkspaceContext({ workspace, clock, log, place: await options.loadPlace() });
  const chats = await ChatSessions.open({
    folder,
    clock,
    log,
    shownMemory: shownChat,
    quotedMemory: options.quotedTexts,
    workspace: () => workspace.roots()[0]?.path,
    isInUse: (chat) => background.runningIn(chat) > 0,
    createSession: (stored, storage) => {
      const inLedger = ledgers.changesIn(stored.id);
      const wrote = async (path: string): Promise<boolean> => (await inLedger.wrote(path)) || made.has(path);
      const changes = {
        ...inLedger,
        wrote,
        outcomes: async (asked: AskedOutcomes) => {
          try {
            const ledger = ledgers.of(stored.id);
            // Another window may have kept or taken back some of the edits.
            await ledger.load();
            return await editOutcomes(ledger, asked, mayQuote);
          } catch (error) {
            log.warn("What became of the edits of a chat could not be read.", { message: String(error) });
            return [];
          }
        },
      };
      const declare = declareTaskModels(tasks, chatTaskTools.submit);
      return new ChatSession(
        {
          connections,
          clock,
          log,
          storage,
          model: (choice, signal) => connections.ready(signal).then(() => abortable(models.chatModel(choice), signal)),
          tools: (model) => (model.tools === false ? [] : declare(tools())),
          attach: (references, signal) =>
            attachFiles(workspace, references, options.confirmAttachment, signal, options.listProblems, changes.wrote),
          readImage: (id) => images.read(id),
          untrustedImage: (path, id, signal) => untrustedImage(workspace, path, id, signal, changes.wrote),
          guard: {
            rules,
            files: {
              ...filePolicy,
              areTracked: (files) => areTracked(workspace, files),
              returnsTakenBack: (change) => returnsTakenBack(ledgers.of(stored.id), change).catch(() => true),
            },
            log,
          },
          keepResult: results.keep,
          fallbackOf: (model) => models.fallbackOf(model),
          learnWithoutTools: (model, origin) => models.learnWithoutTools(model, origin),
          learnContextSize: (model, tokens, origin) => models.learnContextSize(model, tokens, origin),
          settings,
          makesTitles: options.makesTitles,
          changes,
          workspaceContext,
        },
        stored,
      );
    },
  });
  chats.onDidChange(() => background.endOthers((chat) => chats.open.has(chat)));
  background.onDidChange(() => chats.closeUnused());
  return { chats, ledgers, background, sandbox: async () => processes.sandbox(await realRoots(workspace)) };
}

async function openTools(
  options: ChatAppOptions,
  processes: ChildProcesses,
  tasks: TaskPort,
  moves: ToolOptions["moves"],
  results: KeptResults,
  made: FilesOfCommands,
  background: BackgroundProcesses,
): Promise<() => readonly Tool[]> {
  const { workspace, terminals, searchProgram, clock, scaleImage } = options;
  const search = new ParallelSearch(searchProgram);
  const [editor, foreign, web, pages] = await Promise.all([
    options.loadEditor(),
    options.loadForeignTools(),
    options.loadWeb(),
    options.loadPages(),
  ]);
  const shared = { workspace, clock, terminals, results, made, scaleImage, background };
  const own = createTools({ ...shared, tasks, processes, search, editor, moves, isProjects, web, pages });
  const reader = readResult(results);
  const names = new Set([...own, reader].map(({ declaration }) => declaration.name));
  const foreignTools = createForeignTools(foreign, names, results, scaleImage);
  return () => {
    const tools = [...(workspace.roots().length > 0 ? own : []), ...foreignTools()];
    return tools.length > 0 ? [...tools, reader] : [];
  };
}

/** Opens the ledgers. In the background it removes those of chats without a file whose last write is long ago. */
function openLedgers(
  { workspace, clock, log }: ChatAppOptions,
  kept: LedgerFiles,
  folder: SessionFolder,
): ChangeLedgers {
  void kept
    .collect((chat) => folder.has(chat), clock.now())
    .catch((error: unknown) => log.warn("Old changes could not be removed.", { message: String(error) }));
  return new ChangeLedgers({ storeOf: (chat) => kept.storeOf(chat), workspace, clock, log });
}
