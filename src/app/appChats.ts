/** What the product's chats are made of, loaded with the first use of a chat: sessions, tools, undo ledgers. */
import { abortable } from "../base/async/abort";
import type { MonotonicClock } from "../base/clock";
import { isProjects } from "../chat/guard/coverage";
import type { GrantRules } from "../chat/guard/grantRules";
import { ChangeLedgers } from "../chat/ledger/changeLedgers";
import { LedgerFolder } from "../chat/ledger/ledgerFolder";
import { ChatSession } from "../chat/session";
import { ChatSessions, type ChatSessionsPorts } from "../chat/sessions/chatSessions";
import { ImageFolder } from "../chat/sessions/imageFolder";
import { SessionFolder } from "../chat/sessions/sessionFolder";
import type { ChildProcesses } from "../domain/tools/childProcesses";
import type { EditorPort } from "../domain/tools/editorPort";
import type { ScaleImage } from "../domain/tools/imagePort";
import type { ForeignToolPort } from "../domain/tools/foreignToolPort";
import type { Connections, Log } from "../domain/ports";
import type { PriceList } from "../domain/prices/priceList";
import type { TaskPort } from "../domain/task/taskPort";
import type { Terminals } from "../domain/tools/terminalPort";
import type { SandboxState } from "../domain/tools/sandbox";
import type { PlacePort } from "../domain/tools/placePort";
import type { Tool } from "../domain/tools/tool";
import type { PagePort, WebPort } from "../domain/tools/webPort";
import type { Workspace } from "../domain/tools/workspace";
import type { ModelCatalog } from "../models/modelCatalog";
import { attachFiles, type ConfirmAttachment, type ListProblems, untrustedImage } from "../tools/attachFiles";
import { BackgroundProcesses } from "../tools/command/backgroundProcesses";
import { realRoots } from "../tools/command/confinedCommand";
import { MadeFiles } from "../tools/command/madeFiles";
import { createForeignTools } from "../tools/foreignTools";
import { KeptResults } from "../tools/keptResults";
import { readResult } from "../tools/readResult";
import { filePolicy } from "../tools/gate/filePolicy";
import { OpenedFiles } from "../tools/gate/openedFiles";
import { ParallelSearch } from "../tools/search/parallelSearch";
import { declareTaskModels } from "../tools/tasks/taskModels";
import { chatTaskTools } from "../tools/tasks/taskToolNames";
import { createTools, type ToolPorts } from "../tools/tools";
import { createSurroundings } from "./surroundings";

export { openGrantRules } from "../chat/guard/ruleFiles";
export { readDocuments } from "../tools/search/readDocuments";

export interface AppChatPorts {
  readonly connections: Connections;
  readonly workspace: Workspace;
  /** Runs commands; loaded with the tools. */
  readonly loadProcesses: () => Promise<ChildProcesses>;
  readonly terminals: Terminals;
  /** The bundle of `searchProgram.ts`. */
  readonly searchProgram: string;
  /** What the tools ask of the editor; loaded with them. */
  readonly loadEditor: () => Promise<EditorPort>;
  /** The tools of others that the person has switched on. */
  readonly loadForeignTools: () => Promise<ForeignToolPort>;
  /** Asks before an attached file goes to the model that may hold a secret. */
  readonly confirmAttachment: ConfirmAttachment;
  /** The problems that the editor has for a file, or of the whole workspace. */
  readonly listProblems: ListProblems;
  /** What the editor and the person give of where the chats work. */
  readonly loadPlace: () => Promise<PlacePort>;
  /** For images that tools return. */
  readonly scaleImage: ScaleImage;
  /** Reads pages of the internet; loaded with the tools. */
  readonly loadWeb: () => Promise<WebPort>;
  /** Draws pages of this machine, where a browser is installed. */
  readonly loadPages: () => Promise<PagePort | undefined>;
  readonly clock: MonotonicClock;
  readonly log: Log;
  /** The settings `sluice.caps.tokensPerChat`, `sluice.caps.roundsPerTurn` and `sluice.summarizeChats`. */
  readonly tokensPerChat: () => number;
  /** The settings `sluice.caps.moneyPerChat`, and `sluice.prices` in `sluice.currency`. */
  readonly moneyPerChat: () => number;
  readonly prices: () => PriceList;
  readonly roundsPerTurn: () => number;
  readonly summarizes: () => boolean;
  /** The setting `sluice.titleChats`. */
  readonly makesTitles: () => boolean;
  /** Folders on this machine. */
  readonly storage: { readonly chats: string; readonly rules: string };
  readonly shownChat: ChatSessionsPorts["shownMemory"];
}

