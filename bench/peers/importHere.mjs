// Copied beside the installed peers: Node looks a package up from the module that imports it.

/** @param {string} name @returns {Promise<any>} */
export const importHere = (name) => import(name);
