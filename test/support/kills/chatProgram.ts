/** One window with a chat as a process of its own, for runs that kill it: it reports how much of the chat its page would show. */
import { systemClock } from "../../../src/base/async/systemClock";
import { type ChatProgramOptions, measureChat, type ShownChat } from "./chatKills";
import { chooseFamily, openProgramApp } from "./programApp";

const { folder, gateway, family } = JSON.parse(process.argv[2] ?? "{}") as ChatProgramOptions;

async function run(): Promise<void> {
  const app = await openProgramApp({ folder, gateway, clock: systemClock });
  await chooseFamily(app, family);
  const { current: session } = (await app.openChats()).shown;
  session.onDidEmit(() => {
    const { chat } = session;
    process.send?.({ at: Date.now(), id: chat.id, ...measureChat(chat) } satisfies ShownChat);
  });
  await session.submit("Read notes.md");
  await session.submit("Think, and write 80 paragraphs");
}

run().catch((failure: unknown) => {
  console.error(failure);
  process.exit(1);
});
