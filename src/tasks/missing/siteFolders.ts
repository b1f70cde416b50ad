/** Finds which folders a framework serves and which ones it writes itself, by the files and packages of the project's folder. Pure. */

export interface SiteFolders {
  /** The served folders from the project's folder, empty or with `/` at their end. A new file goes into the first one. */
  readonly served: readonly string[];
  /** The folders that the framework writes. */
  readonly generated: readonly string[];
  /** No framework and no page of its own is known. */
  readonly isPlain?: true;
  /** The folders that `@/` may lead to. */
  readonly sources?: readonly string[];
  /** A path without a slash at its beginning is one in the served folder too. */
  readonly servesBare?: true;
}

interface Framework extends SiteFolders {
  /** Any of these files or folders in the project's folder, or any of these packages, shows the framework. */
  readonly files?: readonly string[];
  readonly packages?: readonly string[];
}

const frameworks: readonly Framework[] = [
  {
    files: ["hugo.toml", "hugo.yaml", "hugo.yml", "hugo.json", "archetypes"],
    served: ["static/", "assets/", "content/"],
    generated: ["public/", "resources/"],
  },
  { packages: ["gatsby"], served: ["static/"], generated: ["public/", ".cache/"] },
  { packages: ["@sveltejs/kit"], served: ["static/"], generated: [".svelte-kit/", "build/"] },
  { packages: ["@docusaurus/core"], served: ["static/"], generated: ["build/", ".docusaurus/"] },
  { packages: ["nuxt2", "nuxt-edge"], served: ["static/"], generated: [], sources: ["", "src/"] },
  {
    packages: ["nuxt", "nuxt3", "nuxt-nightly"],
    served: ["public/", "static/"],
    generated: [".nuxt/", ".output/"],
    sources: ["", "app/", "src/"],
  },
  { files: ["angular.json"], served: ["public/", "src/"], generated: ["dist/", ".angular/"], servesBare: true },
  { files: [".vitepress"], served: ["public/"], generated: [".vitepress/dist/", ".vitepress/cache/"] },
  { files: [".vuepress"], served: [".vuepress/public/"], generated: [".vuepress/dist/"] },
  { packages: ["next"], served: ["public/", "app/", "src/app/"], generated: [".next/", "out/"] },
  { files: ["_config.yml", "_config.yaml"], served: ["", "source/"], generated: ["_site/", ".jekyll-cache/"] },
  { files: ["mkdocs.yml", "mkdocs.yaml"], served: ["docs/"], generated: ["site/"] },
  { files: ["book.toml"], served: ["src/"], generated: ["book/"] },
  {
    files: [".eleventy.js", "eleventy.config.js", "eleventy.config.mjs", "eleventy.config.cjs"],
    packages: ["@11ty/eleventy"],
    served: ["", "src/", "public/", "static/"],
    generated: ["_site/"],
  },
  { files: ["artisan"], served: ["public/", "resources/"], generated: ["public/build/"] },
  { files: ["manage.py"], served: ["static/", ""], generated: ["staticfiles/"] },
  {
    files: ["Gemfile", "config.ru"],
    served: ["public/", "app/assets/images/"],
    generated: ["public/assets/", "public/packs/"],
  },
  {
    packages: [
      "astro",
      "vite",
      "@remix-run/dev",
      "react-scripts",
      "@vue/cli-service",
      "@tauri-apps/api",
      "@tauri-apps/cli",
      "parcel",
      "@quasar/app-vite",
      "preact-cli",
      "@solidjs/start",
      "@builder.io/qwik",
    ],
    served: ["public/", "static/", "src/"],
    generated: [],
  },
];

const usual: SiteFolders = { served: ["", "public/", "static/", "src/", "www/"], generated: [] };

/** Names that make a folder the root of a project. */
const markers = new Set([
  "package.json",
  "composer.json",
  "pubspec.yaml",
  ...frameworks.flatMap(({ files = [] }) => files),
]);

/** `outer` are the sites around it. A plain site begins at the outermost page of its own. */
export function isSiteFolder(names: ReadonlySet<string>, outer: readonly SiteFolders[]): boolean {
  if (names.has("index.html") && outer.every((site) => site.isPlain === true)) return true;
  for (const name of markers) if (names.has(name)) return true;
  return false;
}

/** `names`: in the project's folder. `manifest`: the text of its package.json. */
export function siteFoldersOf(names: ReadonlySet<string>, manifest: string | undefined): SiteFolders {
  const packages = packagesIn(manifest);
  const isOld = /^[~^]?2\./.test(packages.get("nuxt") ?? "");
  const has = (one: string): boolean => (one === "nuxt2" ? isOld : packages.has(one));
  const found = frameworks.find(
    ({ files = [], packages: wanted = [] }) => files.some((name) => names.has(name)) || wanted.some(has),
  );
  // Angular had its files next to the sources before it had a folder for them.
  if (found?.servesBare === true && !names.has("public")) return { ...found, served: found.served.toReversed() };
  if (found) return found;
  if (names.has("index.html"))
    return { ...usual, served: names.has("public") ? ["public/", ...usual.served] : usual.served };
  if (names.has("public")) return { ...usual, served: ["public/", "", "static/", "src/"] };
  return names.has("static") ? { ...usual, served: ["static/", "", "public/", "src/"] } : { ...usual, isPlain: true };
}

/** The versions by the names of packages. */
function packagesIn(manifest: string | undefined): ReadonlyMap<string, string> {
  try {
    const value = JSON.parse(manifest ?? "{}") as Readonly<Record<string, unknown>> | null;
    const all = ["dependencies", "devDependencies", "peerDependencies"].flatMap((key) =>
      Object.entries(Object(value?.[key]) as object),
    );
    return new Map(all.map(([name, version]) => [name, String(version)]));
  } catch {
    return new Map();
  }
}

/** Folders that programs write, wherever they lie. */
const writtenAnywhere =
  /(?:^|\/)(?:node_modules|bower_components|\.git|\.next|\.nuxt|\.output|\.svelte-kit|\.docusaurus|\.astro|\.angular|\.cache|\.parcel-cache|\.turbo|\.vercel|\.netlify|__pycache__|\.venv|venv|Pods|DerivedData|coverage|storybook-static|_site|third[-_]?party|testdata|__fixtures__|__snapshots__|__tests__)\//;
/** Folders that programs write, where they lie at the top of a project or of its served folder. */
const writtenInProject = /^(?:dist|build|out|target|vendor|_build|release)\//;

/** Whether programs write the file. `path` is from the root, `inProject` from the folder of its project. */
export function isGenerated(path: string, inProject: string, { generated, served }: SiteFolders): boolean {
  const folder = served.find((one) => one !== "" && inProject.startsWith(one)) ?? "";
  return (
    writtenAnywhere.test(path) ||
    writtenInProject.test(inProject) ||
    writtenInProject.test(inProject.slice(folder.length)) ||
    generated.some((folder) => inProject.startsWith(folder))
  );
}

/** Whether the path, with slashes, lies in a folder that programs write, wherever that lies. */
export function isWrittenAnywhere(path: string): boolean {
  return writtenAnywhere.test(path);
}

/** Whether the path lies in a folder of tests: what these name is often not there on purpose. */
export function isTestPath(path: string): boolean {
  return /(?:^|\/)(?:fixtures?|__mocks__|__fixtures__|__tests__|testdata|test-data|snapshots?)\//i.test(path);
}
