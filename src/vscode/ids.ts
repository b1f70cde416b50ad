/** The ids that package.json and the code share, which a test compares, and those that only the code has. */

/** The commands of package.json, which a person can find by their titles. */
export const commands = {
  connectGateway: "sluice.gateway.connect",
  chooseGateway: "sluice.gateway.choose",
  showLocalGateway: "sluice.gateway.showLocal",
  topUpLocalGateway: "sluice.gateway.topUp",
  setKey: "sluice.key.set",
  checkConnection: "sluice.connection.check",
  newTask: "sluice.task.new",
  submitSelection: "sluice.task.submitSelection",
  submitPrompt: "sluice.task.submitPrompt",
  finishEditing: "sluice.task.finishEditing",
  tryAgain: "sluice.task.tryAgain",
  makeMore: "sluice.task.makeMore",
  openResult: "sluice.task.openResult",
  saveIntoWorkspace: "sluice.task.saveIntoWorkspace",
  saveResult: "sluice.task.saveResult",
  replaceAsset: "sluice.task.replaceAsset",
  copyResultPath: "sluice.task.copyResultPath",
  copyOther: "sluice.task.copy",
  cancelTask: "sluice.task.cancel",
  cancelOfPrompt: "sluice.task.cancelOfPrompt",
  reconcile: "sluice.task.reconcile",
  sendAgain: "sluice.task.sendAgain",
  removeTask: "sluice.task.remove",
  showMoney: "sluice.task.showMoney",
  watchTask: "sluice.task.watch",
  refreshTasks: "sluice.task.refresh",
  viewTasks: "sluice.task.view",
  clearFinished: "sluice.task.clearFinished",
  openSample: "sluice.task.openSample",
  openTask: "sluice.task.open",
  openGallery: "sluice.gallery.open",
  focusComposer: "sluice.chat.focusComposer",
  newChat: "sluice.chat.new",
  chatHistory: "sluice.chat.history",
  manageChat: "sluice.chat.manage",
  chooseModel: "sluice.chat.chooseModel",
  chooseTools: "sluice.chat.chooseTools",
  newPromptFile: "sluice.chat.newPromptFile",
  addToChat: "sluice.chat.add",
  addTerminalSelection: "sluice.chat.addTerminalSelection",
  explainCode: "sluice.chat.explain",
  fixCode: "sluice.chat.fix",
  openChatInEditor: "sluice.chat.openInEditor",
  showApprovals: "sluice.chat.showApprovals",
  focusApproval: "sluice.chat.focusApproval",
  startPlan: "sluice.chat.startPlan",
  startPlanStep: "sluice.chat.startPlanStep",
  commentPlan: "sluice.chat.commentPlan",
  stopAnswer: "sluice.chat.stop",
  showRequest: "sluice.chat.showRequest",
  editSelection: "sluice.chat.editSelection",
  improvePrompt: "sluice.chat.improvePrompt",
  sayMoreToEdit: "sluice.chat.sayMoreToEdit",
  showChanges: "sluice.changes.show",
  keepHunk: "sluice.changes.keepHunk",
  undoHunk: "sluice.changes.undoHunk",
  keepFile: "sluice.changes.keepFile",
  undoFile: "sluice.changes.undoFile",
  keepAll: "sluice.changes.keepAll",
  undoAll: "sluice.changes.undoAll",
  nextHunk: "sluice.changes.next",
  previousHunk: "sluice.changes.previous",
  openSettings: "sluice.settings.open",
  showLog: "sluice.log.show",
  generateCommitMessage: "sluice.commit.generateMessage",
  copyMcpConfiguration: "sluice.mcp.copyConfiguration",
  reviewAgent: "sluice.mcp.review",
} as const;

