/** The fake VS Code that journeys run on keeps the rules of the real one. */
import { mkdtemp, rm } from "node:fs/promises";
import path from "node:path";
import { createApi } from "../support/fakeVscode/api";
import { QuickInputButtons } from "../support/fakeVscode/enums";
import { FakeWindow } from "../support/fakeVscode/fakeWindow";
import { SharedStorage } from "../support/fakeVscode/storage";
import { type EditorApi, editorContract, type EditorDriver } from "../support/editorContract";
import { createTemporaryFolder, type TemporaryFolder } from "../support/temporaryFolder";

describe("contract: the fake VS Code", () => {
  let base: TemporaryFolder;
  let window: FakeWindow;
  let storage: SharedStorage;
  let api: EditorApi;
  before(async () => {
    base = await createTemporaryFolder();
    storage = new SharedStorage(path.join(base.path, "storage"));
    const folder = await mkdtemp(path.join(base.path, "project-"));
    window = new FakeWindow({ root: process.cwd(), storage, folders: [{ at: folder }] });
    api = createApi(window) as unknown as EditorApi;
  });
  after(async () => {
    window.dispose();
    storage.dispose();
    await base.remove();
  });

  const driverOf = (folder: string): EditorDriver => {
    const list = async (work: (session: NonNullable<typeof window.widget.visible>) => void): Promise<void> => {
      const session = window.widget.visible;
      if (!session) throw new Error("No list is open.");
      work(session);
      await window.settled();
    };
    return {
      folder,
      memory: {
        globalState: storage.memento("contract"),
        secrets: storage.secrets(),
      },
      acceptItem: () => list((session) => session.accept()),
      nextItem: () => list((session) => session.move(1)),
      goBack: () =>
        list((session) => session.pressButton(session.state.buttons?.indexOf(QuickInputButtons.Back) ?? -1)),
      closeList: () => list(() => window.widget.close()),
      moveFocusAway: async () => {
        window.moveFocus("explorer");
        await window.settled();
      },
      settled: () => window.settled(),
      until: async (what, condition) => void (await window.until(what, condition)),
    };
  };

  for (const { title, holds } of editorContract) {
    it(title, async () => {
      const [project] = window.folders;
      const folder = await mkdtemp(path.join(project?.uri.fsPath ?? "", "rule-"));
      await holds(api, driverOf(folder));
      window.widget.close();
      window.editors.close([...window.editors.tabs]);
      await rm(folder, { recursive: true });
    });
  }
});
