/** The faults of the task endpoints, where they act. */
import type { TaskLab } from "../../src/localGateway/tasks/taskServices";
import { faultKinds } from "./faultTable";
import { sendAssetFault } from "./assetFaults";
import { applyBodyFaults, pageOfEvents, writeTime } from "./taskBodyFaults";
import { cancelWithFault, createTaskWithFaults, readAccount } from "./taskRouteFaults";

export const taskEffects: TaskLab = {
  create: createTaskWithFaults,
  isAnswerLost: ({ faults }) => faults.take(faultKinds.taskLost202) !== undefined,
  read: readAccount,
  isRefundedLater: ({ faults }) => faults.take(faultKinds.taskRefundedLater) !== undefined,
  async cancel(context, cancel) {
    const form = context.faults.take(faultKinds.taskCancelForm)?.value;
    if (form !== undefined) await cancelWithFault(form, context, cancel);
    return form !== undefined;
  },
  isResultLost: ({ faults }) => faults.take(faultKinds.taskAssetLost) !== undefined,
  linkLife: ({ faults }) => faults.take(faultKinds.taskLinkLife)?.value,
  changeBody: applyBodyFaults,
  pageOfEvents,
  writeTime,
  sendAsset(context, file) {
    const form = context.faults.take(faultKinds.taskAssetForm)?.value;
    return form !== undefined && sendAssetFault(form, context, file);
  },
};
