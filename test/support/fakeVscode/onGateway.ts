/** A fake window on a gateway of the test, as after a person has set its key. */
import { type OpenedWindow, type OpenOptions, openWindow } from "./openWindow";

export interface GatewayToOpen {
  readonly baseUrl: string;
  readonly key: string;
}

export async function openOnGateway({ baseUrl, key }: GatewayToOpen, options: OpenOptions = {}): Promise<OpenedWindow> {
  const opened = await openWindow({ ...options, settings: { "sluice.baseUrl": baseUrl, ...options.settings } });
  const { window, person, inside } = opened;
  const setting = person.start("sluice.key.set");
  await window.until("the box for the key", () => window.widget.visible?.state.password);
  await person.type(key);
  await person.press("Enter");
  await setting.ended();
  await window.until("the gateway is connected", () => inside.connections.current.current.state === "ready");
  return opened;
}

/** Submits that text of the active editor as an image task, to a gateway that was never asked for one. The command ends when its last message has been answered. */
export async function submitImage({ person }: OpenedWindow, text: string): Promise<{ ended(): Promise<unknown> }> {
  await person.select(text);
  const submitting = person.start("sluice.task.submitSelection");
  await person.choose(/^Image/);
  await person.step("Model, or type another id");
  await person.type("any-model");
  await person.press("Enter");
  await person.through("An amount is reserved for each task");
  await person.answer(/enabled for this account\?/, "Submit");
  return submitting;
}
