/** The program of the thread that searches files. */
import { serveSearch } from "../tools/search/serveSearch";
import { createSyncDiskFiles } from "../vscode/syncDiskFiles";

void serveSearch(createSyncDiskFiles());
