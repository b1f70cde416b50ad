/** What tools and attachments ask of the editor, in one part that is loaded with the first of them: a file for each would be larger. */
export { editorKnowledge } from "../../../tools/host/editorKnowledge";
export { askToSend } from "./askToSend";
export { createEditorPlace } from "./editorPlace";
export { problemsToAttach } from "./problemList";
