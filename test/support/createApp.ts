/** The product without VS Code: tasks and chats over the same ports. The extension mounts the same two. */
import { type ChatApp, type ChatAppOptions, createChatApp } from "../../src/chat/chatApp";
import { openTaskApp, type TaskApp, type TaskAppOptions } from "../../src/tasks/taskApp";

export type AppOptions = TaskAppOptions & Omit<ChatAppOptions, "models" | "openTaskPort">;
export type App = TaskApp & ChatApp;

export async function createApp(options: AppOptions): Promise<App> {
  const tasks = await openTaskApp(options);
  const chat = createChatApp({ ...options, models: tasks.models, openTaskPort: () => tasks.openTaskPort() });
  const dispose = (): void => {
    chat.dispose();
    tasks.dispose();
  };
  return {
    ...tasks,
    ...chat,
    dispose,
    async close() {
      await tasks.close(chat.close());
    },
  };
}
