import { type DeviceLog, isContinued, isWellFormed, type LogPoint, ZEROS } from './device-log.ts'

/** The devices of an account, as the server lists them. */
export interface AccountDevices extends LogPoint {
  user_id: number
  keys: string[]
  /** True if the log does not continue the one that this device remembers. */
  isForked: boolean
  /** True if the server does not show the log, although this device remembers it. */
  isGone?: boolean
}

/** A change of what this device remembers of an account's log. */
export interface PointChange {
  user_id: number
  former: LogPoint | undefined
  next: LogPoint
}

/** The states of accounts' logs that this device remembers. */
export interface LogMemory {
  read(userIds: number[]): Promise<ReadonlyMap<number, LogPoint>>
  /** Makes changes. @returns the accounts for which another tab has stored something else than `former` meanwhile */
  replace(changes: PointChange[]): Promise<number[]>
}

/** Reads logs from the server: each with the changes above `after`, except those of accounts in `left_out`. */
export type AskLogs = (
  accounts: { user_id: number; after?: number }[],
) => Promise<{ accounts: DeviceLog[]; left_out: number[] }>

/** Requests for the logs of some accounts: an answer leaves out what makes it too large. */
const REQUESTS_MAX = 70

export const isSamePoint = (one: LogPoint | undefined, other: LogPoint | undefined): boolean =>
  one?.length === other?.length && one?.head === other?.head

/**
 * Reads the logs of accounts, checks that each continues the remembered one, and remembers its new head. A fork is not
 * remembered, so that it is found again until the person has compared numbers.
 * @returns the devices by account; accounts that the server does not show are absent, unless their logs are remembered
 * @throws Error if the server does not answer, or with something that is no log
 */
export async function readLogs(
  ask: AskLogs,
  memory: LogMemory,
  userIds: number[],
): Promise<Map<number, AccountDevices>> {
  const devices = new Map<number, AccountDevices>()
  let waiting = new Set(userIds)
  for (let requests = 0; waiting.size > 0; requests++) {
    if (requests === REQUESTS_MAX) throw new Error('The server does not show the devices of accounts')
    const points = await memory.read([...waiting])
    const answer = await ask([...waiting].map((user_id) => request(user_id, points.get(user_id))))
    const changes: PointChange[] = []
    for (const log of answer.accounts) {
      const { user_id, length, head, keys } = log
      if (!waiting.has(user_id)) continue
      if (!isWellFormed(log)) throw new Error('The server shows a malformed log of devices')
      const former = points.get(user_id)
      const isForked = !(await isContinued(log, former))
      devices.set(user_id, { user_id, length, head, keys, isForked })
      const next = { length, head }
      if (!isForked && length > 0 && !isSamePoint(former, next)) changes.push({ user_id, former, next })
    }
    const again = new Set([...answer.left_out, ...(await memory.replace(changes))])
    // In a call, a log that this device remembers cannot be gone. Outside, perhaps no place is shared any more.
    for (const user_id of points.keys())
      if (waiting.has(user_id) && !again.has(user_id) && !devices.has(user_id))
        devices.set(user_id, { user_id, length: 0, head: ZEROS, keys: [], isForked: true, isGone: true })
    waiting = new Set([...waiting].filter((id) => again.has(id)))
  }
  return devices
}

const request = (user_id: number, point: LogPoint | undefined) => ({ user_id, ...(point && { after: point.length }) })
