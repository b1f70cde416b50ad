/** A program with one fake window, for tests of two windows on one storage: each is a process, and can be killed. */
import vm from "node:vm";
import { closeWindows, type OpenedWindow, openWindow, type OpenOptions } from "./openWindow";

export type Request = { readonly id: number } & (
  | { readonly type: "open"; readonly options: OpenOptions }
  | { readonly type: "evaluate"; readonly source: string; readonly argument: unknown }
  | { readonly type: "close" }
);

export type Reply = { readonly id: number } & ({ readonly value: unknown } | { readonly error: string });

let opened: OpenedWindow | undefined;

async function answer(request: Request): Promise<unknown> {
  switch (request.type) {
    case "open":
      // The gateway is a process of its own, because two windows share it and a kill of either must not end it.
      opened = await openWindow({ ...request.options, gateway: "process" });
      return { folder: opened.folder, storage: opened.storage };
    case "evaluate": {
      const run = vm.runInThisContext(`(${request.source})`) as (
        window: OpenedWindow | undefined,
        argument: unknown,
      ) => unknown;
      return await run(opened, request.argument);
    }
    case "close":
      await closeWindows();
      return undefined;
  }
}

process.on("message", (request: Request) => {
  const { id } = request;
  answer(request).then(
    (value) => process.send?.({ id, value } satisfies Reply),
    (error: unknown) =>
      process.send?.({
        id,
        error: error instanceof Error ? (error.stack ?? error.message) : String(error),
      } satisfies Reply),
  );
});
// The program ends with the test, however that ends.
process.on("disconnect", () => process.exit(0));
