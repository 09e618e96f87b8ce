import { union, without } from '../../core/permissions.ts'

export interface Bits {
  allow: number
  deny: number
}

/** The overwrites for the account itself that decide in a channel: its own, and its category's for the other bits. */
export function inherited(own: Bits | undefined, above: Bits | undefined): Bits[] {
  const decided = union(own?.allow ?? 0, own?.deny ?? 0)
  const rest = above && { allow: without(above.allow, decided), deny: without(above.deny, decided) }
  return [own, rest].filter((bits) => bits !== undefined)
}
