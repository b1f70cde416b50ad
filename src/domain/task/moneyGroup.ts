/** The groups of what is known of the money of a task, in a person's words and in the order in which a page lists them (T10). */
export const moneyGroups = ["reserved", "charged", "notCharged", "toCheck", "notNamed", "free"] as const;
export type MoneyGroup = (typeof moneyGroups)[number];
