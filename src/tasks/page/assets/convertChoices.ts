/** What a person chooses on the page. VS Code keeps it while the tab is hidden and over a reload of the window. */
import { type ConvertedFormat, convertedFormats } from "../../../domain/media/convertedPicture";

export interface ConvertChoices {
  readonly format: ConvertedFormat;
  /** Per cent; PNG loses nothing. */
  readonly quality: number;
  /** Pixels of the file for one pixel a point; missing for those of the original. */
  readonly width?: number;
  readonly isDouble: boolean;
  /** As the person wrote it, in the place of the proposed one. */
  readonly path?: string;
}

export const qualityLimits = { min: 10, max: 100, step: 5 } as const;

const firstChoices: ConvertChoices = { format: "image/webp", quality: 80, isDouble: false };

/** What can't be read is as at first. */
export function readConvertChoices(kept: unknown): ConvertChoices {
  const { format, quality, width, isDouble, path } = fieldsOf(fieldsOf(kept)["choices"]);
  const { min, max } = qualityLimits;
  return {
    format: convertedFormats.find((one) => one === format) ?? firstChoices.format,
    quality: typeof quality === "number" && quality >= min && quality <= max ? quality : firstChoices.quality,
    isDouble: isDouble === true,
    ...(typeof width === "number" && width >= 1 ? { width } : {}),
    ...(typeof path === "string" ? { path } : {}),
  };
}

function fieldsOf(value: unknown): Partial<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? value : {};
}
