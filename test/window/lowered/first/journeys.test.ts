/** Twelve journeys of a new person, with the mouse and with the keyboard alone: each ends where it should, and takes no more clicks and keys than today. */
import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Frame, Locator } from "playwright-core";
import type { TestServer } from "../../../loopback/gateway/rawServer";
import { workingAllow } from "../../../support/approvalBar";
import { eventually } from "../../../support/eventually";
import { focusExplorer, focusTasks } from "../../../support/focusMoves";
import { serveOneKey } from "../../../support/oneKeyGateway";
import { type Bound, type Hands, Person } from "../../../support/person";
import { modelStep, picksOf, promptStep, typeStep } from "../../../support/picks";
import { rowAtRest } from "../../../support/rowMenu";
import { openWindow, type VsCodeWindow } from "../../../support/window";

const key = "sk-canary-journey";
const goToChat = "Shift+Alt+L";

describe("twelve journeys", () => {
  let window: VsCodeWindow;
  let chat: Frame;
  const gateways: TestServer[] = [];
  const taken: string[] = [];

  before("open VS Code in a fresh profile", async () => {
    window = await openWindow({ settings: { "sluice.localGateway.speed": 20 } });
    await mkdir(path.join(window.workspace, "parts"), { recursive: true });
    await writeFile(path.join(window.workspace, "parts", "lamp.md"), "# A lamp\n");
  });
  after(async () => {
    console.log(["    journey, hands: clicks + keys, texts", ...taken].join("\n    "));
    await window.close();
    for (const gateway of gateways) await gateway.close();
  });

  const openGateway = async (): Promise<string> => {
    const gateway = await serveOneKey(key, ["first-model", "second-model"]);
    gateways.push(gateway);
    return `${gateway.url}/v1`;
  };
  const frameWith = (selector: string): Promise<Frame> => window.frameWith(selector);
  const inExplorer = (): Promise<void> => focusExplorer(window);
  /** An empty chat with the focus in its composer. */
  const inNewChat = async (): Promise<void> => {
    await window.showContainer("Sluice");
    await window.runCommand("Sluice: New Chat");
    chat = await frameWith(".empty");
    await chat.locator("textarea:focus").waitFor();
  };
  const button = (name: string | RegExp): Locator => chat.getByRole("button", { name, exact: true });
  const suggestion = (text: string | RegExp): Locator => chat.locator(".suggestion").filter({ hasText: text });
  const answered = (): Promise<void> => chat.locator(".row.answer .footer").last().waitFor();
  const secret = (): Locator => window.quickInput().locator("input[type=password]");
  const shown = (text: string | RegExp): Promise<void> => window.quickInput().getByText(text).first().waitFor();
  const rowOf = (text: string | RegExp): Promise<Locator> => window.treeRow("Tasks", text);

  const askByKeys = async (person: Person, text: string): Promise<void> => {
    await person.press(goToChat);
    // The page is another one when its view is shown again.
    chat = await frameWith("textarea");
    await person.isAt("Prompt");
    await person.enter(text);
  };
  const allowByKeys = async (person: Person): Promise<void> => {
    await chat.locator(workingAllow).waitFor();
    await person.press("Control+Shift+A");
    await person.isAt("Allow");
    await person.press("Enter");
  };

  /** Counts what `go` takes. */
  const journey = (
    requirements: string,
    name: string,
    hands: Hands,
    bound: Bound,
    go: (person: Person) => Promise<void>,
  ): void => {
    it(`P6, ${requirements}: ${name}, with the ${hands}`, async () => {
      const person = new Person(window.page, hands);
      await go(person);
      taken.push(`${name}, ${hands}: ${person.assertWithin(bound)}`);
    });
  };

  describe("first chat", () => {
    journey("V5", "first chat", "mouse", { clicks: 2, keys: 0, texts: 0 }, async (person) => {
      await person.click(window.activityIcon("Sluice"));
      chat = await frameWith("textarea");
      await person.click(suggestion("Explain"));
      await answered();
    });

    journey("V5", "first chat", "keyboard", { keys: 2, texts: 1 }, async (person) => {
      await inNewChat();
      await inExplorer();
      await askByKeys(person, "What can you do here?");
      await answered();
      await person.isAt("Prompt");
    });
  });

  describe("first edit, and its undo", () => {
    const isWritten = (name: string, isThere: boolean): Promise<void> =>
      eventually(`${name}: ${isThere}`, () => existsSync(path.join(window.workspace, name)) === isThere);
    const undo = (): Locator => chat.locator(".changes").getByRole("button", { name: "Undo", exact: true });

    journey("A3", "first edit allowed", "mouse", { clicks: 2, keys: 0, texts: 0 }, async (person) => {
      await inNewChat();
      await person.click(suggestion("Write an overview into OVERVIEW.md"));
      await person.click(chat.locator(workingAllow));
      await isWritten("OVERVIEW.md", true);
      await answered();
    });

    journey("A5", "undo", "mouse", { clicks: 1, keys: 0, texts: 0 }, async (person) => {
      await person.click(undo());
      await isWritten("OVERVIEW.md", false);
    });

    journey("A3", "first edit allowed", "keyboard", { keys: 4, texts: 1 }, async (person) => {
      await inNewChat();
      await inExplorer();
      await askByKeys(person, "Write an overview into NOTES.md");
      await allowByKeys(person);
      await isWritten("NOTES.md", true);
      await answered();
      await person.isAt("Prompt");
    });

    journey("A5", "undo", "keyboard", { keys: 4, texts: 0 }, async (person) => {
      await undo().waitFor();
      await person.goTo("Undo", "Shift+Tab");
      await person.press("Enter");
      await isWritten("NOTES.md", false);
      await person.isAt(/./);
    });
  });

  describe("tasks", () => {
    const picture = async (): Promise<void> => {
      await chat.locator(".task-card").getByText("succeeded").last().waitFor();
      await chat.locator(".task-card img").last().waitFor();
    };

    journey("T1, T8", "first task", "mouse", { clicks: 2, keys: 0, texts: 0 }, async (person) => {
      await inNewChat();
      await person.click(suggestion("Make a picture of a lighthouse"));
      await person.click(chat.locator(workingAllow));
      await picture();
    });

    journey("T1, T8", "first task", "keyboard", { keys: 4, texts: 1 }, async (person) => {
      await inNewChat();
      await inExplorer();
      await askByKeys(person, "Make a picture of a teapot");
      await allowByKeys(person);
      await picture();
      await person.isAt("Prompt");
    });

    const startView = async (): Promise<void> => {
      await window.runCommand("View: Close All Editors");
      await window.showContainer("Sluice");
      await focusTasks(window);
    };
    /** In the menu of a task's row. */
    const chooseInMenu = async (person: Person, prompt: string, entry: string): Promise<void> => {
      await person.click(await rowAtRest(() => rowOf(prompt)), { button: "right" });
      const item = window.page.locator(".monaco-menu").getByText(entry, { exact: true });
      await item.hover();
      // VS Code ignores a press that follows the opening of a menu at once.
      await person.click(item, { delay: 200 });
    };
    const chooseByKeys = async (person: Person, prompt: RegExp, entry: RegExp): Promise<void> => {
      await startView();
      await person.press("Home");
      await person.goTo(prompt, "ArrowDown");
      await rowAtRest(() => rowOf(prompt));
      await person.openMenu();
      await person.goTo(entry, "ArrowDown");
      await person.press("Enter");
    };
    const isPaid = async (): Promise<void> =>
      (await frameWith(".task-page"))
        .locator(".state")
        .getByText(/ · free$/)
        .waitFor();

    journey("T8", "money of one task", "mouse", { clicks: 2, keys: 0, texts: 0 }, async (person) => {
      await startView();
      await chooseInMenu(person, "teapot", "Open Task");
      await isPaid();
    });

    journey("T8", "money of one task", "keyboard", { keys: 6, texts: 0 }, async (person) => {
      await chooseByKeys(person, /teapot/, /^Open Task/);
      await isPaid();
    });

    /** From the type to the end of the questions, which are the same by either. */
    const submitVideo = async (person: Person, prompt: string): Promise<void> => {
      const picks = picksOf(window);
      for (const step of [typeStep, modelStep]) {
        await picks.step(step);
        await window.quickInput().locator(".monaco-list-row.focused").waitFor();
        await person.press("Enter");
      }
      await picks.step(promptStep);
      await person.enter(prompt);
      await picks.closed();
      // The next way counts its rows: under Running it has one more above it.
      await rowOf(new RegExp(`^Video, succeeded[^]*${prompt}`));
    };

    const asReference = "Use as Reference for a New Task…";

    journey("T1", "image to video", "mouse", { clicks: 2, keys: 3, texts: 1 }, async (person) => {
      await startView();
      await chooseInMenu(person, "teapot", asReference);
      await submitVideo(person, "it pours tea");
    });

    journey("T1", "image to video", "keyboard", { keys: 16, texts: 1 }, async (person) => {
      await chooseByKeys(person, /a teapot/, /^Use as Reference/);
      await submitVideo(person, "it pours out the tea");
    });

    /** A task that runs until it is cancelled. */
    const submitStuck = async (prompt: string): Promise<void> => {
      const picks = picksOf(window);
      await startView();
      await window.runCommand("Sluice: New Task…");
      await picks.through(typeStep, modelStep);
      await picks.step(promptStep);
      await picks.typePrompt(`[stuck] ${prompt}`);
      await picks.press("Enter");
      await picks.closed();
      // It is drawn again for each state on the way, which closes a menu.
      await rowOf(new RegExp(`processing[^]*${prompt}`));
    };
    const isCancelled = async (prompt: string): Promise<void> =>
      (await rowOf(prompt)).locator(".codicon-circle-slash").waitFor();
    const reasonStep = "choose or type a reason for the cancel";

    journey("T9", "cancel", "mouse", { clicks: 1, keys: 1, texts: 0 }, async (person) => {
      await submitStuck("a ferry at noon");
      await person.clickInRow(await rowOf("a ferry at noon"), "Cancel");
      await picksOf(window).step(reasonStep);
      await person.press("Enter");
      await isCancelled("a ferry at noon");
    });

    journey("T9", "cancel", "keyboard", { keys: 9, texts: 0 }, async (person) => {
      await submitStuck("a ferry at one");
      await chooseByKeys(person, /a ferry at one/, /^Cancel/);
      await picksOf(window).step(reasonStep);
      await person.press("Enter");
      await isCancelled("a ferry at one");
    });
  });

  describe("chats and files", () => {
    const earlier = (): Promise<void> => chat.locator(".row.user").getByText("picture of a teapot").waitFor();

    journey("P4", "history", "mouse", { clicks: 1, keys: 0, texts: 0 }, async (person) => {
      await window.runCommand("View: Close All Editors");
      await inNewChat();
      await person.click(chat.locator(".recent").getByText("Make a picture of a teapot"));
      await earlier();
    });

    journey("P4", "history", "keyboard", { keys: 2, texts: 1 }, async (person) => {
      await inNewChat();
      await person.enter("/history");
      await picksOf(window).step("Search prompts, answers");
      await shown("Make a picture of a teapot");
      await person.press("Enter");
      await earlier();
      await person.isAt("Prompt");
    });

    const attached = (): Promise<void> => chat.locator(".file-chip").getByText("parts/").waitFor();
    const detach = (): Promise<void> => button("Remove parts/").click();

    journey("P1, A6", "attach a folder", "mouse", { clicks: 3, keys: 0, texts: 0 }, async (person) => {
      await inNewChat();
      await person.click(button("Attach…"));
      await person.click(window.quickInput().getByText("Folders…"));
      await person.click(window.quickInput().getByText("parts/"));
      await attached();
      await person.isAt("Prompt");
      await detach();
    });

    journey("P1, A6", "attach a folder", "keyboard", { keys: 1, texts: 1 }, async (person) => {
      await inNewChat();
      await person.type("#part");
      await chat.getByRole("option", { name: "parts/" }).waitFor();
      await person.press("Enter");
      await attached();
      await person.isAt("Prompt");
      await detach();
    });
  });

  describe("gateways", () => {
    const picks = () => picksOf(window);
    const addressStep = "Choose, or type an address";
    const isUsed = async (): Promise<void> => {
      chat = await frameWith(".empty");
      await chat.locator(".empty-model").getByText("first-model").waitFor();
    };
    const useLocal = async (): Promise<void> => {
      await window.runCommand("Sluice: Use the Local Gateway");
      // Not by New Chat, which gives the composer the focus again when it ends: keys that move the focus may come before that.
      await window.showContainer("Sluice");
      chat = await frameWith(".empty");
      await chat.getByText("Free, and nothing leaves this machine.").waitFor();
      await chat.locator("textarea").first().click();
      await chat.locator("textarea:focus").waitFor();
    };
    const openByKeys = async (person: Person): Promise<void> => {
      await person.goTo("Connect to a Gateway…", "Shift+Tab");
      await person.press("Enter");
    };
    const openByMouse = (person: Person): Promise<void> => person.click(button("Connect to a Gateway…"));
    const typeAddress = async (person: Person): Promise<void> => {
      const address = await openGateway();
      await picks().step(addressStep);
      await person.type(address);
      await window.quickInput().locator(".monaco-list-row.focused").getByText(address).waitFor();
      await person.press("Enter");
      await secret().waitFor();
    };
    const chooseModel = async (person: Person): Promise<void> => {
      await picks().step("Model, or type another id");
      await shown("second-model");
      await person.press("Enter");
      await picks().closed();
      await isUsed();
    };
    const connect = async (person: Person): Promise<void> => {
      await typeAddress(person);
      await person.enter(key);
      await chooseModel(person);
    };
    const recover = async (person: Person): Promise<void> => {
      await typeAddress(person);
      await person.enter("sk-wrong");
      await shown("The gateway did not accept the API key.");
      await person.press("ControlOrMeta+a");
      await person.enter(key);
      await chooseModel(person);
    };

    journey("C1, C2", "connect", "mouse", { clicks: 1, keys: 3, texts: 2 }, async (person) => {
      await inNewChat();
      await openByMouse(person);
      await connect(person);
    });

    journey("C1, C2", "connect", "keyboard", { keys: 15, texts: 2 }, async (person) => {
      await useLocal();
      await openByKeys(person);
      await connect(person);
    });

    journey("C2, C3", "wrong key", "mouse", { clicks: 1, keys: 5, texts: 3 }, async (person) => {
      await useLocal();
      await openByMouse(person);
      await recover(person);
    });

    journey("C2, C3", "wrong key", "keyboard", { keys: 17, texts: 3 }, async (person) => {
      await useLocal();
      await openByKeys(person);
      await recover(person);
    });

    journey("C1", "switch gateway", "mouse", { clicks: 2, keys: 0, texts: 0 }, async (person) => {
      await person.click(chat.locator(".gateway"));
      await person.click(window.quickInput().getByText("Local gateway"));
      await chat.locator(".gateway").getByText("Local").waitFor();
    });

    journey("C1", "switch gateway", "keyboard", { keys: 7, texts: 0 }, async (person) => {
      await useLocal();
      await person.goTo(/Choose Gateway$/);
      await person.press("Enter");
      await picks().step(addressStep);
      await window.quickInput().locator(".monaco-list-row.focused").waitFor();
      await person.press("ArrowDown", "Enter");
      await isUsed();
      // VS Code gives the focus of a view's page to the editors.
      await person.isAt(/./);
    });
  });
});
