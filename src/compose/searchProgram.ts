/** The program of the threads that search files. */
import { serveSearch } from "../tools/search/serveSearch";
import { syncDiskFiles } from "../vscode/syncDiskFiles";

serveSearch(syncDiskFiles);