export interface LoadedChats {
  readonly chats: ChatSessions;
  readonly ledgers: ChangeLedgers;
  readonly background: BackgroundProcesses;
  readonly sandbox: () => Promise<SandboxState>;
}

/** Opens the chat that this window shows. */
export async function openAppChats(
  ports: AppChatPorts,
  models: ModelCatalog,
  tasks: TaskPort,
  moves: ToolPorts["moves"],
  rules: GrantRules,
): Promise<LoadedChats> {
  const { connections, clock, log, shownChat, storage: paths } = ports;
  const opened = new OpenedFiles(ports.workspace);
  const workspace: Workspace = { ...ports.workspace, wasThere: opened.wasThere };
  await opened.look();
  const made = new MadeFiles(workspace);
  const results = new KeptResults();
  const background = new BackgroundProcesses(clock);
  const processes = await ports.loadProcesses();
  const tools = await openTools({ ...ports, workspace }, processes, tasks, moves, results, made, background);
  const images = ImageFolder.beside(paths.chats);
  const folder = new SessionFolder(paths.chats);
  const ledgers = openLedgers(ports, folder);
  const surroundings = createSurroundings({ workspace, clock, log, place: await ports.loadPlace() });
  const chats = await ChatSessions.open({
    folder,
    clock,
    log,
    shownMemory: shownChat,
    workspace: () => workspace.roots()[0]?.path,
    isInUse: (chat) => background.runningIn(chat) > 0,
    createSession: (stored, storage) => {
      const inLedger = ledgers.changesIn(stored.id);
      const wrote = async (path: string): Promise<boolean> => (await inLedger.wrote(path)) || made.has(path);
      const changes = { ...inLedger, wrote };
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
            attachFiles(workspace, references, ports.confirmAttachment, signal, ports.listProblems, changes.wrote),
          readImage: (id) => images.read(id),
          untrustedImage: (path, id, signal) => untrustedImage(workspace, path, id, signal, changes.wrote),
          guard: { rules, files: filePolicy, log },
          keepResult: results.keep,
          learnWithoutTools: (model) => models.learnWithoutTools(model),
          learnContextSize: (model, tokens) => models.learnContextSize(model, tokens),
          tokensPerChat: ports.tokensPerChat,
          moneyPerChat: ports.moneyPerChat,
          prices: ports.prices,
          roundsPerTurn: ports.roundsPerTurn,
          summarizes: ports.summarizes,
          makesTitles: ports.makesTitles,
          changes,
          surroundings,
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
  ports: AppChatPorts,
  processes: ChildProcesses,
  tasks: TaskPort,
  moves: ToolPorts["moves"],
  results: KeptResults,
  made: MadeFiles,
  background: BackgroundProcesses,
): Promise<() => readonly Tool[]> {
  const { workspace, terminals, searchProgram, clock, scaleImage } = ports;
  const search = new ParallelSearch(searchProgram);
  const [editor, foreign, web, pages] = await Promise.all([
    ...([ports.loadEditor(), ports.loadForeignTools()] as const),
    ...([ports.loadWeb(), ports.loadPages()] as const),
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

/** Meanwhile the ledgers of chats that are gone are removed from the disk. */
function openLedgers(ports: AppChatPorts, folder: SessionFolder): ChangeLedgers {
  const { workspace, clock, log, storage } = ports;
  const kept = LedgerFolder.beside(storage.chats);
  void kept
    .collect((chat) => folder.has(chat), clock.now())
    .catch((error: unknown) => log.warn("Old changes could not be removed.", { message: String(error) }));
  return new ChangeLedgers({ storeOf: (chat) => kept.storeOf(chat), workspace, clock, log });
}
