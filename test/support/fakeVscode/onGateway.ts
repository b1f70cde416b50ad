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
