/** Handlers of the client report: `/_local/client-report` as JSON, `/_local/client-report.html` as a page. */
import { createHash } from "node:crypto";
import { definedFields } from "../base/definedFields";
import { type RequestContext, sendJson } from "./http/requestContext";
import type { ClientReportServices } from "./clientReport";
import { type ClientRule, clientRules } from "./requestWatch";

const rules = Object.keys(clientRules) as readonly ClientRule[];

export function getClientReport(context: RequestContext, { clientReport }: ClientReportServices): void {
  const findings = clientReport.findings.map(({ rule, at, requestId, route, detail, taskId }) => ({
    rule,
    at: new Date(at).toISOString(),
    request_id: requestId,
    route,
    detail,
    ...definedFields({ task_id: taskId }),
  }));
  const found = rules.map((rule) => ({ rule, says: clientRules[rule], count: clientReport.count(rule) }));
  const verdict = found.every(({ count }) => count === 0) ? "good" : "found";
  sendJson(context, 200, { verdict, requests: clientReport.requests, rules: found, findings });
}

export function clearClientReport(context: RequestContext, services: ClientReportServices): void {
  services.clientReport.clear();
  getClientReport(context, services);
}

/** Responds with a link that opens the page once without the key; the request itself requires the key. */
export function makePageLink(context: RequestContext, { pageLinks, listener }: ClientReportServices): void {
  sendJson(context, 200, { url: `${listener.origin}/_local/client-report.html?once=${pageLinks.make()}` });
}

/** Whether the link is valid. Only showing the page uses it up. */
export function isPageLink({ url }: Pick<RequestContext, "url">, { pageLinks }: ClientReportServices): boolean {
  return pageLinks.isValid(url.searchParams.get("once") ?? "");
}

/** Sends the page, which holds no facts about the gateway unless the link is valid. */
export function showClientReport(context: RequestContext, services: ClientReportServices): void {
  const { response, url } = context;
  const isOpen = services.pageLinks.use(url.searchParams.get("once") ?? "");
  const next = isOpen ? `/_local/client-report.html?once=${services.pageLinks.make()}` : "";
  const page = Buffer.from(isOpen ? reportPage(services, next) : closedPage());
  response.writeHead(isOpen ? 200 : 403, {
    "content-type": "text/html; charset=utf-8",
    "content-length": page.length,
    "cache-control": "no-store",
    "content-security-policy": contentPolicy,
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
  });
  response.end(page);
}

// Writes the client report as an HTML page without scripts and external resources.

const style = `
:root { color-scheme: light dark; }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2.5rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; margin: 0; } h2 { font-size: 1.1rem; margin: 2rem 0 .5rem; }
table { border-collapse: collapse; width: 100%; } caption { text-align: left; }
th, td { text-align: left; vertical-align: top; padding: .35rem .75rem .35rem 0; border-bottom: 1px solid color-mix(in srgb, currentColor 18%, transparent); }

code { font: .9em ui-monospace, monospace; overflow-wrap: anywhere; }
.verdict { font-size: 1.15rem; margin: .25rem 0 0; } .quiet { opacity: .7; }
`;
const styleHash = createHash("sha256").update(style).digest("base64");

/** The policy allows no scripts, requests or frames. */
const contentPolicy = `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

type PageServices = Pick<ClientReportServices, "clientReport" | "state" | "injectedFaults" | "log" | "clock">;

/** `next`: a new one-time link to this page. */
function reportPage({ clientReport, state, injectedFaults, log, clock }: PageServices, next: string): string {
  const rules = Object.keys(clientRules) as readonly ClientRule[];
  const total = rules.reduce((sum, rule) => sum + clientReport.count(rule), 0);
  const verdict =
    total === 0 ? "Nothing to complain about." : `${total} ${total === 1 ? "finding" : "findings"} so far.`;
  const { available, held, spent, deposited } = state.balance;
  const armed = (injectedFaults?.switches.armed ?? []).map(({ name }) => name).join(", ");
  return page(`<h1>How the client behaves</h1>
<p class="verdict">${escape(verdict)} <span class="quiet">${clientReport.requests} requests under /v1.</span></p>
${log.refused === 0 ? "" : `<p class="quiet">${log.refused} ${log.refused === 1 ? "request was" : "requests were"} refused: without the key, or from a page of another site.</p>\n`}<p><a href="${escape(next)}">Look again</a> <span class="quiet">as of ${escape(iso(clock.now()))}</span></p>
<h2>Rules</h2>
${table(
  ["Rule", "The client …", "Times"],
  rules.map((rule) => [code(rule), escape(clientRules[rule]), String(clientReport.count(rule))]),
)}
<h2>Last findings</h2>
${
  total === 0
    ? '<p class="quiet">None.</p>'
    : table(
        ["When", "Rule", "What", "Request"],
        clientReport.findings
          .slice(-50)
          .toReversed()
          .map(({ at, rule, detail, route, taskId, requestId }) => [
            escape(iso(at)),
            code(rule),
            `${escape(detail)}<br><span class="quiet">${code(route)}${taskId === undefined ? "" : ` ${code(taskId)}`}</span>`,
            code(requestId),
          ]),
      )
}
<h2>Money</h2>
<p>${available} available, ${held} held, ${spent} spent of ${deposited} deposited, in minor units.</p>
<h2>Faults</h2>
<p>${armed === "" ? '<span class="quiet">None is armed.</span>' : escape(armed)}</p>
<h2>Last requests</h2>
${table(
  ["When", "Request", "Answer"],
  log.requests
    .slice(-30)
    .toReversed()
    .map(({ at, method, path, status, aborted }) => [
      escape(iso(at)),
      code(`${method} ${path}`),
      escape(`${status ?? "none"}${aborted === true ? ", cut off" : ""}`),
    ]),
)}`);
}

function closedPage(): string {
  return page(`<h1>This page opens by a link that holds once</h1>
<p>In a terminal, with the key that the gateway printed:</p>
<p><code>curl -X POST -H "Authorization: Bearer $KEY" $URL/_local/page</code></p>`);
}

function page(body: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Local gateway</title><style>${style}</style></head>
<body><main>
${body}
</main></body></html>
`;
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const head = heads.map((text) => `<th scope="col">${escape(text)}</th>`).join("");
  const body = rows.map((cells) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr>`).join("\n");
  return `<table><thead><tr>${head}</tr></thead><tbody>\n${body}\n</tbody></table>`;
}

const code = (text: string): string => `<code>${escape(text)}</code>`;
const iso = (at: number): string => new Date(at).toISOString();

function escape(text: string): string {
  const names: Readonly<Record<string, string>> = {
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
    '"': "&quot;",
    "'": "&#39;",
  };
  return text.replaceAll(/[&<>"']/g, (character) => names[character] ?? character);
}
