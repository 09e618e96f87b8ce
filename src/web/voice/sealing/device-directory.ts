import { GroupedCalls } from '../../../core/grouped-calls.ts'
import type { AccountDevices } from './device-logs.ts'

/** Accounts per request. */
const ACCOUNTS_MAX = 64
/** Minimum time between two repeated requests about one account, ms: any member can make others repeat them. */
const REPEAT_MS = 2_500

/** The devices of an account as far as a call needs them. */
export type ListedDevices = Pick<AccountDevices, 'keys' | 'isForked'>

const NONE: ListedDevices = { keys: [], isForked: false }

/** The devices of accounts, as the server lists them, read once; accounts asked for meanwhile share a request. */
export class DeviceDirectory {
  readonly #answers = new Map<number, Promise<ListedDevices>>()
  /** When each account was last asked for again, ms. */
  readonly #repeatedAt = new Map<number, number>()
  readonly #requests: GroupedCalls<number, ListedDevices>

  /** @param read reads the devices of accounts; unknown accounts are absent from its answer */
  constructor(
    read: (userIds: number[]) => Promise<ReadonlyMap<number, ListedDevices>>,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.#requests = new GroupedCalls(
      async (userIds) => {
        const devices = await read([...new Set(userIds)])
        return userIds.map((id) => devices.get(id) ?? NONE)
      },
      1,
      ACCOUNTS_MAX,
      Infinity,
      () => true,
    )
  }

  /** Call when the person has compared numbers with an account: what was forked may not be any more. */
  forget(userId: number): void {
    this.#answers.delete(userId)
  }

  /** The devices of an account. @param isFresh true to ask the server again */
  devicesOf(userId: number, isFresh = false): Promise<ListedDevices> {
    const earlier = this.#answers.get(userId)
    const isRepeated = isFresh && this.now() - (this.#repeatedAt.get(userId) ?? -Infinity) >= REPEAT_MS
    if (earlier && !isRepeated) return earlier
    if (isRepeated) this.#repeatedAt.set(userId, this.now())
    const devices = this.#requests.call(userId)
    this.#answers.set(userId, devices)
    devices.catch(() => void (this.#answers.get(userId) === devices && this.#answers.delete(userId)))
    return devices
  }
}
