import { bitOf, holds, type Permission, permissions, union, without } from '../../core/permissions.ts'
import type { GuildAccess } from './discord-rest.ts'
import { isStage, isVoice } from './imported-server.ts'

const VIEW = bitOf('view_channel')
const ON_STAGE = permissions('speak', 'share_screen')
const NONE = { allow: 0, deny: 0 }
/** The type of a person's overwrite; a role's is 0. */
export const PERSON = 1

/** What an overwrite allows and denies; no bit is in both. */
export interface Bits {
  allow: number
  deny: number
}

/** A channel of Discord as far as it says who may do what. */
interface Channel {
  permission_overwrites: ({ id: string; type: number } & Bits)[]
}

const allowing = ({ allow, deny }: Bits, bits: number): Bits => ({
  allow: union(allow, bits),
  deny: without(deny, bits),
})
const denying = ({ allow, deny }: Bits, bits: number): Bits => ({
  allow: without(allow, bits),
  deny: union(deny, bits),
})

/** What the channels of a server of Discord permit to its roles, so that it means the same here. */
export class GuildOverwrites {
  readonly #base: Map<string, number>

  /** @param everyone the id of the role that everybody has, which is the server's */
  constructor(
    private readonly everyone: string,
    roles: GuildAccess['roles'],
  ) {
    this.#base = new Map(roles.map(({ id, permissions: base }) => [id, base]))
  }

  /**
   * The overwrites by the ids of roles. Who may not connect to a voice channel does not see it: Discord shows its
   * messages to nobody else. On a stage nobody speaks.
   * @param type as the export has it; undefined for what the export has no messages of
   */
  of({ permission_overwrites }: Channel, type = ''): Map<string, Bits> {
    const given = permission_overwrites.filter((one) => one.type !== PERSON)
    const bits = new Map(given.map(({ id, allow, deny }) => [id, { allow: without(allow, deny), deny }]))
    if (isVoice({ type })) this.#closeVoice(bits)
    if (isStage({ type })) this.#silence(bits)
    return bits
  }

  /** Makes whoever may not connect not see the channel. A role that could see it only with another's help does not. */
  #closeVoice(bits: Map<string, Bits>): void {
    const given = new Map(bits)
    const of = (id: string) => given.get(id) ?? NONE
    const has = (id: string, bit: Permission) => holds(this.#base.get(id) ?? 0, bit)
    const all = of(this.everyone)
    const isDenied = (bit: Permission) => [...given].some(([id, { deny }]) => id !== this.everyone && holds(deny, bit))
    /** Whether every member with the role holds the bit there, unless a role of theirs denies it. */
    const reaches = (id: string, bit: Permission) =>
      holds(all.allow, bit) || (!holds(all.deny, bit) && (has(this.everyone, bit) || has(id, bit)))
    const isSure = (id: string, bit: Permission) => holds(of(id).allow, bit) || (reaches(id, bit) && !isDenied(bit))
    const isOpen = reaches(this.everyone, 'connect')
    if (isOpen && !isDenied('connect')) return
    for (const id of new Set([...given.keys(), ...this.#base.keys()])) {
      if (id === this.everyone) continue
      if (isSure(id, 'view_channel') && isSure(id, 'connect')) bits.set(id, allowing(of(id), VIEW))
      else if (holds(of(id).deny, 'connect')) bits.set(id, denying(of(id), VIEW))
      else if (given.has(id)) bits.set(id, { ...of(id), allow: without(of(id).allow, VIEW) })
    }
    if (!isOpen) bits.set(this.everyone, denying(all, VIEW))
  }

  /** On Discord, who speaks on a stage is decided there each time. */
  #silence(bits: Map<string, Bits>): void {
    for (const [id, one] of bits) bits.set(id, { ...one, allow: without(one.allow, ON_STAGE) })
    bits.set(this.everyone, denying(bits.get(this.everyone) ?? NONE, ON_STAGE))
  }
}
