import { GroupedCalls } from '../../../core/grouped-calls.ts'

/** Accounts per request. */
const ACCOUNTS_MAX = 64
/** Minimum time between two repeated requests about one account, ms: any member can make others repeat them. */
const REPEAT_MS = 2_500

export interface AccountKeys {
  user_id: number
  keys: string[]
}

/** The devices of accounts, as the server lists them, read once; accounts asked for meanwhile share a request. */
export class DeviceDirectory {
  readonly #answers = new Map<number, Promise<string[]>>()
  /** When each account was last asked for again, ms. */
  readonly #repeatedAt = new Map<number, number>()
  readonly #requests: GroupedCalls<number, string[]>

  /** @param ask reads the keys of accounts; unknown accounts are absent from its answer */
  constructor(
    ask: (userIds: number[]) => Promise<AccountKeys[]>,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.#requests = new GroupedCalls(
      async (userIds) => {
        const byId = new Map((await ask([...new Set(userIds)])).map(({ user_id, keys }) => [user_id, keys]))
        return userIds.map((id) => byId.get(id) ?? [])
      },
      1,
      ACCOUNTS_MAX,
      Infinity,
      () => true,
    )
  }

  /** The keys of an account's devices. @param isFresh true to ask the server again */
  keysOf(userId: number, isFresh = false): Promise<string[]> {
    const earlier = this.#answers.get(userId)
    const isRepeated = isFresh && this.now() - (this.#repeatedAt.get(userId) ?? -Infinity) >= REPEAT_MS
    if (earlier && !isRepeated) return earlier
    if (isRepeated) this.#repeatedAt.set(userId, this.now())
    const keys = this.#requests.call(userId)
    this.#answers.set(userId, keys)
    keys.catch(() => void (this.#answers.get(userId) === keys && this.#answers.delete(userId)))
    return keys
  }
}
