/** What a new prompt file is called and where it goes, in one part that is loaded with the first of them. */
export { gatePlace } from "../gate/fileGate";
export { rootNames } from "../gate/rootNames";
export { typedName } from "./findPromptFiles";
