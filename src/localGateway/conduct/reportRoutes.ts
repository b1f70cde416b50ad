/** Handlers of the conduct report: `/_local/conduct` as JSON, `/_local/conduct.html` as a page. */
import { definedFields } from "../../base/definedFields";
import { type RequestContext, sendJson } from "../http/requestContext";
import type { ConductServices } from "./conductServices";
import { type ConductRule, conductRules } from "./rules";
import { closedPage, contentPolicy, conductPage } from "./conductPage";

const rules = Object.keys(conductRules) as readonly ConductRule[];

export function getConduct(context: RequestContext, { conduct }: ConductServices): void {
  const findings = conduct.findings.map(({ rule, at, requestId, route, detail, taskId }) => ({
    rule,
    at: new Date(at).toISOString(),
    request_id: requestId,
    route,
    detail,
    ...definedFields({ task_id: taskId }),
  }));
  const found = rules.map((rule) => ({ rule, says: conductRules[rule], count: conduct.count(rule) }));
  const verdict = found.every(({ count }) => count === 0) ? "good" : "found";
  sendJson(context, 200, { verdict, requests: conduct.requests, rules: found, findings });
}

export function clearConduct(context: RequestContext, services: ConductServices): void {
  services.conduct.clear();
  getConduct(context, services);
}

/** Requires the key; the link in the response opens the page once without it. */
export function makePageLink(context: RequestContext, { pageLinks, listener }: ConductServices): void {
  sendJson(context, 200, { url: `${listener.origin}/_local/conduct.html?once=${pageLinks.make()}` });
}

/** Does not consume the link; showing the page does. */
export function isPageLink({ url }: Pick<RequestContext, "url">, { pageLinks }: ConductServices): boolean {
  return pageLinks.isValid(url.searchParams.get("once") ?? "");
}

/** Shows nothing of the gateway without a valid link. */
export function showConduct(context: RequestContext, services: ConductServices): void {
  const { response, url } = context;
  const isOpen = services.pageLinks.use(url.searchParams.get("once") ?? "");
  const next = isOpen ? `/_local/conduct.html?once=${services.pageLinks.make()}` : "";
  const page = Buffer.from(isOpen ? conductPage(services, next) : closedPage());
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
