/** A fake window on a gateway of the test, as after a person has set its key. */
import { type OpenedWindow, type OpenOptions, openWindow } from "./openWindow";

export interface GatewayToOpen {
  readonly baseUrl: string;
  readonly key: string;
}

/** Resolves once requests go to the gateway. */
export async function openWindowOnGateway(
  { baseUrl, key }: GatewayToOpen,
  options: OpenOptions = {},
): Promise<OpenedWindow> {
  const opened = await openWindow({ ...options, settings: { "sluice.baseUrl": baseUrl, ...options.settings } });
  await enterKey(opened, key);
  const { connections } = opened.inside;
  await opened.window.until("the gateway is in use", () => connections.current.current.state === "ready");
  return opened;
}

/** Sets the key of the gateway in use as a person does. It may be one that could not be checked. */
export async function enterKey({ window, person }: OpenedWindow, key: string): Promise<void> {
  const setting = person.palette("Sluice: Set API Key…");
  await window.until("a key is asked for", () => window.widget.visible?.state.password);
  await person.type(key);
  await person.press("Enter");
  await person.closed();
  const unchecked = await window.until("it is kept", () => {
    const message = window.messages.shown.find(({ text }) => text.includes("could not be checked"));
    return message ?? true;
  });
  if (unchecked !== true) unchecked.answer();
  await setting.ended();
}

/** Submits that text of the active editor as an image task, to a gateway that was never asked for one. The command ends when its last message has been answered. */
export async function submitImage({ person }: OpenedWindow, text: string): Promise<{ ended(): Promise<unknown> }> {
  await person.select(text);
  const submitting = person.start("sluice.task.submitSelection");
  await person.choose(/^Image/);
  await person.step("Model, or type another id");
  await person.type("any-model");
  await person.press("Enter");
  await person.through("An amount is reserved, and charged on success");
  return submitting;
}
