/** The id of a task as a page or another program may name it. */
import * as z from "zod/mini";

export const maxTaskIdLength = 100;
/** The id of a task's intent. */
export const taskIdSchema = z.string().check(z.maxLength(maxTaskIdLength));
