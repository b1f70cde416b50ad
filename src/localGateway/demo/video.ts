/** A short video of a prompt: the same scene as its picture, with time going over it. */
import { encodeFrame, parameterSets } from "./h264";
import { encodeMp4 } from "./mp4";
import { paintPicture, type Subject } from "./paint";

const size = { width: 288, height: 192 };
const framesPerSecond = 12;
const frameCount = 36;

/** MP4 with H.264, three seconds without sound, about 3 MB: plain samples are long and need no codec. */
export async function drawVideo(subject: Subject): Promise<Buffer> {
  const frames: Buffer[] = [];
  for (let number = 0; number < frameCount; number += 1) {
    const pixels = await paintPicture(subject, { ...size, time: number / frameCount });
    frames.push(encodeFrame(pixels, number));
  }
  return encodeMp4({ ...size, framesPerSecond, ...parameterSets(size), frames });
}
