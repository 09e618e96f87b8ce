import { hex } from './bytes.ts'
import type { ListedDevices } from './device-directory.ts'
import { isConfirmed } from './device-key.ts'
import type { Leaf, Member } from './members.ts'

/**
 * A fault of a member of an encrypted call. `unproven`: the server names a device for it that its account has
 * not confirmed, and that gets no key; `history`: the log of its account's devices does not continue the one that this
 * device remembers; `own_history`: the same of this member's own account; `new_device`: the device is not one with
 * which the person compared numbers; `missing`: it is in the call, but not in the group; `hidden`: it is in the group,
 * but the server does not show it in the call.
 */
export type Doubt = 'unproven' | 'history' | 'own_history' | 'new_device' | 'missing' | 'hidden'
export interface Doubted extends Member {
  doubt: Doubt
}

export interface LeafCheckOptions {
  self: Member
  /** An account's devices, with keys in hexadecimal. @param isFresh true to ask the server again */
  devicesOf(userId: number, isFresh: boolean): Promise<ListedDevices>
  verifiedKeys(userId: number): Promise<readonly string[] | undefined>
  /** Called before a doubtful member can be heard. */
  onDoubts(doubts: readonly Doubted[]): void
}

/** A leaf that a device of its account has confirmed. Keys are in hexadecimal. */
interface Passed {
  user_id: number
  signatureKey: string
  device: string
}

/** Checks the leaves of a call's group against the devices of the accounts that they name. */
export class LeafChecks {
  /** The leaves that have passed, by voice session. */
  readonly #passed = new Map<string, Passed>()
  readonly #doubts = new Map<string, Doubted>()

  constructor(private readonly options: LeafCheckOptions) {}

  /**
   * Checks a leaf; one that has passed stays so.
   * @returns true if a device of the account has confirmed it
   * @throws Error if the account's devices cannot be read now
   */
  async check(leaf: Leaf): Promise<boolean> {
    const { user_id, voice_session_id: id, proof } = leaf
    const signatureKey = hex(leaf.signatureKey)
    const before = this.#passed.get(id)
    if (before?.signatureKey === signatureKey && before.user_id === user_id) return true
    const device = hex(proof.key)
    const { devicesOf } = this.options
    let devices = await devicesOf(user_id, false)
    if (!devices.keys.includes(device)) devices = await devicesOf(user_id, true)
    if (!(await isConfirmed(leaf)) || !devices.keys.includes(device)) {
      this.doubt(leaf, 'unproven')
      return false
    }
    const verified = await this.options.verifiedKeys(user_id)
    this.#passed.set(id, { user_id, signatureKey, device })
    // This account may be in the call with another device for a moment.
    const isOwn = user_id === this.options.self.user_id
    if (devices.isForked) this.doubt(leaf, isOwn ? 'own_history' : 'history')
    else if (verified && !verified.includes(device)) this.doubt(leaf, 'new_device')
    else this.#settle(id)
    return true
  }

  doubt({ user_id, voice_session_id }: Member, doubt: Doubt): void {
    // That a device is not theirs says more than that the real one is missing, or that it is not shown.
    if ((doubt === 'missing' || doubt === 'hidden') && this.#doubts.has(voice_session_id)) return
    this.#doubts.set(voice_session_id, { user_id, voice_session_id, doubt })
    this.#tell()
  }

  /** Call when a member is in the group. @param isShown true if the server shows it in the call */
  arrived(id: string, isShown: boolean): void {
    const doubt = this.#doubts.get(id)?.doubt
    if (doubt === 'missing' || (doubt === 'hidden' && isShown)) this.#settle(id)
  }

  /**
   * Call when the person has compared numbers with an account, which also covers this device's own account.
   * @param keys the devices that the numbers stood for: the server may have left out one that is in the call.
   * Undefined: the person takes the comparison back
   */
  verified(userId: number, keys: readonly string[] | undefined): void {
    for (const [id, { doubt }] of this.#doubts) if (keys && doubt === 'own_history') this.#settle(id)
    for (const [id, { user_id, device }] of this.#passed) {
      if (user_id !== userId) continue
      const doubt = this.#doubts.get(id)?.doubt
      if (keys && !keys.includes(device)) this.doubt({ voice_session_id: id, user_id }, 'new_device')
      // Without a comparison, the log still has another past.
      else if (doubt === 'new_device' || (keys && doubt === 'history')) this.#settle(id)
    }
  }

  /** Forgets all but these: members of the call or the group. */
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
