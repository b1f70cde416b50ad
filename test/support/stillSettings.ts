/** Settings that switch off what moves or is drawn again with each key, where the processor draws the window and no test looks at it. */
export const stillSettings = {
  // VS Code 1.139 opens settings over the window, where its JSON is no tab.
  "workbench.editor.useModal": "off",
  // The buttons of a view are there without the mouse over it.
  "workbench.view.alwaysShowHeaderActions": true,
  "editor.cursorBlinking": "solid",
  "editor.minimap.enabled": false,
  "editor.occurrencesHighlight": "off",
  "editor.stickyScroll.enabled": false,
  // This lists the open files of every process every few seconds, to find ports.
  "remote.autoForwardPorts": false,
  // Otherwise the tests would depend on whether the machine has a sandbox; those about it switch it on.
  "sluice.sandbox": false,
};
