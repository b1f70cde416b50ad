/**
 * Where the file of a reference may lie, and whether it is there. Only names in listings of folders below the root are compared: no path from a
 * document is ever looked up on the disk, and a folder that is a link is never entered.
 */
import { destinationProblem } from "../../domain/task/destination";
import type { FoundReference } from "./foundReference";
import { servedPath } from "./foundReference";
import { isGenerated, isSiteFolder, isTestPath, type SiteFolders, siteFoldersOf } from "./siteFolders";

export type EntryKind = "file" | "folder" | "link" | "other";
/** The entries of a folder by name. `unknown`: it can't be listed in full. `undefined`: there is no such folder. */
export type Listing = ReadonlyMap<string, EntryKind> | "unknown" | undefined;

export interface ListedFolders {
  /** `folder`: from the root, empty or with `/` at its end. Called with folders only that were listed in their parent as folders. */
  list(folder: string): Promise<Listing>;
  /** The text of a small file that was listed; `undefined` where it can't be read. */
  read(path: string): Promise<string | undefined>;
  /** Whether git ignores the file. */
  isIgnored(path: string): Promise<boolean>;
}

interface Project {
  /** The path from the root, empty or with `/` at its end. */
  readonly folder: string;
  readonly site: SiteFolders;
}

/** Folders of the served one that are looked into. */
const maxFolders = 100;

/** Levels between the document and the root that are looked through. */
const maxLevels = 30;

/** Resolves the references of one root; made anew when files have come or gone. */
export class ReferenceResolver {
  readonly #folders: ListedFolders;
  readonly #listings = new Map<string, Listing | Promise<Listing>>();
  readonly #projects = new Map<string, readonly Project[]>();
  readonly #lower = new WeakMap<object, ReadonlySet<string>>();

  constructor(folders: ListedFolders) {
    this.#folders = folders;
  }

