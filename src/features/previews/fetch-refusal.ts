/** The reason for having no preview. The message names the rule, never the address. */
export class FetchRefusal extends Error {}