/** Commands that only rows, lenses, the status bar or the light bulb run. They have no title, menu or line in package.json. */
export const internalCommands = {
  showHiddenTasks: "sluice.task.showHidden",
  showMoreTasks: "sluice.task.showMore",
  revealTask: "sluice.task.reveal",
  moreActions: "sluice.task.moreActions",
  convertResult: "sluice.task.convertResult",
  compareResults: "sluice.gallery.compare",
  openBatch: "sluice.task.openBatch",
  useLocalGateway: "sluice.gateway.useLocal",
  chooseMode: "sluice.chat.chooseMode",
  findUses: "sluice.task.findUses",
  describePicture: "sluice.task.describePicture",
  exportCsv: "sluice.task.exportCsv",
  showWorkingChat: "sluice.chat.showWorking",
} as const;

export type CommandId =
  (typeof commands)[keyof typeof commands] | (typeof internalCommands)[keyof typeof internalCommands];

/** The commands for which the pages of tasks are loaded. */
export const pageCommands: readonly CommandId[] = [
  commands.openTask,
  internalCommands.openBatch,
  commands.showMoney,
  commands.openGallery,
  internalCommands.compareResults,
  commands.newTask,
  internalCommands.convertResult,
  commands.showLocalGateway,
];

/** The commands for which the MCP server's part is loaded. */
export const mcpCommands: readonly CommandId[] = [commands.copyMcpConfiguration, commands.reviewAgent];

/** Offers the MCP server of this window to VS Code. */
export const mcpProviderId = "sluice.tasks";

/** The types of the editor tabs that VS Code restores after a reload. */
export const pageTypes = {
  task: "sluice.task",
  money: "sluice.money",
  gallery: "sluice.gallery",
  mediaForm: "sluice.mediaForm",
  localGateway: "sluice.localGateway",
} as const;

/** Key in a workspace's memory: the ids of the chats with changes that the person has neither kept nor taken back. */
export const undecidedChats = "undecidedChats";

/** Key in a workspace's memory: set when the last check for missing pictures found documents, so that the next window checks on its own. */
export const looksForMissing = "looksForMissing";

/** Key in the memory of all windows: false when prompt and seed are not written into pictures that are encoded anew. */
export const promptInFiles = "promptInFiles";

/** The scheme of the documents of plans. */
export const planScheme = "sluice-plan";

/** The type of a chat's editor tab, which VS Code restores after a reload too. */
export const chatTabType = "sluice.chatTab" as const;

export type PageType = (typeof pageTypes)[keyof typeof pageTypes];

export const views = { chat: "sluice.chat", tasks: "sluice.tasks" } as const;

/** The name by which VS Code assigns the models to this extension. */
export const modelVendor = "sluice";

/** VS Code registers these itself for each view. */
export const focusTasks = `${views.tasks}.focus` as const;
export const focusChat = `${views.chat}.focus` as const;

export const contextKeys = {
  connection: "sluice.connection",
  /** The steps of the walkthrough wait for this key and `hasChats`. */
  hasTasks: "sluice.hasTasks",
  hasChats: "sluice.hasChats",
  editing: "sluice.editing",
  /** The active editor holds the prompt of a running task. */
  hasPromptTasks: "sluice.hasPromptTasks",
  /** Paths of the files with changes of a model that the person has neither kept nor taken back. */
  changedFiles: "sluice.changedFiles",
  /** There are such files. */
  hasChanges: "sluice.changes.isAny",
  /** The active editor is *Changes by Sluice*, with something to keep or undo. */
  showsChanges: "sluice.changes.isShown",
  /** An answer arrives in this window. */
  isRunning: "sluice.chat.isRunning",
  /** A tool call waits for the person's approval in this window. */
  isWaiting: "sluice.chat.isWaiting",
  /** A program waits for the person's answer to a question over MCP. */
  agentAsks: "sluice.mcp.asks",
  /** No `when` clause reads it: setting it is a request that the window confirms. */
  roundTrip: "sluice.roundTrip",
} as const;

export type CommandHandler = (...args: unknown[]) => Promise<void>;
