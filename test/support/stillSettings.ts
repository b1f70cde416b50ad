/** What moves or is drawn again with each key in a window that is drawn by the processor, and no test looks at. */
export const stillSettings = {
  // VS Code 1.139 opens settings over the window, where its JSON is no tab.
  "workbench.editor.useModal": "off",
  // The buttons of a view are there without the mouse over it.
  "workbench.view.alwaysShowHeaderActions": true,
  "editor.cursorBlinking": "solid",
  "editor.minimap.enabled": false,
  "editor.occurrencesHighlight": "off",
  "editor.stickyScroll.enabled": false,
  // Lists the open files of every process every few seconds, to find ports.
  "remote.autoForwardPorts": false,
  // Whether the machine has one would decide what the tests see; those about it switch it on.
  "sluice.sandbox": false,
};
