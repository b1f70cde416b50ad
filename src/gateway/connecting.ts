/** Connects to a gateway that is not the current one yet (C1 to C3): what was typed for it, its check, and the moment from which it is in use. */
import type { CheckConnection, CheckReport, ProbeAddress } from "../domain/gateway/connectionCheck";
import { readOrigin } from "../domain/gateway/address";
import { definedFields } from "../base/definedFields";

export interface ConnectingPorts {
  readonly keys: { read(origin: string): Promise<string | undefined> };
  /** Loaded with the first check. */
  readonly loadCheck: () => Promise<CheckConnection>;
  /** Loaded with the first address that is typed. */
  readonly loadProbe: () => Promise<ProbeAddress>;
  /**
   * Stores a key; false when the person left the question which account it belongs to. Then nothing has changed. `beforeQuestion`: VS Code
   * shows one quick pick at a time.
   */
  readonly storeKey: (origin: string, key: string, beforeQuestion: () => void) => Promise<boolean>;
  readonly setBaseUrl: (baseUrl: string) => Promise<void>;
}

/** Held in memory only, so that Esc loses nothing that was typed and no key is written to a disk. */
class ConnectDraft {
  /** As typed; empty at first. */
  address = "";
  /** The person changes it after a check: with a key for its origin, the next check needs no question. */
  isBeingCorrected = false;
  #key: { readonly origin: string; readonly key: string } | undefined;

  /** A key was typed for one origin: for any other there is none. */
  keyFor(origin: string): string | undefined {
    return this.#key?.origin === origin ? this.#key.key : undefined;
  }

  setKey(origin: string, key: string): void {
    this.#key = { origin, key };
  }

  forgetKey(): void {
    this.#key = undefined;
  }
}

export class Connecting {
  readonly draft = new ConnectDraft();
  readonly #ports: ConnectingPorts;

  constructor(ports: ConnectingPorts) {
    this.#ports = ports;
  }

  get origin(): string {
    return readOrigin(this.draft.address);
  }

  /** `typed` in this flow, `kept` in the secret storage from before, or none. */
  async keySource(): Promise<"typed" | "kept" | "none"> {
    if (this.draft.keyFor(this.origin) !== undefined) return "typed";
    return (await this.#ports.keys.read(this.origin)) === undefined ? "none" : "kept";
  }

  /** Sends the key to the origin that it was typed or kept for. Rejects with an `AbortError` only, or when the code can't be loaded. */
  async check(onProgress: (report: CheckReport) => void, signal: AbortSignal): Promise<CheckReport> {
    const { draft, origin } = this;
    const [run, kept] = await Promise.all([this.#ports.loadCheck(), this.#ports.keys.read(origin)]);
    signal.throwIfAborted();
    const key = draft.keyFor(origin) ?? kept;
    return run({ baseUrl: draft.address, ...definedFields({ key }) }, onProgress, signal);
  }

  /** Sends no key. */
  readonly probe: ProbeAddress = async (address, signal) => (await this.#ports.loadProbe())(address, signal);

  /** Makes it the current gateway; false when the person left the question about the key's account. Stores the key before the address, else the gateway would be signed out for a moment. */
  async use(beforeQuestion: () => void = () => undefined): Promise<boolean> {
    const { draft, origin } = this;
    const key = draft.keyFor(origin);
    if (key !== undefined && !(await this.#ports.storeKey(origin, key, beforeQuestion))) return false;
    draft.forgetKey();
    await this.#ports.setBaseUrl(draft.address);
    return true;
  }
}
