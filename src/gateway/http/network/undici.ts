/**
 * The parts of undici that are in use, each imported by its own path: its index also loads fetch, WebSocket, caches and mocks,
 * ten times as much. A test compares these with what the index exports.
 */
import connect from "undici/lib/api/api-connect.js";
import request from "undici/lib/api/api-request.js";
import errors from "undici/lib/core/errors.js";
import Client from "undici/lib/dispatcher/client.js";
import Dispatcher from "undici/lib/dispatcher/dispatcher.js";
import Pool from "undici/lib/dispatcher/pool.js";

// The index of undici does the same with these and three more.
Object.assign(Dispatcher.prototype, { request, connect });

export { Client, errors, Pool };
export type { buildConnector, Dispatcher } from "undici";
