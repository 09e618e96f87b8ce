/** Why a page gives no preview; the text names the rule, never the address. */
export class Refused extends Error {}
