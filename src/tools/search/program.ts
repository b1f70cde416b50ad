/** The program that each search thread runs: it serves searches of the files on the disk. */
import { serveSearch } from "./serveSearch";
import { syncDiskFiles } from "../../node/syncDiskFiles";

serveSearch(syncDiskFiles);
