/** What moves or is drawn anew with each key in a window that is drawn by the processor, and no test looks at. */
export const stillSettings = {
  "editor.cursorBlinking": "solid",
  "editor.minimap.enabled": false,
  "editor.occurrencesHighlight": "off",
  "editor.stickyScroll.enabled": false,
};
