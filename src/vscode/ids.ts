/** Every id that package.json and the code share; a test compares the two. */
import type { SettingId } from "../domain/settingDefaults";

export const commands = {
  chooseGateway: "sluice.gateway.choose",
  useLocalGateway: "sluice.gateway.useLocal",
  showLocalGateway: "sluice.gateway.showLocal",
  setKey: "sluice.key.set",
  forgetKey: "sluice.key.forget",
  newTask: "sluice.task.new",
  submitSelection: "sluice.task.submitSelection",
  openResult: "sluice.task.openResult",
  cancelTask: "sluice.task.cancel",
  reconcile: "sluice.task.reconcile",
  sendAgain: "sluice.task.sendAgain",
  copyPrompt: "sluice.task.copyPrompt",
  copyTaskId: "sluice.task.copyId",
  removeTask: "sluice.task.remove",
  refreshTasks: "sluice.task.refresh",
  openSample: "sluice.task.openSample",
  newChat: "sluice.chat.new",
  chooseModel: "sluice.chat.chooseModel",
  addSelection: "sluice.chat.addSelection",
  stopAnswer: "sluice.chat.stop",
  showLog: "sluice.log.show",
} as const;

export type CommandId = (typeof commands)[keyof typeof commands];

export const views = { chat: "sluice.chat", tasks: "sluice.tasks" } as const;

/** VS Code registers these itself for each view. */
export const focusTasks = `${views.tasks}.focus` as const;
export const focusChat = `${views.chat}.focus` as const;

export const contextKeys = { connection: "sluice.connection" } as const;

export const settings = {
  baseUrl: "baseUrl",
  models: "models",
  consoleUrl: "consoleUrl",
  stylizedImageTaskType: "stylizedImageTaskType",
  messagesAuthentication: "messages.authentication",
  messagesVersion: "messages.version",
  generateContentAuthentication: "generateContent.authentication",
  generateContentVersion: "generateContent.version",
  connectTimeout: "network.connectTimeout",
  firstByteTimeout: "network.firstByteTimeout",
  silenceTimeout: "network.silenceTimeout",
  localGatewaySpeed: "localGateway.speed",
  localGatewayRelay: "localGateway.relay",
} as const satisfies Record<string, SettingId>;
