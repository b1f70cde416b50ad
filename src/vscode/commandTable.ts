/**
 * The table of commands for package.json: icon, keys and places. The title of a command is in package.nls.json as `command.<id>`, a shorter one as
 * `command.<id>.short`. `node scripts/contributes.mjs` writes package.json from this table; the extension itself needs only the ids (ids.ts).
 */
import { pictureEndings } from "../domain/media/pictureTypes";
import {
  inMenu,
  type CommandPlace,
  inChat,
  inChatTab,
  inGateway,
  inTasks,
  onMediaFile,
  onRow,
  onSelectedRows,
  type Submenu,
} from "./commandPlaces";
import type { commands } from "./ids";

export interface CommandRow {
  /** A codicon. */
  readonly icon?: string;
  /** The condition under which the palette shows it. Without one it is always shown; with `false` it never is. */
  readonly palette?: string | false;
  readonly keys?: { readonly key: string; readonly mac: string; readonly win?: string; readonly when: string };
  readonly menus?: readonly CommandPlace[];
}

/** True in an editor of a file with changes to keep or undo. */
const inChangedFile = "resourcePath in sluice.changedFiles";

/** The rows by the command's name in ids.ts, in the order of package.json. */
export const commandTable: Readonly<Record<keyof typeof commands, CommandRow>> = {
  chooseGateway: { menus: [inGateway("1_gateway@2")] },
  setKey: { menus: [inGateway("1_gateway@3")] },
  checkConnection: { menus: [inGateway("2_look@1")] },
  newTask: {
    icon: "add",
    menus: [
      inTasks("navigation@1"),
      inMenu("explorer/context", "z_sluice@1", `resourceExtname =~ /^\\.(${pictureEndings("reference").join("|")})$/i`),
    ],
  },
  submitSelection: {
    keys: { key: "shift+alt+t", mac: "ctrl+cmd+t", when: "editorTextFocus && editorHasSelection" },
    menus: [inMenu("editor/context", "z_sluice@1", "editorHasSelection")],
  },
  submitPrompt: {
    palette: "resourceFilename =~ /\\.prompts\\.md$/",
    menus: [inMenu("editor/context", "z_sluice@1", "!editorHasSelection && resourceFilename =~ /\\.prompts\\.md$/")],
  },
  finishEditing: {
    icon: "arrow-right",
    palette: "sluice.editing",
    menus: [inMenu("editor/title", "navigation@1", "resourceScheme == untitled && sluice.editing")],
  },
  tryAgain: {
    icon: "redo",
    palette: false,
    menus: [onRow("inline@1", "retryable"), onRow("2_send@1", "retryable")],
  },
  makeMore: { palette: false, menus: [onRow("3_make@1", "task")] },
  openResult: {
    icon: "open-preview",
    palette: false,
    menus: [onRow("inline@1", "openable"), onRow("1_open@1", "openable")],
  },
  saveIntoWorkspace: { icon: "save", palette: false, menus: [onRow("inline@3", "openable")] },
  saveResult: { palette: false, menus: [onRow("1_open@4", "openable")] },
  copyResultPath: { palette: false, menus: [onRow("5_copy@1", "openable")] },
  copyOther: { palette: false, menus: [onRow("5_copy@2", "task", "event")] },
  replaceAsset: { palette: false, menus: [onMediaFile("z_sluice@4")] },
  cancelTask: {
    icon: "stop-circle",
    palette: false,
    menus: [
      onRow("inline@1", "cancelable", "waiting"),
      onRow("7_cancel@1", "cancelable", "waiting"),
      inMenu("view/item/context", "1_group@1", "view == sluice.tasks && viewItem =~ /^group running/"),
    ],
  },
  cancelOfPrompt: {
    palette: "sluice.hasPromptTasks",
    menus: [inMenu("editor/context", "z_sluice@3", "sluice.hasPromptTasks")],
  },
  reconcile: {
    icon: "sync",
    palette: false,
    menus: [onRow("inline@1", "reconcilable"), onRow("2_send@1", "reconcilable")],
  },
  sendAgain: {
    icon: "cloud-upload",
    palette: false,
    menus: [onRow("inline@1", "resendable"), onRow("2_send@1", "resendable")],
  },
  removeTask: { palette: false, menus: [onRow("9_remove@1", "removable")] },
  showMoney: { menus: [inTasks("2_tasks@3")] },
  watchTask: { palette: false, menus: [inTasks("2_tasks@2")] },
  refreshTasks: {
    icon: "refresh",
    palette: false,
    menus: [inTasks("2_tasks@1"), onRow("inline@2", "checkable"), onRow("2_send@3", "checkable")],
  },
  viewTasks: { icon: "filter", menus: [inTasks("navigation@2")] },
  clearFinished: {
    menus: [
      inTasks("2_tasks@6"),
      inMenu("view/item/context", "1_group@3", "view == sluice.tasks && viewItem =~ /^group finished/"),
    ],
  },
  openSample: {},
  openTask: { palette: false, menus: [onRow("1_open@2", "task")] },
  openGallery: { menus: [inTasks("2_tasks@0"), onRow("1_open@3", "batched"), onSelectedRows("1_open@3", "openable")] },
  focusComposer: {
    keys: { key: "shift+alt+l", mac: "ctrl+cmd+l", when: "!(editorTextFocus && editorHasSelection) && !terminalFocus" },
  },
  newChat: { icon: "add", menus: [inChat("navigation@1"), inChatTab("navigation@1")] },
  chatHistory: { icon: "history", menus: [inChat("navigation@2"), inChatTab("navigation@2")] },
  manageChat: { menus: [inChat("1_chat@1"), inChatTab("1_chat@1")] },
  chooseModel: {},
  chooseTools: {},
  newPromptFile: {},
  addToChat: {
    palette: "editorIsOpen",
    keys: { key: "shift+alt+l", mac: "ctrl+cmd+l", when: "editorTextFocus && editorHasSelection" },
    menus: [
      inMenu("editor/context", "z_sluice@2", "editorHasSelection || resourceScheme == file"),
      inMenu("explorer/context", "z_sluice@2", "resourceScheme == file"),
      inMenu("editor/title/context", "z_sluice@1", "resourceScheme == file"),
    ],
  },
  addTerminalSelection: { palette: false, menus: [inMenu("terminal/context", "z_sluice@1")] },
  explainCode: { palette: false },
  fixCode: { palette: false },
  openChatInEditor: { menus: [inChat("2_chat@0")] },
  showApprovals: { menus: [inChat("2_chat@4")] },
  focusApproval: {
    palette: "sluice.chat.isWaiting",
    keys: {
      key: "ctrl+shift+a",
      mac: "cmd+shift+a",
      when: "(focusedView == sluice.chat || activeWebviewPanelId == sluice.chatTab && !focusedView && !inputFocus) && sluice.chat.isWaiting",
    },
  },
  startPlan: {
    icon: "play",
    palette: "resourceScheme == sluice-plan",
    menus: [inMenu("editor/title", "navigation@1", "resourceScheme == sluice-plan")],
  },
  startPlanStep: {
    palette: false,
    menus: [inMenu("editor/context", "z_sluice@1", "resourceScheme == sluice-plan")],
  },
  commentPlan: {
    icon: "comment",
    palette: false,
    menus: [
      inMenu("editor/title", "navigation@2", "resourceScheme == sluice-plan"),
      inMenu("editor/context", "z_sluice@2", "resourceScheme == sluice-plan"),
    ],
  },
  stopAnswer: {
    palette: "sluice.chat.isRunning",
    keys: {
      key: "ctrl+escape",
      mac: "cmd+escape",
      win: "alt+backspace",
      when: "(focusedView == sluice.chat || activeWebviewPanelId == sluice.chatTab && !focusedView && !inputFocus) && sluice.chat.isRunning",
    },
  },
  showRequest: {},
  showChanges: { menus: [inChat("0_find@2")] },
  keepHunk: {
    palette: inChangedFile,
    keys: { key: "shift+alt+k", mac: "ctrl+cmd+k", when: `editorTextFocus && ${inChangedFile}` },
    menus: [inMenu("editor/context", "z_sluice@3", inChangedFile)],
  },
  undoHunk: {
    palette: inChangedFile,
    keys: { key: "shift+alt+u", mac: "ctrl+cmd+u", when: `editorTextFocus && ${inChangedFile}` },
    menus: [inMenu("editor/context", "z_sluice@4", inChangedFile)],
  },
  keepFile: {
    icon: "check",
    palette: inChangedFile,
    menus: [inMenu("editor/title", "navigation@1", inChangedFile)],
  },
  undoFile: {
    icon: "discard",
    palette: inChangedFile,
    menus: [inMenu("editor/title", "navigation@2", inChangedFile)],
  },
  keepAll: {
    icon: "check",
    palette: "sluice.changes.isAny",
    menus: [inMenu("editor/title", "navigation@-2", "activeEditor == multiDiffEditor && sluice.changes.isShown")],
  },
  undoAll: {
    icon: "discard",
    palette: "sluice.changes.isAny",
    menus: [inMenu("editor/title", "navigation@-1", "activeEditor == multiDiffEditor && sluice.changes.isShown")],
  },
  nextHunk: {
    icon: "arrow-down",
    palette: "sluice.changes.isAny",
    keys: { key: "shift+alt+n", mac: "ctrl+cmd+n", when: "editorTextFocus && sluice.changes.isAny" },
    menus: [inMenu("editor/title", "navigation@4", inChangedFile)],
  },
  previousHunk: {
    icon: "arrow-up",
    palette: "sluice.changes.isAny",
    keys: { key: "shift+alt+p", mac: "ctrl+cmd+p", when: "editorTextFocus && sluice.changes.isAny" },
    menus: [inMenu("editor/title", "navigation@3", inChangedFile)],
  },
  editSelection: {
    icon: "edit",
    palette: "editorIsOpen && !editorReadonly",
    keys: { key: "alt+shift+e", mac: "cmd+ctrl+e", when: "editorTextFocus && !editorReadonly" },
    menus: [inMenu("editor/context", "z_sluice@0", "editorHasSelection && !editorReadonly")],
  },
  sayMoreToEdit: { palette: false },
  improvePrompt: {
    palette: false,
    menus: [inMenu("editor/context", "z_sluice@2", "!editorHasSelection && resourceFilename =~ /\\.prompts\\.md$/")],
  },
  openSettings: { menus: [inGateway("2_look@3")] },
  showLog: { menus: [inGateway("2_look@4")] },
  generateCommitMessage: {
    icon: "wand",
    palette: "gitOpenRepositoryCount > 0",
    menus: [inMenu("scm/title", "navigation", "scmProvider == git")],
  },
  showLocalGateway: { menus: [inGateway("2_look@2")] },
  copyMcpConfiguration: {},
  reviewAgent: { palette: "sluice.mcp.asks" },
  topUpLocalGateway: {
    icon: "add",
    palette: false,
    menus: [onRow("inline@2", "toppable"), onRow("2_send@2", "toppable")],
  },
  connectGateway: {},
};

/**
 * The menus that are opened from another one, with their titles in package.nls.json as `menu.<name>`. VS Code accepts a submenu only once in
 * each menu, and reports a second one.
 */
export const submenus: readonly {
  readonly id: Submenu;
  readonly label: string;
  readonly at: readonly CommandPlace[];
}[] = [
  {
    id: "sluice.gateway",
    label: "%menu.gateway%",
    at: [inMenu("view/title", "3_gateway@1", "view == sluice.tasks || view == sluice.chat")],
  },
];
