/** Draws the files of a finished task when they are first requested, and signs the links to them. */
import { createHmac, timingSafeEqual } from "node:crypto";
import { BoundedMap } from "../../base/boundedMap";
import { encodeClip, sceneWidth } from "../demo/clip";
import type { PixelSize } from "../demo/drawing/rasterize";
import { encodeJpeg } from "../demo/jpeg";
import { paintParts, paintPicture, type Subject, paintPng } from "../demo/painter";
import { defaultOptions, type DemoResultOptions } from "../demo/resultOptions";
import { encodeWebP } from "../demo/webp";
import { hashText } from "../demo/seededRandom";
import { writeMarks } from "../../domain/media/marks/writeMarks";
import { HttpError } from "../http/httpError";
import type { GatewayTask } from "./gatewayTask";
import type { Clock } from "../../base/clock";

export interface ResultFile {
  readonly type: string;
  readonly bytes: Buffer;
}

interface ResultFormat {
  readonly name: string;
  readonly type: string;
  readonly draw: (subject: Subject, options: DemoResultOptions) => Promise<Buffer>;
}

const resultFormats: Readonly<Record<string, ResultFormat>> = {
  png: { name: "image.png", type: "image/png", draw: drawPng },
  jpeg: {
    name: "image.jpg",
    type: "image/jpeg",
    draw: drawJpeg,
  },
  webp: { name: "image.webp", type: "image/webp", draw: drawWebP },
  mp4: { name: "video.mp4", type: "video/mp4", draw: drawFilm },
};
const thumbnail: ResultFormat = { name: "thumbnail.png", type: "image/png", draw: drawThumbnail };
const thumbnailSize = 240;

/** The names of the result and of its thumbnail. */
export function resultNamesOf(task: GatewayTask): { readonly result: string; readonly thumbnail: string } {
  return { result: formatOf(task).name, thumbnail: thumbnail.name };
}

/** The drawn files by task and name. The largest has some megabytes. */
const drawn = new BoundedMap<string, Promise<Buffer>>(32);

/** 404 for a name that this task does not have. */
export async function readResultFile(task: GatewayTask, name: string): Promise<ResultFile> {
  const format = [formatOf(task), thumbnail].find((one) => one.name === name);
  if (format === undefined) throw new HttpError(404, "asset_not_found", `There is no ${name} of this task.`);
  const cacheKey = `${task.taskId}/${name}`;
  const bytes = drawn.get(cacheKey) ?? format.draw(subjectOf(task), optionsOf(task));
  drawn.set(cacheKey, bytes);
  bytes.catch(() => drawn.delete(cacheKey));
  return { type: format.type, bytes: await bytes };
}

function formatOf(task: GatewayTask): ResultFormat {
  const { format } = optionsOf(task);
  const found = resultFormats[format];
  if (found === undefined) throw new HttpError(404, "asset_not_found", `This gateway does not make ${format}.`);
  return found;
}

/** Tasks of earlier versions have no options. */
function optionsOf({ type, options = defaultOptions(type) }: GatewayTask): DemoResultOptions {
  return options;
}

function subjectOf({ type, prompt, seed, inputs, isRehearsal: rehearses }: GatewayTask): Subject {
  // Input assets are not read. Their hash changes the seed, so another reference gives another picture.
  const isRehearsal = rehearses === true;
  return { type, prompt, isRehearsal, seed: inputs === undefined ? seed : hashText("reference", seed, inputs) };
}

const sizeOf = ({ width, height }: DemoResultOptions): PixelSize => ({ width, height });

async function drawPng(subject: Subject, options: DemoResultOptions): Promise<Buffer> {
  return marked(subject, await paintPng(subject, sizeOf(options), { isTransparent: options.isTransparent === true }));
}

/** Marks a placeholder in its file too. */
function marked({ isRehearsal, prompt, seed }: Subject, picture: Buffer): Buffer {
  return isRehearsal === true ? Buffer.from(writeMarks(picture, { isRehearsed: true, prompt, seed })) : picture;
}

async function drawJpeg(subject: Subject, options: DemoResultOptions): Promise<Buffer> {
  return marked(subject, await encodeJpeg(await paintPicture(subject, sizeOf(options))));
}

async function drawWebP(subject: Subject, { isTransparent, ...options }: DemoResultOptions): Promise<Buffer> {
  const { pixels, ...parts } = await paintParts(subject, sizeOf(options), { isTransparent: isTransparent === true });
  return marked(subject, encodeWebP(pixels, parts));
}

async function drawFilm(subject: Subject, { width, height, seconds }: DemoResultOptions): Promise<Buffer> {
  const size = { width: sceneWidth(width), height };
  const scene = await paintPicture(subject, size, { ...size, scale: 1 }, width);
  const film = encodeClip(scene, { width, height }, seconds);
  if (subject.isRehearsal !== true) return film;
  // Players skip this box.
  const text = Buffer.from("freesluice:rehearsed", "latin1");
  const length = Buffer.alloc(4);
  length.writeUInt32BE(text.length + 4);
  return Buffer.concat([film, length, text]);
}

/** Draws a small version of the result, for a video that of its first frame. */
function drawThumbnail(subject: Subject, { width, height, format, isTransparent }: DemoResultOptions): Promise<Buffer> {
  const scale = Math.min(1, thumbnailSize / Math.max(width, height));
  const small = (length: number): number => Math.max(1, Math.round(length * scale));
  const whole = format === "mp4" ? sceneWidth(width) : width;
  const scene = { width: whole, height, scale };
  return paintPng(
    subject,
    { width: small(width), height: small(height) },
    { scene, isTransparent: isTransparent === true },
  );
}

// Signs links to results, which open without the key until they expire.

const hour = 3_600_000;

interface AssetLinksOptions {
  readonly secret: string;
  readonly clock: Clock;
  /** The gateway's own address, without a slash at the end. */
  readonly origin: () => string;
}

export class AssetLinks {
  readonly #options: AssetLinksOptions;

  constructor(options: AssetLinksOptions) {
    this.#options = options;
  }

  /** The link expires in one to two hours, at a full hour, so that reads within an hour return the same link, or after `life` milliseconds. */
  link(taskId: string, file: string, life?: number): string {
    const now = this.#options.clock.now();
    const expires = life === undefined ? (Math.floor(now / hour) + 2) * hour : now + life;
    const query = `expires=${expires}&signature=${this.#sign(taskId, file, expires)}`;
    return `${this.#options.origin()}/_local/assets/${taskId}/${file}?${query}`;
  }

  /** Whether the signature is valid, even if the link has expired. */
  isOurs(taskId: string, file: string, query: URLSearchParams): boolean {
    const given = Buffer.from(query.get("signature") ?? "");
    const ours = Buffer.from(this.#sign(taskId, file, Number(query.get("expires"))));
    return given.length === ours.length && timingSafeEqual(given, ours);
  }

  /** 403 for an invalid signature, 410 for an expired link. */
  check(taskId: string, file: string, query: URLSearchParams): void {
    if (!this.isOurs(taskId, file, query)) {
      throw new HttpError(403, "invalid_signature", "This link was not made by this gateway.");
    }
    if (Number(query.get("expires")) <= this.#options.clock.now()) {
      throw new HttpError(410, "link_expired", "This link has ended; read the task again for a new one.");
    }
  }

  #sign(taskId: string, file: string, expires: number): string {
    return createHmac("sha256", this.#options.secret).update(`${taskId}/${file}/${expires}`).digest("base64url");
  }
}
