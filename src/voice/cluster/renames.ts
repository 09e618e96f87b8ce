import type { Nodes } from '../../cluster/nodes.ts'
import { PublicUser } from '../../core/schema.ts'
import { send } from './model.ts'

/** An owner that still shows another profile after this many attempts has a reason of its own. */
const ATTEMPTS_MAX = 20

interface Rename {
  user: PublicUser
  attempts: number
}

interface RenamesTools {
  nodes: Nodes
  /** The other nodes that own the rooms of an account's clients. */
  ownersOf(userId: number): string[]
  /** The profile that an account's seat shows, on whatever node. */
  shownOf(userId: number): PublicUser | undefined
  /** True while messages reach other nodes. */
  isOpen(): boolean
}

/**
 * New profiles of accounts whose room another node owns. That node may have no socket that follows the account, so it
 * gets each profile, and again until the seat shows it: Redis may lose the message.
 */
export class Renames {
  /** By account; a later profile replaces an earlier one. */
  readonly #waiting = new Map<number, Rename>()

  constructor(private readonly tools: RenamesTools) {}

  add(user: PublicUser): void {
    const { data } = PublicUser.safeParse(user)
    if (!data) return
    const { id } = data
    // The event of one rename comes for each server, friend and conversation of the account.
    if (isSame(this.#waiting.get(id)?.user ?? this.tools.shownOf(id), data)) return
    const rename = { user: data, attempts: 0 }
    if (this.#send(rename)) this.#waiting.set(id, rename)
    // The account has left the call, and an earlier name must not follow it into the next one.
    else this.#waiting.delete(id)
  }

  /** Call regularly. */
  resend(): void {
    if (this.#waiting.size === 0 || !this.tools.isOpen()) return
    for (const [id, rename] of this.#waiting) {
      const profile = this.tools.shownOf(id)
      const isDone = !profile || isSame(profile, rename.user)
      if (isDone || ++rename.attempts > ATTEMPTS_MAX || !this.#send(rename)) this.#waiting.delete(id)
    }
  }

  /** @returns false if no other node owns a room of the account */
  #send({ user }: Rename): boolean {
    const owners = this.tools.ownersOf(user.id)
    for (const owner of owners) send(this.tools.nodes, owner, 'voice.renamed', { user })
    return owners.length > 0
  }
}

/** @param profile may have fields that other nodes do not get */
const isSame = (profile: PublicUser | undefined, user: PublicUser): boolean =>
  profile !== undefined && JSON.stringify(PublicUser.safeParse(profile).data) === JSON.stringify(user)
