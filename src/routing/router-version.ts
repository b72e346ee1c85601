/**
 * The version of everything that is not in a catalog and decides all the same: stop lists, negators, probes, numbers and
 * formulas. Whoever changes one of them changes this, and trigger tests are judged anew.
 */
export const routerVersion = "router/1";
