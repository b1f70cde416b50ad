/** The default of each `sluice.*` setting: what applies when VS Code has no value, and what code without VS Code takes. A test compares it with package.json. */
export const settingDefaults = {
  baseUrl: "",
  consoleUrl: "",
  models: [],
  stylizedImageTaskType: "stylized_image",
  "messages.authentication": "bearer",
  "messages.version": "2023-06-01",
  "generateContent.authentication": "bearer",
  "generateContent.version": "auto",
  /** Seconds, as are the two below. */
  "network.connectTimeout": 15,
  "network.firstByteTimeout": 60,
  "network.silenceTimeout": 90,
  /** 0: none. */
  "caps.tasksPerDay": 0,
  "caps.tokensPerChat": 0,
  summarizeChats: true,
  titleChats: true,
  /** Megabytes. */
  "results.fetchUpTo": 200,
  "results.folder": "assets",
  "references.maxMegabytes": 10,
  notifications: "all",
  syncTasks: false,
  "localGateway.speed": 1,
  "localGateway.relay": true,
  "mcp.enabled": false,
} as const;

/** As in package.json, without `sluice.`. */
export type SettingId = keyof typeof settingDefaults;
