/** The program of the threads that search files. */
import { serveSearch } from "./serveSearch";
import { syncDiskFiles } from "../../node/syncDiskFiles";

serveSearch(syncDiskFiles);
