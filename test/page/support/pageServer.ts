/** Serves the built pages with the host's policy, as VS Code does, and what a test gives as files of the results folder. */
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { scriptedPagePolicy } from "../../../src/vscode/pageHtml";
import { partOf } from "../../support/runs";
import themes from "./themes.json";

export type Theme = keyof typeof themes;
export const themeNames: readonly Theme[] = ["dark", "light", "high-contrast", "high-contrast-light"];

/** The dark theme and all others, or a part of them that is drawn for the scene of that index. */
export function themesOfRun(index: number): readonly Theme[] {
  const [dark = "dark", ...others] = themeNames;
  return [dark, ...partOf(others, index)];
}

const built = path.resolve("dist/webview");
const nonce = "dGVzdA";
/** The host's own, with this server as the origin of its files. */
const policyOf = (bundle: string): string =>
  scriptedPagePolicy("'self'", nonce, { video: true, reads: ["gallery", "batch", "task", "assets"].includes(bundle) });

/** VS Code's side of the page: it records intents and the states that the host keeps, and keeps the state from load to load. */
const hostScript = `
// The same tab shows one page after the other: the state is that of the address.
if (sessionStorage.getItem("place") !== location.pathname) sessionStorage.clear();
sessionStorage.setItem("place", location.pathname);
globalThis.posted = [];
globalThis.keptStates = [];
globalThis.violations = [];
addEventListener("securitypolicyviolation", (event) => violations.push(event.violatedDirective + " " + event.blockedURI + " " + event.sample));
addEventListener("error", (event) => violations.push(String(event.message)));
// A script of the server is compiled once in a run, and one that is evaluated at each load of the page.
globalThis.loadAxe = async () => void (await import("/axe.js"));
let acquired = false;
globalThis.acquireVsCodeApi = () => {
  if (acquired) throw new Error("acquired twice");
  acquired = true;
  return {
    postMessage: (message) => {
      if (message.type === "state-changed") keptStates.push(structuredClone(message.state));
      else posted.push(structuredClone(message));
    },
    getState: () => JSON.parse(sessionStorage.getItem("state") ?? "null") ?? undefined,
    setState: (state) => sessionStorage.setItem("state", JSON.stringify(state)),
  };
};`;

/** What VS Code styles in every webview before the page's own sheets. */
const defaultStyles = `
html { scrollbar-color: var(--vscode-scrollbarSlider-background) var(--vscode-editor-background); }
body { overscroll-behavior-x: none; background: var(--vscode-sideBar-background); color: var(--vscode-editor-foreground); margin: 0; padding: 0 20px; }
a, a code { color: var(--vscode-textLink-foreground); }
code { color: var(--vscode-textPreformat-foreground); background-color: var(--vscode-textPreformat-background); padding: 1px 3px; border-radius: 4px; }
pre code { padding: 0; }
blockquote { background: var(--vscode-textBlockQuote-background); border-color: var(--vscode-textBlockQuote-border); }`;

function themeSheet(theme: Theme): string {
  const variables = Object.entries(themes[theme]).map(([name, value]) => `${name}: ${value};`);
  const fonts =
    "--vscode-font-family: system-ui, sans-serif; --vscode-font-size: 13px; --vscode-editor-font-family: monospace; --vscode-editor-font-size: 12px;";
  const light = theme.endsWith("light") ? "light" : "dark";
  return `:root { color-scheme: ${light}; ${fonts} ${variables.join(" ")} }${defaultStyles}`;
}

/** Files by name, with their types. */
export type Media = Readonly<Record<string, readonly [type: string, Buffer]>>;

export interface ServedPage {
  readonly bundle: string;
  readonly theme: Theme;
  /** The words of another language, as the host would give them. */
  readonly words?: Readonly<Record<string, string>> | undefined;
  readonly direction?: "ltr" | "rtl" | undefined;
  /** The files of the results folder. */
  readonly media: Media;
  /** The state that the host has kept of the page. */
  readonly kept?: Readonly<Record<string, unknown>> | undefined;
}

export interface PageServer {
  /** Serves the page at an address of its own until it is forgotten. */
  serve(page: ServedPage): { readonly url: string; readonly forget: () => void };
  close(): Promise<void>;
}

function documentOf({ bundle, theme, words, kept, direction = "ltr" }: ServedPage): string {
  const attribute = (name: string, value: unknown): string =>
    value === undefined
      ? ""
      : ` data-${name}='${JSON.stringify(value).replaceAll("&", "&amp;").replaceAll("'", "&#39;")}'`;
  return `<!doctype html><html lang="en" dir="${direction}"><head><meta charset="utf-8"><title>Chat</title>
<link rel="stylesheet" href="/${theme}.css"><link rel="stylesheet" href="/shared.css"><link rel="stylesheet" href="/${bundle}.css"></head>
<body class="vscode-${theme}"><div id="app"${attribute("l10n", words)}${attribute("state", kept)}></div>
<script nonce="${nonce}" src="/host.js"></script><script type="module" nonce="${nonce}" src="/${bundle}.mjs"></script></body></html>`;
}

const types: Readonly<Record<string, string>> = { ".mjs": "text/javascript", ".css": "text/css", ".ttf": "font/ttf" };

export async function startPageServer(): Promise<PageServer> {
  const pages = new Map<string, ServedPage>();
  let opened = 0;
  const made: Readonly<Record<string, readonly [string, string]>> = {
    ...Object.fromEntries(themeNames.map((name) => [`/${name}.css`, ["text/css", themeSheet(name)]])),
    "/host.js": ["text/javascript", hostScript],
    "/axe.js": ["text/javascript", readFileSync("node_modules/axe-core/axe.min.js", "utf8")],
  };
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://127.0.0.1");
    const page = pages.get(pathname);
    if (page !== undefined) {
      response.setHeader("content-security-policy", policyOf(page.bundle));
      response.setHeader("content-type", "text/html");
      response.end(documentOf(page));
      return;
    }
    const name = path.basename(pathname);
    const file = [...pages.values()].at(-1)?.media[name];
    if (file !== undefined) {
      // Another test may have another file of that name.
      response.setHeader("cache-control", "no-store");
      response.setHeader("content-type", file[0]);
      response.end(file[1]);
      return;
    }
    const [type, text] = made[pathname] ?? [types[path.extname(name)], undefined];
    const bytes = type === undefined ? undefined : (text ?? readBuilt(name));
    if (type === undefined || bytes === undefined) {
      response.writeHead(404).end();
      return;
    }
    // Read once in a run: the files of a page would be asked for again at each load.
    response.setHeader("cache-control", "max-age=86400, immutable");
    response.setHeader("content-type", type);
    response.end(bytes);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    serve(page) {
      opened += 1;
      const place = `/${opened}/`;
      pages.set(place, page);
      const { port } = server.address() as AddressInfo;
      return { url: `http://127.0.0.1:${port}${place}`, forget: () => pages.delete(place) };
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function readBuilt(name: string): Buffer | undefined {
  try {
    return readFileSync(path.join(built, name));
  } catch {
    return undefined;
  }
}
