/** *Show Local Gateway*: address and money in an editor tab. The page gets no key: the host makes its requests. */
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { abortable, isAbort } from "../../base/async/abort";
import type { Clock } from "../../base/clock";
import { type Disposable, DisposableStore } from "../../base/disposable";
import type { Log } from "../../domain/ports";
import { localGatewayPageContract, type LocalGatewaySnapshot } from "../contract/localGatewayPageContract";
import type { Dialogs } from "../../vscode/interface/dialogs";
import { type LocalGatewayAccess, readLocalState, topUpLocal } from "./adminRequests";
import { localGatewayView } from "./localGatewayView";
import { lastOf, mountProjectedPage, type ProjectedPage } from "../../vscode/webviewPage";
import { flashStatus } from "../../vscode/interface/show";

export interface LocalGatewayPageOptions {
  readonly extensionUri: vscode.Uri;
  readonly clock: Clock;
  readonly log: Log;
  readonly dialogs: Pick<Dialogs, "showFailure">;
  readonly translations: string | undefined;
  readonly startLocal: () => Promise<LocalGatewayAccess>;
}

/** Milliseconds between two reads while the page is visible. */
const interval = 2000;

export class LocalGatewayPage implements Disposable {
  readonly #options: LocalGatewayPageOptions;
  readonly #registrations = new DisposableStore();
  readonly #page: ProjectedPage<LocalGatewaySnapshot>;
  readonly #ended = new AbortController();
  #snapshot: LocalGatewaySnapshot = {};
  #isFollowing = false;

  constructor(tab: vscode.WebviewPanel, options: LocalGatewayPageOptions) {
    this.#options = options;
    const change = (work: (gateway: LocalGatewayAccess) => Promise<unknown>) => void this.#change(work);
    this.#page = this.#registrations.add(
      mountProjectedPage(tab, localGatewayPageContract, {
        ...options,
        bundle: "localGateway",
        title: localGatewayTitle(),
        handlers: {
          "address-copy": () => change(({ url }) => copy(url)),
          "key-copy": () => change(({ key }) => copy(key)),
          "top-up": () => change(topUpLocal),
        },
        snapshot: () => this.#snapshot,
        merge: lastOf,
        onShown: () => void this.#follow(),
      }),
    );
  }

  dispose(): void {
    this.#ended.abort();
    this.#registrations.dispose();
  }

  async #change(work: (gateway: LocalGatewayAccess) => Promise<unknown>): Promise<void> {
    try {
      await work(await this.#options.startLocal());
    } catch (failure) {
      await this.#options.dialogs.showFailure(failure, "read");
    }
    await this.#update();
  }

  /** Reads the state repeatedly while the page is visible. */
  async #follow(): Promise<void> {
    if (this.#isFollowing) return;
    this.#isFollowing = true;
    const { signal } = this.#ended;
    try {
      while (this.#page.isShown) {
        await abortable(this.#update(), signal);
        await this.#options.clock.delay(interval, signal);
      }
    } catch (failure) {
      if (!isAbort(failure)) throw failure;
    } finally {
      this.#isFollowing = false;
    }
  }

  /** Reads and shows the state. Never rejects: after a problem the last state stays, with the problem. */
  async #update(): Promise<void> {
    const { gateway } = this.#snapshot;
    const next = await this.#read().catch((failure: unknown): LocalGatewaySnapshot => {
      const message = failure instanceof Error ? failure.message : String(failure);
      return { ...(gateway ? { gateway } : {}), problem: t("The local gateway can't be read: {0}", message) };
    });
    if (JSON.stringify(next) === JSON.stringify(this.#snapshot)) return;
    this.#snapshot = next;
    this.#page.emit(next);
  }

  async #read(): Promise<LocalGatewaySnapshot> {
    const access = await this.#options.startLocal();
    const context = { address: access.url, locale: vscode.env.language };
    return { gateway: localGatewayView(await readLocalState(access), context) };
  }
}

async function copy(text: string): Promise<void> {
  await vscode.env.clipboard.writeText(text);
  flashStatus("clippy", t("Copied"), 2000);
}

/** The title of the page and of its tab. */
export function localGatewayTitle(): string {
  return t("Local Gateway");
}
