/** R5 through the whole client: a gateway gives the key back wherever it can, and it is in nothing that is kept, logged or shown. */
import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { createApp } from "../../support/createApp";
import { systemClock } from "../../../src/base/async/systemClock";
import { Emitter } from "../../../src/base/event";
import { Store } from "../../../src/base/store";
import { GatewayConnections } from "../../../src/gateway/connections";
import { createHttpGateway } from "../../../src/gateway/httpGateway";
import { createChildProcesses } from "../../../src/tools/command/childProcesses";
import { keptAccounts, keptLog, until } from "../../support/builders";
import { createDiskWorkspace } from "../../support/diskWorkspace";
import { createFastClock } from "../../support/fastClock";
import { encodings, findResidue } from "../../support/keyResidue";
import { openStoreAt } from "../../support/taskBoards";
import { createTemporaryFolder } from "../../support/temporaryFolder";
import { serve } from "./rawServer";
import { noEditor } from "../../support/noEditor";
import { plainAppOptions, plainEndpoint, settingsWith } from "../../support/plainOptions";

const key = "sk-Tq7mWz3RkX9vLp2Bn8Yc5Hd1-Gf6Js4Ua0Eo";

describe("R5: the key in the whole client", () => {
  for (const [name, encode] of Object.entries(encodings)) {
    it(`R5 (finding S13): ${name}`, async () => {
      const echo = encode(key);
      const temporary = await createTemporaryFolder();
      const server = await serve((response, { method, url }) => {
        const wire = (status: number, body: unknown): void => {
          const header = echo.replaceAll(/[^\x21-\x7e]/g, "");
          response.writeHead(status, { "content-type": "application/json", "x-request-id": header });
          response.end(JSON.stringify(body));
        };
        if (url.endsWith("/models")) wire(200, { data: [{ id: `m ${echo}`, note: echo }, { id: "m" }] });
        else if (url.endsWith("/events"))
          wire(200, { task_events: [{ task_event_id: echo, message: echo, status: 3 }] });
        else if (url.includes("/events?"))
          wire(200, { task_events: [{ task_event_id: echo, event_type: echo, message: echo, status: 3 }] });
        else if (url.endsWith("/cancel")) wire(409, { error: { message: `Too late for ${echo}`, code: echo } });
        else if (url.endsWith("/tasks") && method === "POST")
          wire(202, { task_id: "t1", hold_id: echo, request_id: echo, status: echo });
        else if (url.includes("/tasks/")) {
          wire(200, {
            status: 5,
            public_model: echo,
            error_code: echo,
            error_message: `It failed: ${echo}`,
            result_assets_json: JSON.stringify({ image_url: `https://cdn.example/?t=${echo}` }),
          });
        } else {
          response.writeHead(200, { "content-type": "text/event-stream" });
          response.write(
            `data: ${JSON.stringify({ id: echo, model: echo, choices: [{ delta: { content: "Hi" } }] })}\n\n`,
          );
          response.end(
            `data: {"broken ${echo}\n\ndata: ${JSON.stringify({ error: { message: echo, code: echo } })}\n\n`,
          );
        }
      });
      const log = keptLog();
      const connections = new GatewayConnections({
        baseUrl: new Store(server.url),
        keys: { read: () => Promise.resolve(key), onDidChange: new Emitter<string>().event },
        accounts: keptAccounts(),
        local: { start: () => Promise.reject(new Error("no")), onDidExit: new Emitter<void>().event },
        connect: (endpoint) => createHttpGateway({ ...plainEndpoint, ...endpoint, log, random: () => 1 }),
        log,
      });
      const memory: unknown[] = [];
      const app = await createApp({
        ...plainAppOptions,
        connections,
        workspace: createDiskWorkspace(temporary.path),
        loadProcesses: () => Promise.resolve(createChildProcesses(systemClock)),
        searchProgram: "",
        loadEditor: () => Promise.resolve(noEditor),
        attention: { focused: true, onDidChange: new Emitter<boolean>().event },
        clock: createFastClock(Date.now(), 100),
        random: () => 0.5,
        log,
        modelMemory: { read: () => undefined, write: (...kept) => void memory.push(kept) },
        settings: settingsWith(() => ({ "results.fetchUpTo": 0 })),
        configuredModels: { read: () => [], onDidChange: new Emitter<void>().event },
        storage: {
          openTasks: openStoreAt(join(temporary.path, "s", "tasks.db")),
          results: join(temporary.path, "s", "results"),
          chats: join(temporary.path, "s", "chats"),
          rules: join(temporary.path, "s", "rules"),
        },
        shownChat: { read: () => undefined, write: () => undefined },
      });
      void app.poller.run();
      try {
        await connections.refresh();
        await app.models.load();
        app.models.choose("m");
        const [id = ""] = await (await app.openOutbox()).submit([{ type: "video", model: "m", prompt: "a hill" }]);
        await app.cancel(id, "why not");
        await app.loadEvents(id);
        await until(() => {
          const { submission } = app.board.listed.get(id) ?? assert.fail();
          return submission.state === "accepted" && submission.remote.state === "failed";
        });
        const chats = await app.openChats();
        const session = chats.shown;
        await session.current.submit("Hello");
        await chats.close();
        const kept = [
          ...log.lines,
          JSON.stringify([...app.board.listed.values()]),
          JSON.stringify(session.current.chat),
          JSON.stringify(app.models.models.current),
          JSON.stringify(memory),
          JSON.stringify(connections.current.current.state),
          ...(await readFiles(join(temporary.path, "s"))),
        ];
        // The events are in the database too.
        assert.match(kept.join(), /SQLite format 3[^]*"events":/);
        for (const one of kept) {
          const residue = findResidue(one, key);
          assert.ok(residue === undefined, residue);
        }
        // What was sent: in the one header, and nowhere else.
        for (const { url, body, headers } of server.received) {
          const { authorization, ...others } = headers;
          assert.equal(authorization, `Bearer ${key}`);
          assert.ok(findResidue(JSON.stringify([url, body, others]), key) === undefined, url);
        }
      } finally {
        await app.close();
        connections.dispose();
        await server.close();
        await temporary.remove();
      }
    });
  }
});

/** The contents of all files, also in folders below. */
async function readFiles(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return Promise.all(files.map((file) => readFile(join(file.parentPath, file.name), "utf8")));
}
