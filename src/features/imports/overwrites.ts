import { bitOf, holds, type Permission, union, without } from '../../core/permissions.ts'
import type { GuildAccess } from './discord-rest.ts'
import { isStage, isVoice } from './imported-server.ts'

const VIEW = bitOf('view_channel')
const SPEAK = bitOf('speak')
const NONE = { allow: 0, deny: 0 }
/** The type of a person's overwrite; 0 is a role's. */
export const PERSON = 1

/** The allowed and denied bits of an overwrite; no bit is in both. */
export interface Bits {
  allow: number
  deny: number
}

/** The part of a Discord channel that concerns permissions. */
interface Channel {
  permission_overwrites: ({ id: string; type: number } & Bits)[]
}

const addAllowed = ({ allow, deny }: Bits, bits: number): Bits => ({
  allow: union(allow, bits),
  deny: without(deny, bits),
})
const addDenied = ({ allow, deny }: Bits, bits: number): Bits => ({
  allow: without(allow, bits),
  deny: union(deny, bits),
})

const withoutSpeaking = ({ allow, deny }: Bits): Bits => ({ allow: without(allow, SPEAK), deny: without(deny, SPEAK) })

/** Translates the channel permissions of a Discord server's roles and people, to the same effect here. */
export class GuildOverwrites {
  readonly #base: Map<string, number>

  /** @param everyone the id of the role that every member has, which is the server's id */
  constructor(
    private readonly everyone: string,
    roles: GuildAccess['roles'],
  ) {
    this.#base = new Map(roles.map(({ id, permissions: base }) => [id, base]))
  }

  /**
   * The overwrites by role id. A role that may not connect to a voice channel does not see it here, because Discord
   * shows its messages to nobody else. On a stage, Discord ignores who may
   * speak: its moderators decide.
   * @param type as the export has it; undefined for a channel without messages in the export
   */
  bitsByRole({ permission_overwrites }: Channel, type = ''): Map<string, Bits> {
    const roleOverwrites = permission_overwrites.filter((one) => one.type !== PERSON)
    const bits = new Map(roleOverwrites.map(({ id, allow, deny }) => [id, { allow: without(allow, deny), deny }]))
    if (isVoice({ type })) this.#closeVoice(bits)
    if (isStage({ type })) for (const [id, one] of bits) bits.set(id, withoutSpeaking(one))
    return bits
  }

  /**
   * The overwrites of people, by their ids. As with roles, somebody who may not connect to a voice channel does not see
   * it.
   */
  bitsByPerson({ permission_overwrites }: Channel, type = ''): Map<string, Bits> {
    const bits = permission_overwrites.flatMap(({ id, type: kind, allow, deny }): [string, Bits][] => {
      if (kind !== PERSON) return []
      const own = { allow: without(allow, deny), deny }
      const seen = isVoice({ type }) && holds(deny, 'connect') ? addDenied(own, VIEW) : own
      return [[id, isStage({ type }) ? withoutSpeaking(seen) : seen]]
    })
    return new Map(bits)
  }

  /**
   * Hides the channel from roles that may not connect. A role that could see it only together with another role cannot
   * see it.
   */
  #closeVoice(bits: Map<string, Bits>): void {
    const original = new Map(bits)
    const originalOf = (id: string) => original.get(id) ?? NONE
    const hasBase = (id: string, bit: Permission) => holds(this.#base.get(id) ?? 0, bit)
    const all = originalOf(this.everyone)
    const isDenied = (bit: Permission) =>
      [...original].some(([id, { deny }]) => id !== this.everyone && holds(deny, bit))
    /** True if every member with the role has the bit, unless another of their roles denies it. */
    const reaches = (id: string, bit: Permission) =>
      holds(all.allow, bit) || (!holds(all.deny, bit) && (hasBase(this.everyone, bit) || hasBase(id, bit)))
    const isSure = (id: string, bit: Permission) =>
      holds(originalOf(id).allow, bit) || (reaches(id, bit) && !isDenied(bit))
    const isOpen = reaches(this.everyone, 'connect')
    if (isOpen && !isDenied('connect')) return
    for (const id of new Set([...original.keys(), ...this.#base.keys()])) {
      if (id === this.everyone) continue
      if (isSure(id, 'view_channel') && isSure(id, 'connect')) bits.set(id, addAllowed(originalOf(id), VIEW))
      else if (holds(originalOf(id).deny, 'connect')) bits.set(id, addDenied(originalOf(id), VIEW))
      else if (original.has(id)) bits.set(id, { ...originalOf(id), allow: without(originalOf(id).allow, VIEW) })
    }
    if (!isOpen) bits.set(this.everyone, addDenied(all, VIEW))
  }
}