  /**
   * The path from the root at which a missing file is to be made; `undefined` where it is there, where that is not known, or where no person makes
   * it.
   */
  async missingPath(document: string, reference: FoundReference): Promise<string | undefined> {
    const written = pathOf(reference.written);
    if (written === undefined) return undefined;
    const projects = await this.#projectsOf(folderPathOf(document));
    const places = candidatePaths(document, { ...reference, written }, projects);
    for (const place of places) if ((await this.#find(place, reference)) !== "missing") return undefined;
    if (reference.isData === true && (await this.#isInServed(written, projects[0]))) return undefined;
    const first = await this.#likeliest(places, written, projects[0]);
    if (first === undefined) return undefined;
    const project = projects.find(({ folder }) => first.startsWith(folder));
    if (project && isGenerated(first, first.slice(project.folder.length), project.site)) return undefined;
    return (await this.#folders.isIgnored(first)) ? undefined : first;
  }

  /** Whether a folder inside the served one has the file: code names that folder. */
  async #isInServed(written: string, project: Project | undefined): Promise<boolean> {
    const base = `${project?.folder ?? ""}${project?.site.served[0] ?? ""}`;
    if ((await this.#find(`${base}.`, { use: "page" })) !== "folder") return false;
    const listing = await this.#list(base);
    const folders = typeof listing === "object" ? [...listing].filter(([, kind]) => kind === "folder") : [];
    for (const [name] of folders.slice(0, maxFolders)) {
      const place = joined(`${base}${name}/`, written.replace(/^(?:\.{0,2}\/)+/, ""));
      if (place !== undefined && (await this.#find(place, { use: "page" })) === "there") return true;
    }
    return false;
  }

  /** The first place whose folder is there, where it is not certain which folder is served. */
  async #likeliest(
    places: readonly string[],
    written: string,
    project: Project | undefined,
  ): Promise<string | undefined> {
    const [first] = places;
    if (project?.site.served[0] !== "" || first === undefined) return first;
    const base = folderPathOf(first);
    if (base === project.folder) return first;
    const whole = written.replace(/^(?:\.{0,2}\/)+/, "");
    for (const place of places) {
      const folder = folderPathOf(place);
      if (
        folder !== "" &&
        `/${place}`.endsWith(`/${whole}`) &&
        (await this.#find(`${folder}.`, { use: "page" })) === "folder"
      )
        return place;
    }
    return first;
  }

  /** The folder of the nearest project, from the root. */
  async projectFolder(path: string): Promise<string> {
    return (await this.#projectsOf(folderPathOf(path)))[0]?.folder ?? "";
  }

  /** Whether a program has written the document, or a test reads it. */
  async isGeneratedDocument(document: string): Promise<boolean> {
    if (isTestPath(document)) return true;
    const [project] = await this.#projectsOf(folderPathOf(document));
    return project !== undefined && isGenerated(document, document.slice(project.folder.length), project.site);
  }

  /** The projects around a folder, the nearest first; the root is the last one. */
  async #projectsOf(folder: string): Promise<readonly Project[]> {
    const known = this.#projects.get(folder);
    if (known) return known;
    const outer = folder === "" ? [] : await this.#projectsOf(parentOf(folder));
    const listing = await this.#list(folder);
    const names = new Set(typeof listing === "object" ? listing.keys() : []);
    let found: readonly Project[] = outer;
    if (
      folder === "" ||
      isSiteFolder(
        names,
        outer.map(({ site }) => site),
      )
    ) {
      const manifest = names.has("package.json") ? await this.#folders.read(`${folder}package.json`) : undefined;
      found = [{ folder, site: siteFoldersOf(names, manifest) }, ...outer];
    }
    this.#projects.set(folder, found);
    return found;
  }

  /** Whether the folder was there when a reference was looked for; its path ends with `/`. */
  hasListed(folder: string): boolean {
    return this.#listings.get(folder) instanceof Map;
  }

  #list(folder: string): Listing | Promise<Listing> {
    if (this.#listings.has(folder)) return this.#listings.get(folder);
    const listing = this.#folders.list(folder).then((listed) => {
      this.#listings.set(folder, listed);
      return listed;
    });
    this.#listings.set(folder, listing);
    return listing;
  }

  /** `unknown`: behind a link, or in a folder that can't be listed. */
  async #find(
    path: string,
    reference: Pick<FoundReference, "use">,
  ): Promise<"there" | "missing" | "unknown" | "folder"> {
    const names = path.split("/");
    let folder = "";
    for (const [at, name] of names.entries()) {
      const known = this.#list(folder);
      const listing = known instanceof Promise ? await known : known;
      if (listing === "unknown") return "unknown";
      if (listing === undefined) return "missing";
      const kind = listing.get(name);
      if (name === ".") return "folder";
      if (at === names.length - 1) return this.#isNamed(listing, name, kind, reference) ? "there" : "missing";
      if (kind === "link" || kind === "other" || kind === "file") return "unknown";
      // A file system that ignores case would find the folder.
      if (kind === undefined) return this.#lowerOf(listing).has(name.toLowerCase()) ? "unknown" : "missing";
      folder += `${name}/`;
    }
    return "missing";
  }

  /** Whether the folder has the file, a route or a program that makes it, or a variant that React Native chooses from. */
  #isNamed(
    listing: ReadonlyMap<string, EntryKind>,
    name: string,
    kind: EntryKind | undefined,
    { use }: Pick<FoundReference, "use">,
  ): boolean {
    if (kind !== undefined) return true;
    const lower = this.#lowerOf(listing);
    const wanted = name.toLowerCase();
    if (lower.has(wanted)) return true;
    if (["ts", "js", "tsx", "jsx", "py", "php"].some((ending) => lower.has(`${wanted}.${ending}`))) return true;
    if (use !== "module" && use !== "config") return false;
    const dot = wanted.lastIndexOf(".");
    const [stem, ending] = [wanted.slice(0, dot), wanted.slice(dot)];
    return ["@2x", "@3x", ".ios", ".android"].some((variant) => lower.has(stem + variant + ending));
  }

  #lowerOf(listing: ReadonlyMap<string, EntryKind>): ReadonlySet<string> {
    const known = this.#lower.get(listing) ?? new Set([...listing.keys()].map((name) => name.toLowerCase()));
    this.#lower.set(listing, known);
    return known;
  }
}

/** The path without query and fragment, with its escapes read; `undefined` for what names no file of the project on every system. */
function pathOf(written: string): string | undefined {
  const [bare = ""] = servedPath(written).split(/[?#]/, 1);
  let path: string;
  try {
    path = decodeURIComponent(bare);
  } catch {
    path = bare;
  }
  const inside = path.replace(/^(?:~?@\/|[~/]+\/?|@site\/|\$lib\/)/, "").replaceAll(/(?:^|\/)\.{1,2}(?=\/)/g, "");
  // A shell reads this as the person's own folder.
  const isHome = path.startsWith("~/.");
  return isHome || path.startsWith("//") || destinationProblem(inside.replace(/^\/+/, "")) !== undefined
    ? undefined
    : path;
}

/** The places where the file may lie, as paths from the root, the likeliest first. */
function candidatePaths(
  document: string,
  { written, use, isServed }: FoundReference,
  projects: readonly Project[],
): readonly string[] {
  const own = folderPathOf(document);
  const [project] = projects;
  const below = project?.folder ?? "";
  const served = projects.flatMap(({ folder, site }) => site.served.map((one) => folder + one));
  const above = ancestorsOf(own);
  const alias = /^(?:~?@\/|~~?\/|\$lib\/|@site\/)/.exec(written)?.[0];
  const found: (string | undefined)[] = [];
  if (alias !== undefined) {
    const path = written.slice(alias.length);
    const first = ({ site: { sources = ["src/", "", "app/"] } }: Project): readonly string[] =>
      alias === "@site/"
        ? [""]
        : alias === "$lib/"
          ? ["src/lib/"]
          : alias.includes("@")
            ? sources
            : ["", "src/", "app/"];
    found.push(...projects.flatMap((one) => first(one).map((folder) => joined(one.folder + folder, path))));
  } else if (/^[~@#$]/.test(written)) return [];
  else if (written.startsWith("/")) {
    if (/^\/(?:_next|_nuxt|_astro|_app|@fs|@id|api|cdn-cgi|wp-content)\//.test(written)) return [];
    const path = written.slice(1);
    // Some documents name the served folder too.
    if (project?.site.served.some((folder) => folder !== "" && path.startsWith(folder)))
      found.push(joined(below, path));
    found.push(...served.map((folder) => joined(folder, path)));
    // A program reads the path from its project's folder, in which it is started.
    if (use === "config") found.push(joined(below, path));
    found.push(...above.map((folder) => joined(folder, path)));
    // The site may be served below a path, whose first part is then no folder.
    const slash = path.indexOf("/");
    if (slash > 0) found.push(...served.map((folder) => joined(folder, path.slice(slash + 1))));
    found.push(...routesOf(below, path));
  } else if (isServed === true) {
    found.push(...served.map((folder) => joined(folder, written)));
  } else {
    const isCode = /\.(?:[cm]?[jt]sx?)$/.test(document);
    const isRelative = /^\.{1,2}\//.test(written);
    const relative = joined(own, written);
    if (relative === undefined) return [];
    if (use === "module" || use === "config") found.push(relative);
    else if (use === "style") {
      found.push(relative);
      // A style sheet that is imported into another one is read from there.
      if (/\.(?:scss|sass|less|styl)$/.test(document)) found.push(...above.map((folder) => joined(folder, written)));
    } else if (isCode && written.startsWith("src/")) found.push(joined(below, written));
    else if (isCode && !isRelative) found.push(...served.map((folder) => joined(folder, written)), relative);
    else {
      // A template becomes a page in another folder.
      const isTemplate =
        /\.(?:php|erb|ejs|hbs|njk|liquid|twig|cshtml|j2|jinja2?)$/.test(document) ||
        (project?.site.servesBare === true && document.endsWith(".html"));
      if (!isRelative && isTemplate && project?.site.served[0] !== "")
        found.push(...served.map((folder) => joined(folder, written)));
      // The code of a page names what lies next to the page.
      const bare = written.replace(/^(?:\.{1,2}\/)+/, "");
      if (isCode && written.startsWith("./")) found.push(...served.map((folder) => joined(folder, bare)));
      found.push(relative);
      if (isCode || isRelative) found.push(...served.map((folder) => joined(folder, bare)));
      else
        found.push(
          ...served.map((folder) => joined(folder, written)),
          ...above.map((folder) => joined(folder, written)),
        );
    }
    // The code may be loaded by a page in a folder above it.
    if (isCode && use !== "module") found.push(...above.map((folder) => joined(folder, written)));
  }
  return [...new Set(found.filter((one) => one !== undefined))];
}

/** Files of the conventions of Next, SvelteKit and Astro that answer for a path of the site. */
function routesOf(project: string, path: string): readonly (string | undefined)[] {
  return ["app/", "src/app/", "src/pages/", "pages/", "src/routes/", "server/routes/"].map((folder) =>
    joined(project + folder, path),
  );
}

function ancestorsOf(folder: string): readonly string[] {
  const found: string[] = [];
  for (let one = folder; found.length < maxLevels; one = parentOf(one)) {
    found.push(one);
    if (one === "") break;
  }
  return found;
}

/** The folder of a path, empty or with `/` at its end. */
export function folderPathOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/") + 1);
}

function parentOf(folder: string): string {
  return folderPathOf(folder.slice(0, -1));
}

/** Joins a folder and a path; `undefined` where that leads out of the root. */
function joined(folder: string, path: string): string | undefined {
  const names: string[] = [];
  for (const name of `${folder}${path}`.split("/")) {
    if (name === "" || name === ".") continue;
    if (name !== "..") names.push(name);
    else if (names.pop() === undefined) return undefined;
  }
  return names.length === 0 ? undefined : names.join("/");
}
