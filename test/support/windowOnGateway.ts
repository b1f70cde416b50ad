/** Opens a VS Code window on a gateway of the test, as after a person has set its key. */
import type { Frame } from "playwright-core";
import { setKey } from "./setKey";
import { isWindowShared, shareWindow } from "./sharedWindow";
import { changeUserSettings } from "./userSettings";
import { openWindow, type VsCodeWindow, type WindowOptions } from "./window";

export interface GatewayToOpen {
  readonly baseUrl: string;
  readonly key: string;
}

export interface WindowOnGateway {
  readonly window: VsCodeWindow;
  readonly chat: Frame;
}

/** Answers the question whether the account may use a task type that was never submitted to this gateway. */
export async function answerAvailability(window: VsCodeWindow, answer: "Submit" | "Cancel"): Promise<void> {
  const question = window.page.locator(".monaco-dialog-box").filter({ hasText: "enabled for this account?" });
  await question.getByRole("button", { name: answer, exact: true }).click();
}

/** Submits the word *lighthouse* of the sample as an image task, to a gateway that was never asked for one. */
export async function submitLighthouse(window: VsCodeWindow): Promise<void> {
  await window.openFile("hero.prompts.md");
  await window.selectText("lighthouse");
  await window.runCommand("Sluice: Submit Selection as Task…");
  await window.pick(/^Image/);
  await window.quickInput().locator("input[placeholder*='id']").fill("any-model");
  await window.pick("any-model");
  await window.pick("Submit");
  await answerAvailability(window, "Submit");
}

/** Resolves when the chat no longer says that a key is missing: from then on requests go to the gateway. */
export async function openWindowOnGateway(
  { baseUrl, key }: GatewayToOpen,
  options: WindowOptions = {},
): Promise<WindowOnGateway> {
  const settings = { "sluice.baseUrl": baseUrl, ...options.settings };
  const window = await openWindow({ ...options, settings });
  return await enter(window, key);
}

/** The same in a shared window with toasts. Its gateway must be one that has no key there yet. */
export async function shareWindowOnGateway(
  { baseUrl, key }: GatewayToOpen,
  more: WindowOptions["settings"] = {},
): Promise<WindowOnGateway> {
  const settings = { "sluice.baseUrl": baseUrl, ...more };
  const wasOpen = isWindowShared("toasts");
  const window = await shareWindow("toasts", () => openWindow({ toasts: true, settings }));
  if (wasOpen) await changeUserSettings(window, settings);
  return await enter(window, key);
}

async function enter(window: VsCodeWindow, key: string): Promise<WindowOnGateway> {
  await window.showContainer("Sluice");
  const chat = await window.frameWith("textarea");
  const missing = chat.getByText("No API key is set for this gateway.").first();
  await missing.waitFor();
  await setKey(window, key);
  await missing.waitFor({ state: "hidden" });
  return { window, chat };
}
