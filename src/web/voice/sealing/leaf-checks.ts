import type { ListedDevices } from './device-directory.ts'
import { hex, isConfirmed } from './device-key.ts'
import type { Leaf, Member } from './leaves.ts'

/**
 * A fault of a member of an encrypted call. `unproven`: the server names a device for it that its account has
 * not confirmed, and that gets no key; `history`: the log of its account's devices does not continue the one that this
 * device remembers; `own_history`: the same of this member's own account; `new_device`: the device came after the
 * person compared numbers with the account; `missing`: it is in the call, but not in the group.
 */
export type Doubt = 'unproven' | 'history' | 'own_history' | 'new_device' | 'missing'
export interface Doubted extends Member {
  doubt: Doubt
}

export interface LeafCheckOptions {
  /** An account's devices, with keys in hexadecimal. @param isFresh true to ask the server again */
  devicesOf(userId: number, isFresh: boolean): Promise<ListedDevices>
  verifiedKeys(userId: number): Promise<readonly string[] | undefined>
  /** Called before a doubtful member can be heard. */
  onDoubts(doubts: readonly Doubted[]): void
}

/** Checks the leaves of a call's group against the devices of the accounts that they name. */
export class LeafChecks {
  /** The signature key of each leaf that has passed, by voice session. */
  readonly #passed = new Map<string, string>()
  readonly #doubts = new Map<string, Doubted>()

  constructor(private readonly options: LeafCheckOptions) {}

  /**
   * Checks a leaf; one that has passed stays so.
   * @returns true if a device of the account has confirmed it
   * @throws Error if the account's devices cannot be read now
   */
  async check(leaf: Leaf): Promise<boolean> {
    const { user_id, voice_session_id: id, proof } = leaf
    const key = hex(leaf.signatureKey)
    if (this.#passed.get(id) === key) return true
    const device = hex(proof.key)
    const { devicesOf } = this.options
    let devices = await devicesOf(user_id, false)
    if (!devices.keys.includes(device)) devices = await devicesOf(user_id, true)
    if (!(await isConfirmed(leaf)) || !devices.keys.includes(device)) {
      this.doubt(leaf, 'unproven')
      return false
    }
    this.#passed.set(id, key)
    const verified = await this.options.verifiedKeys(user_id)
    if (devices.isForked) this.doubt(leaf, 'history')
    else if (verified && !verified.includes(device)) this.doubt(leaf, 'new_device')
    else this.#settle(id)
    return true
  }

  doubt({ user_id, voice_session_id }: Member, doubt: Doubt): void {
    // That a device is not theirs says more than that the real one is missing.
    if (doubt === 'missing' && this.#doubts.has(voice_session_id)) return
    this.#doubts.set(voice_session_id, { user_id, voice_session_id, doubt })
    this.#tell()
  }

  /** Call when a member is in the group. */
  arrived(id: string): void {
    if (this.#doubts.get(id)?.doubt === 'missing') this.#settle(id)
  }

  /** Call when the person has compared numbers with an account, which also covers this device's own account. */
  verified(userId: number): void {
    for (const [id, { user_id, doubt }] of this.#doubts)
      if (doubt === 'own_history' || (user_id === userId && (doubt === 'new_device' || doubt === 'history')))
        this.#settle(id)
  }

  /** Forgets members that have left. */
  keep(members: { has(id: string): boolean }): void {
    for (const id of this.#passed.keys()) if (!members.has(id)) this.#passed.delete(id)
    for (const id of this.#doubts.keys()) if (!members.has(id)) this.#settle(id)
  }

  #settle(id: string): void {
    if (this.#doubts.delete(id)) this.#tell()
  }

  #tell(): void {
    this.options.onDoubts([...this.#doubts.values()])
  }
}
