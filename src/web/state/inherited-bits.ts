import { union, without } from '../../core/permissions.ts'
import type { Overwrite } from '../../features/roles/model.ts'

export interface Bits {
  allow: number
  deny: number
}

/** The overwrites for the account itself that decide in a channel: its own, and its category's for the other bits. */
export function inherited(own: Bits | undefined, above: Bits | undefined): Bits[] {
  const ownBits = union(own?.allow ?? 0, own?.deny ?? 0)
  const rest = above && { allow: without(above.allow, ownBits), deny: without(above.deny, ownBits) }
  return [own, rest].filter((bits) => bits !== undefined)
}

/** The overwrites of roles that decide in a channel: its own, and its category's for the other bits. */
export function withInherited(ofChannel: Overwrite[], above: Overwrite[]): Overwrite[] {
  const ownBits = new Map(ofChannel.map((row) => [row.role_id, union(row.allow, row.deny)]))
  const open = (row: Overwrite, bits: number) => without(bits, ownBits.get(row.role_id) ?? 0)
  return [...ofChannel, ...above.map((row) => ({ ...row, allow: open(row, row.allow), deny: open(row, row.deny) }))]
}

/** Permissions after levels of overwrites: each level's denies first, then its allows. */
export const decided = (permissions: number, levels: Bits[][]): number =>
  levels.reduce(
    (bits, level) => union(without(bits, union(...level.map(({ deny }) => deny))), ...level.map(({ allow }) => allow)),
    permissions,
  )
