/**
 * Connects to a gateway that is not the current one yet (C1 to C3): keeps the typed address and key, probes the address, checks the gateway, and
 * takes it into use.
 */
import type { CheckConnection, CheckReport, ProbeAddress, AddressAnswer } from "../domain/gateway/connectionCheck";
import { readOrigin, readAddress } from "../domain/gateway/address";
import { definedFields } from "../base/definedFields";
import type { Clock } from "../base/clock";
import type { Disposable } from "../base/disposable";

export interface ConnectingOptions {
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

/** The typed address and key. They are only in memory, so that Esc loses no typed text and no key is written to a disk. */
class ConnectDraft {
  /** The address as typed; empty at first. */
  address = "";
  /** Whether the person changes the address after a check: if there is a key for its origin, the next check starts without a question. */
  isBeingCorrected = false;
  #key: { readonly origin: string; readonly key: string } | undefined;

  /** The typed key, if it was typed for that origin. */
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
  readonly #options: ConnectingOptions;

  constructor(options: ConnectingOptions) {
    this.#options = options;
  }

  get origin(): string {
    return readOrigin(this.draft.address);
  }

  /** `typed` in this flow, `kept` in the secret storage from before, or none. */
  async keySource(): Promise<"typed" | "kept" | "none"> {
    if (this.draft.keyFor(this.origin) !== undefined) return "typed";
    return (await this.#options.keys.read(this.origin)) === undefined ? "none" : "kept";
  }

  /** Sends the key to the origin that it was typed or kept for. Rejects with an `AbortError` only, or when the code can't be loaded. */
  async check(onProgress: (report: CheckReport) => void, signal: AbortSignal): Promise<CheckReport> {
    const { draft, origin } = this;
    const [run, kept] = await Promise.all([this.#options.loadCheck(), this.#options.keys.read(origin)]);
    signal.throwIfAborted();
    const key = draft.keyFor(origin) ?? kept;
    return run({ baseUrl: draft.address, ...definedFields({ key }) }, onProgress, signal);
  }

  /** Sends no key. */
  readonly probe: ProbeAddress = async (address, signal) => (await this.#options.loadProbe())(address, signal);

  /**
   * Makes it the current gateway; false when the person left the question about the key's account. The key is stored before the address, because
   * otherwise the gateway would be signed out for a moment.
   */
  async use(beforeQuestion: () => void = () => undefined): Promise<boolean> {
    const { draft, origin } = this;
    const key = draft.keyFor(origin);
    if (key !== undefined && !(await this.#options.storeKey(origin, key, beforeQuestion))) return false;
    draft.forgetKey();
    await this.#options.setBaseUrl(draft.address);
    return true;
  }
}

// Asks whether a server answers at the address that is being typed, once typing pauses; without a key (C1).

/** Milliseconds without a change before an address is probed. */
export const pauseBeforeProbe = 500;

export class AddressWatch implements Disposable {
  readonly #probe: ProbeAddress;
  readonly #clock: Clock;
  readonly #onFound: () => void;
  readonly #answers = new Map<string, AddressAnswer>();
  #address = "";
  #running: AbortController | undefined;

  constructor(probe: ProbeAddress, clock: Clock, onFound: () => void) {
    this.#probe = probe;
    this.#clock = clock;
    this.#onFound = onFound;
  }

  /** Takes the typed text. The probe of an earlier text is aborted. */
  look(text: string): void {
    const address = text.trim();
    if (address === this.#address) return;
    this.#address = address;
    this.#running?.abort();
    this.#running = undefined;
    if (!isUsable(address) || this.#answers.has(address)) return;
    this.#running = new AbortController();
    void this.#ask(address, this.#running.signal);
  }

  /** `undefined` until the server has answered, or its time is up. */
  answerOf(address: string): AddressAnswer | undefined {
    return this.#answers.get(address.trim());
  }

  dispose(): void {
    this.#running?.abort();
  }

  async #ask(address: string, signal: AbortSignal): Promise<void> {
    try {
      await this.#clock.delay(pauseBeforeProbe, signal);
      const answer = await this.#probe(address, signal);
      if (signal.aborted) return;
      this.#answers.set(address, answer);
      this.#onFound();
    } catch {
      // The text has changed, or the probe could not be loaded: the check after Enter shows what is wrong.
    }
  }
}

function isUsable(address: string): boolean {
  try {
    readAddress(address);
    return true;
  } catch {
    return false;
  }
}
