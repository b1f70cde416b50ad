/** The program of the threads that search files. */
import { serveSearch } from "../tools/search/serveSearch";
import { syncDiskFiles } from "../node/syncDiskFiles";

serveSearch(syncDiskFiles);
