import { Problem } from '../../core/errors.ts'
import { addressKey } from '../../features/sessions/address.ts'

/** Connections of this process whose bot is not known yet, in all and by address. */
const WAITING_MAX = 2_000
const WAITING_PER_ADDRESS_MAX = 100

/** Bounds connections that have not identified. */
export class Unidentified<T> {
  readonly #waiting = new Map<T, string>()
  readonly #byAddress = new Map<string, number>()

  /** @throws Problem `rate_limited` if no further connection of this address may wait */
  demandSpace(ip: string): void {
    const count = this.#byAddress.get(addressKey(ip)) ?? 0
    if (this.#waiting.size >= WAITING_MAX || count >= WAITING_PER_ADDRESS_MAX)
      throw new Problem('rate_limited', undefined, { retry_after: 5 })
  }

  add(connection: T, ip: string): void {
    const key = addressKey(ip)
    this.#waiting.set(connection, key)
    this.#byAddress.set(key, (this.#byAddress.get(key) ?? 0) + 1)
  }

  /** The connection has identified, or ended. */
  remove(connection: T): void {
    const key = this.#waiting.get(connection)
    if (key === undefined) return
    this.#waiting.delete(connection)
    const count = (this.#byAddress.get(key) ?? 1) - 1
    if (count > 0) this.#byAddress.set(key, count)
    else this.#byAddress.delete(key)
  }
}
