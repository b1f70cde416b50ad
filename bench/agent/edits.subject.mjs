// The code under test of `edits.part.mjs`, as one bundle.
export { TimeSlices } from "../../src/base/async/timeSlices";
export { ToolRefusal } from "../../src/domain/tools/tool";
export { applyEdit } from "../../src/tools/edit/applyEdit";
