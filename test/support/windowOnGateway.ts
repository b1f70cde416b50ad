/** A VS Code window on a gateway of the test, as after a person has set its key. */
import type { Frame } from "playwright-core";
import { modelStep, paidStep } from "./picks";
import { setKey } from "./setKey";
import { acceptSteps } from "./steps";
import { openWindow, type VsCodeWindow, type WindowOptions } from "./window";

export interface GatewayToOpen {
  readonly baseUrl: string;
  readonly key: string;
}

export interface WindowOnGateway {
  readonly window: VsCodeWindow;
  readonly chat: Frame;
}

/** Submits the word *lighthouse* of the sample as an image task, to a gateway that was never asked for one. */
export async function submitLighthouse(window: VsCodeWindow): Promise<void> {
  await window.openFile("hero.prompts.md");
  await window.selectText("lighthouse");
  window.begin("sluice.task.submitSelection");
  await window.pick(/^Image/);
  await window.quickInput().locator(`input[placeholder*="${modelStep}"]`).fill("any-model");
  await acceptSteps(window, modelStep, paidStep);
}

/** Opens a window with toasts on this gateway and sets its key. Resolves once requests go to the gateway. */
export async function openWindowOnGateway(
  { baseUrl, key }: GatewayToOpen,
  more: WindowOptions["settings"] = {},
): Promise<WindowOnGateway> {
  return await enter(await openWindow({ toasts: true, settings: { "sluice.baseUrl": baseUrl, ...more } }), key);
}

async function enter(window: VsCodeWindow, key: string): Promise<WindowOnGateway> {
  await window.showContainer("Sluice");
  const chat = await window.frameWith("textarea");
  const missing = chat.locator(".notice").getByText("No API key is set for this gateway.");
  await missing.waitFor();
  await setKey(window, key);
  await missing.waitFor({ state: "hidden" });
  return { window, chat };
}
