/** Draws a page of this machine with a Chromium, Chrome or Edge that is installed: without a window, with an empty profile, and with nothing else in reach. */
import { existsSync } from "node:fs";
import { mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, isAbsolute, join } from "node:path";
import type { ChildProcesses } from "../../domain/tools/childProcesses";
import type { PagePort, PageSize } from "../../domain/tools/toolPorts";
import { isInside } from "../gate/pathNames";

/** Milliseconds of the page's own time, and of the whole. */
const times = { page: 5000, all: 20_000 };
/** Bytes. */
const pictureCap = 16 * 1024 * 1024;

const programs = [
  "google-chrome-stable",
  "google-chrome",
  "chromium",
  "chromium-browser",
  "microsoft-edge-stable",
  "microsoft-edge",
];

export type EnvironmentVariables = Readonly<Record<string, string | undefined>>;

/** The program of an installed browser outside of the workspace. `roots`: its folders. `isThere`: whether a file is at a path. */
export function findBrowser(
  platform: NodeJS.Platform,
  environment: EnvironmentVariables,
  roots: readonly string[],
  isThere: (path: string) => boolean = existsSync,
): string | undefined {
  const isOutside = (path: string): boolean => roots.every((root) => !isInside(root, path));
  return candidates(platform, environment).find((path) => isOutside(path) && isThere(path));
}

function candidates(platform: NodeJS.Platform, environment: EnvironmentVariables): readonly string[] {
  if (platform === "darwin") {
    const names = ["Google Chrome", "Chromium", "Microsoft Edge"];
    const folders = ["/Applications", `${environment["HOME"] ?? ""}/Applications`];
    return folders.flatMap((folder) => names.map((name) => `${folder}/${name}.app/Contents/MacOS/${name}`));
  }
  if (platform === "win32") {
    const folders = ["PROGRAMFILES", "PROGRAMFILES(X86)", "LOCALAPPDATA"].flatMap((name) => environment[name] ?? []);
    const places = [
      "Google\\Chrome\\Application\\chrome.exe",
      "Chromium\\Application\\chrome.exe",
      "Microsoft\\Edge\\Application\\msedge.exe",
    ];
    return places.flatMap((place) => folders.map((folder) => `${folder}\\${place}`));
  }
  // A relative folder of PATH would be one of the workspace.
  const folders = (environment["PATH"] ?? "").split(delimiter).filter(isAbsolute);
  return programs.flatMap((program) => folders.map((folder) => join(folder, program)));
}

/**
 * The proxy is a name that leads nowhere, and only the address itself is excepted from it: frames, redirects, scripts and pictures of any
 * other origin, of this machine too, are not loaded. Names but those of this machine lead nowhere even so.
 */
export function browserArguments(
  url: URL,
  { width, height }: PageSize,
  folder: string,
  isRoot: boolean,
): readonly string[] {
  return [
    "--headless=new",
    `--user-data-dir=${join(folder, "profile")}`,
    `--screenshot=${join(folder, "page.png")}`,
    `--window-size=${width},${height}`,
    "--hide-scrollbars",
    `--virtual-time-budget=${times.page}`,
    "--proxy-server=http://nowhere.invalid:9",
    `--proxy-bypass-list=<-loopback>;${url.host}`,
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE localhost , EXCLUDE 127.0.0.1 , EXCLUDE [::1]",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--disable-quic",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-extensions",
    "--disable-default-apps",
    "--no-first-run",
    "--no-default-browser-check",
    "--no-pings",
    "--disable-gpu",
    "--mute-audio",
    "--password-store=basic",
    "--use-mock-keychain",
    "--deny-permission-prompts",
    "--block-new-web-contents",
    // Its sandbox does not start as root, the user of most containers.
    ...(isRoot ? ["--no-sandbox"] : []),
    url.href,
  ];
}

/** `undefined` where no browser is installed. */
export function createPageCapture(processes: ChildProcesses, browser: string | undefined): PagePort | undefined {
  if (browser === undefined) return undefined;
  return {
    async capture(url, size, signal) {
      const folder = await mkdtemp(join(tmpdir(), "sluice-page-"));
      try {
        const isRoot = process.getuid?.() === 0;
        const { environment } = processes;
        const kept = ["PATH", "SystemRoot", "LANG", "TZ", "XDG_RUNTIME_DIR", "FONTCONFIG_PATH", "FONTCONFIG_FILE"];
        const plain = kept.flatMap((name) =>
          environment[name] === undefined ? [] : [[name, environment[name]] as const],
        );
        await processes.run(
          {
            argv: [browser, ...browserArguments(url, size, folder, isRoot)],
            cwd: folder,
            // Its home is the folder that is removed: no profile, no download and no cache of the person's is read or written.
            environment: {
              ...Object.fromEntries(plain),
              HOME: folder,
              USERPROFILE: folder,
              TMPDIR: folder,
              TEMP: folder,
              TMP: folder,
            },
            timeoutMs: times.all,
            onOutput: () => undefined,
          },
          signal,
        );
        return await readPicture(join(folder, "page.png"));
      } finally {
        await rm(folder, { recursive: true, force: true, maxRetries: 5 }).catch(() => undefined);
      }
    },
  };
}

/** `undefined` where the browser has written none. */
async function readPicture(path: string): Promise<Uint8Array | undefined> {
  const file = await open(path).catch(() => undefined);
  if (file === undefined) return undefined;
  try {
    const { size } = await file.stat();
    return size === 0 || size > pictureCap ? undefined : await file.readFile();
  } finally {
    await file.close();
  }
}
