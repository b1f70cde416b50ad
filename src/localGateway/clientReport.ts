/**
 * Collects a client's violations of the service's rules, for the tests and for the page of the client report, and makes one-time links to that
 * page.
 */
import { randomBytes } from "node:crypto";
import { cutText } from "../base/text/cutText";
import type { Clock } from "../base/clock";
import { definedFields } from "../base/definedFields";
import { ClientHistory, type ClientRule, RequestWatch } from "./requestWatch";
import { type ClientWatch, unwatched, type WatchedRequest } from "./http/requestContext";
import type { HttpServices } from "./http/httpServices";
import type { StateDatabase } from "./state/stateDatabase";
import { BoundedMap } from "../base/boundedMap";

interface ClientFinding {
  readonly rule: ClientRule;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly requestId: string;
  readonly route: string;
  /** Never holds a key. */
  readonly detail: string;
  readonly taskId?: string;
}

const maxFindings = 500;
/** Characters of a part of a finding that a client can choose. */
const maxDetailLength = 300;

export class ClientReport {
  readonly #clock: Clock;
  readonly #history = new ClientHistory();
  #findings: ClientFinding[] = [];
  #counts = new Map<ClientRule, number>();
  #requests = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Oldest first; the last 500. */
  get findings(): readonly ClientFinding[] {
    return this.#findings;
  }

  /** The number of findings of a rule, including those that are no longer kept. */
  count(rule: ClientRule): number {
    return this.#counts.get(rule) ?? 0;
  }

  /** Number of requests under /v1. */
  get requests(): number {
    return this.#requests;
  }

  /** Removes the findings, but not the history of tasks and keys. */
  clear(): void {
    this.#findings = [];
    this.#counts = new Map();
    this.#requests = 0;
  }

  watch(request: WatchedRequest): ClientWatch {
    const { route, requestId } = request;
    if (!route.includes(" /v1/")) return unwatched;
    this.#requests += 1;
    const at = this.#clock.now();
    const report = (rule: ClientRule, detail: string, taskId: string | undefined): void => {
      const text = cutText(detail, maxDetailLength);
      const finding = { rule, at, requestId, route, detail: text, ...definedFields({ taskId }) };
      this.#findings = [...this.#findings.slice(1 - maxFindings), finding];
      this.#counts.set(rule, this.count(rule) + 1);
    };
    return new RequestWatch(request, { history: this.#history, clock: this.#clock, report });
  }
}

// The services that the client report needs.

export interface ClientReportServices extends HttpServices {
  readonly state: StateDatabase;
  readonly clientReport: ClientReport;
  readonly pageLinks: OneTimeLinks;
}

// A one-time link opens the page for ten minutes, because a browser cannot send the key with a link.

const life = 10 * 60_000;
const maxLinks = 100;

export class OneTimeLinks {
  readonly #clock: Clock;
  /** Expiry time by token. */
  readonly #open = new BoundedMap<string, number>(maxLinks);

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  make(): string {
    const token = randomBytes(24).toString("base64url");
    this.#open.set(token, this.#clock.now() + life);
    return token;
  }

  isValid(token: string): boolean {
    const until = this.#open.get(token);
    return until !== undefined && this.#clock.now() < until;
  }

  /** True for the first use before the token expires. */
  use(token: string): boolean {
    const isGood = this.isValid(token);
    this.#open.delete(token);
    return isGood;
  }
}
