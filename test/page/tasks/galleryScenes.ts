/** States of the gallery, whose rows are made by the host's own code. */
import type { Task } from "../../../src/domain/task/task";
import type { GallerySnapshot } from "../../../src/tasks/contract/galleryPageContract";
import { galleryRow, resultsOf } from "../../../src/tasks/host/pages/galleryPageView";
import { accepted, makeTask } from "../../support/builders";

const newest = new Date(2026, 10, 12, 14, 5, 0).getTime();
const day = 24 * 60 * 60_000;
const subjects = ["lighthouse", "harbour crane", "ferry in the fog", "gull over the pier", "boat shed"];
const models = ["vendor/image-fast", "vendor/image-large"];

/** A result of each kind of tile among the pictures. `file`: in the results folder; missing where the gateway alone has it. */
export function galleryTask(index: number, file: string | undefined, change: Partial<Task["intent"]> = {}): Task {
  const isVideo = file?.endsWith(".mp4") === true;
  const intent = {
    id: `66666666-6666-4666-8666-${String(index).padStart(12, "0")}`,
    type: isVideo ? "video" : "async-image",
    model: isVideo ? "vendor/video-large" : (models[index % models.length] ?? "vendor/image-fast"),
    prompt: `Poster of a ${subjects[index % subjects.length] ?? "pier"}, number ${index + 1}`,
    createdAt: newest - index * (day / 12),
    ...(index % 6 === 0 ? { batch: "b1" } : {}),
    ...change,
  };
  const saved =
    file === undefined ? {} : { saved: { path: `/results/${file}`, mimeType: "image/png", size: 9, at: newest } };
  const marks = {
    ...(index % 4 === 1 ? { rating: (index % 5) + 1 } : {}),
    ...(index % 7 === 2 ? { choice: "kept" } : index % 11 === 5 ? { choice: "rejected" } : {}),
  };
  const submission = accepted({ state: "succeeded", rawStatus: "4", completedAt: newest }, { ...saved, ...marks });
  return makeTask({ intent, submission });
}

const special: Readonly<Record<number, string | undefined>> = {
  3: "clip.mp4",
  7: undefined,
  8: "gone.png",
  9: "broken.png",
  12: "huge.png",
  13: "drawing.svg",
  14: "result.bin",
};

export function galleryTasks(count: number): Task[] {
  return Array.from({ length: count }, (_, index) =>
    galleryTask(index, index in special ? special[index] : `made-${index % 12}.png`),
  );
}

export function galleryScene(tasks: readonly Task[], change: Partial<GallerySnapshot> = {}): GallerySnapshot {
  const rows = resultsOf(tasks).map((task) => galleryRow(task, "/results"));
  return {
    subject: "gallery",
    base: "/results",
    folder: "file:///results",
    total: rows.length,
    isComplete: true,
    rows,
    ...change,
  };
}
