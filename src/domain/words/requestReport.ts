/** The requests behind one answer as a text to search and copy: connection, times, sizes, what came back, and the same request as curl (S4). */
import { t } from "@vscode/l10n";
import { describeFailure, describeRetry } from "./describeAnswer";
import { describeDetails } from "./describeError";
import { plural } from "./plural";
import type { RequestTrace } from "../chat/requestTrace";
import type { AnswerEntry } from "../chat/chat";
import type { KeyPlace } from "../gateway/account";

type ReportLine = readonly [label: string, value: string];

/** `locale`: for numbers and times. */
export function requestReport(answer: AnswerEntry, traces: readonly RequestTrace[], locale: string): string {
  const formats = createFormats(locale);
  const sections = [section(t("Answer"), answerLines(answer, formats))];
  if (traces.length === 0)
    sections.push(t("The requests of this answer are not known any more: they are kept until the window closes."));
  const hasSeveral = traces.length > 1;
  for (const [index, trace] of traces.entries()) {
    const title = hasSeveral ? t("Request {0} of {1}", index + 1, traces.length) : t("Request");
    sections.push(section(title, requestLines(trace, formats)), ...bodyParts(trace, formats));
  }
  const last = traces.at(-1);
  if (last) sections.push(part(t("The last request as curl, without the key"), curl(last)));
  return `${sections.join("\n\n")}\n`;
}

interface Formats {
  readonly count: (value: number) => string;
  readonly time: (at: number) => string;
}

function createFormats(locale: string): Formats {
  const count = new Intl.NumberFormat(locale);
  const time = new Intl.DateTimeFormat(locale, { dateStyle: "short", timeStyle: "medium" });
  return { count: (value) => count.format(value), time: (at) => time.format(at) };
}

function answerLines(answer: AnswerEntry, { count, time }: Formats): readonly ReportLine[] {
  const { usage, failure, retries = [] } = answer;
  const described = describeFailure(answer);
  const tokens = usage && (["input", "output", "reasoning", "cacheRead", "cacheWrite"] as const);
  return [
    [t("Model"), answer.model],
    [t("API"), answer.family],
    [t("Begun"), time(answer.startedAt)],
    [t("State"), answer.state],
    [t("Finish reason"), answer.finish ?? ""],
    [t("Cut"), answer.cut === undefined ? "" : answer.cut ? t("yes, no sign of completion was seen") : t("no")],
    ...(tokens ?? []).map((name): ReportLine => [name, usage?.[name] === undefined ? "" : count(usage[name])]),
    [t("Usage as reported"), usage === undefined ? "" : JSON.stringify(usage.raw)],
    ...retries.map((retry): ReportLine => [t("Sent again"), describeRetry(retry)]),
    [t("Error"), described === undefined ? "" : `${described.title} ${described.meaning}`],
    [t("Details"), failure !== undefined && "error" in failure ? indent(describeDetails(failure.error)) : ""],
  ];
}

function requestLines(trace: RequestTrace, { count, time }: Formats): readonly ReportLine[] {
  const { times, received, error } = trace;
  const byteCount = (bytes: number): string => plural(bytes, { one: "1 byte", other: "{0} bytes" }, count(bytes));
  const after = (at: number | undefined): string =>
    at === undefined ? "" : t("after {0} ms", count(Math.round(at - times.begun)));
  return [
    [t("Address"), `${trace.method} ${trace.url}`],
    [t("Connection"), describeWay(trace)],
    [t("Begun"), time(times.begun)],
    [t("Connected"), after(times.connected)],
    [t("Status"), trace.status === undefined ? "" : `${trace.status}, ${after(times.responded)}`],
    [t("Request id"), trace.requestId ?? ""],
    [t("Content type"), trace.contentType ?? ""],
    [t("First byte"), after(times.firstByte)],
    [t("Last byte"), after(times.lastByte)],
    [t("Ended"), times.ended === undefined ? t("still under way") : after(times.ended)],
    [t("Longest pause"), received.chunks < 2 ? "" : t("{0} ms", count(Math.round(received.longestGap)))],
    [t("Sent"), byteCount(new TextEncoder().encode(trace.body).byteLength)],
    [t("Received"), byteCount(received.bytes)],
    [t("Chunks"), count(received.chunks)],
    [t("Error"), error === undefined ? "" : indent(describeDetails(error))],
  ];
}

function describeWay({ way }: RequestTrace): string {
  switch (way?.kind) {
    case undefined:
      return t("none was made");
    case "direct":
      return t("direct");
    case "proxy":
      return t("through the proxy {0}", way.proxy);
    case "editor":
      return t("by VS Code's own fetch");
  }
}

function bodyParts({ body, received }: RequestTrace, { count }: Formats): readonly string[] {
  const { head, tail, omitted } = received;
  const cut = plural(omitted, { one: "1 byte is left out here", other: "{0} bytes are left out here" }, count(omitted));
  const middle = omitted > 0 ? `\n\n… ${cut} …\n\n` : "";
  return [part(t("Sent"), body), part(t("Received"), `${head}${middle}${tail}`)];
}

/** Lines without a value are left out. */
function section(title: string, lines: readonly ReportLine[]): string {
  const told = lines.filter(([, value]) => value !== "");
  const width = Math.max(...told.map(([label]) => label.length));
  return [heading(title), ...told.map(([label, value]) => `${label.padEnd(width)}  ${value}`)].join("\n");
}

function part(title: string, text: string): string {
  return `${heading(title)}\n${text === "" ? t("nothing") : text.trimEnd()}`;
}

function heading(title: string): string {
  return `${title}\n${"─".repeat(title.length)}`;
}

function indent(text: string): string {
  return text.includes("\n") ? `\n${text.replaceAll(/^/gm, "  ")}` : text;
}

// Writes a request as a command for a POSIX shell, with a variable in place of the key.

/** A copied command reads the key from this environment variable. */
const key = "$SLUICE_API_KEY";

interface CurlRequest {
  readonly url: string;
  /** `bearer` when left out. */
  readonly keyPlace?: KeyPlace;
  readonly headers?: Readonly<Record<string, string>>;
  /** The body; a request with one is a POST. */
  readonly body?: string;
}

export function curl({ url, keyPlace = "bearer", headers = {}, body }: CurlRequest): string {
  const lines = [keyPlace === "query" ? `curl ${quote(withQuery(url))}"${key}"` : `curl ${quote(url)}`];
  if (keyPlace !== "query")
    lines.push(`-H "${keyPlace === "bearer" ? "Authorization: Bearer" : `${keyPlace}:`} ${key}"`);
  for (const [name, value] of Object.entries(headers)) lines.push(`-H ${quote(`${name}: ${value}`)}`);
  if (body !== undefined) lines.push(`--data-raw ${quote(body)}`);
  return lines.join(" \\\n  ");
}

function withQuery(url: string): string {
  return `${url}${url.includes("?") ? "&" : "?"}key=`;
}

/** Within single quotation marks a shell expands nothing; the mark itself ends them, is escaped, and opens them again. */
function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
