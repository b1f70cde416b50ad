/** The product without VS Code: tasks and chats over the same ports. The extension mounts the same two. */
import { type ChatApp, type ChatAppPorts, createChatApp } from "../../src/chat/chatApp";
import { openTaskApp, type TaskApp, type TaskAppPorts } from "../../src/tasks/taskApp";

export type AppPorts = TaskAppPorts & Omit<ChatAppPorts, "models" | "openTaskPort">;
export type App = TaskApp & ChatApp;

export async function createApp(ports: AppPorts): Promise<App> {
  const tasks = await openTaskApp(ports);
  const chat = createChatApp({ ...ports, models: tasks.models, openTaskPort: () => tasks.openTaskPort() });
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
