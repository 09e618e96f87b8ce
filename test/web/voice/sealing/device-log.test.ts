import { expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  type DeviceLog,
  isContinued,
  isWellFormed,
  logHead,
  type LogPoint,
} from '../../../../src/web/voice/sealing/device-log.ts'
import { type LogMemory, type PointChange, readLogs } from '../../../../src/web/voice/sealing/device-logs.ts'
import { LOGS_REMEMBERED_MAX, withPoint } from '../../../../src/web/voice/sealing/log-memory.ts'

// A server that shows different histories of one account's devices, and a client that remembers.

const ACCOUNT = 7
const ZEROS = '0'.repeat(64)
const keyOf = (n: number) => n.toString(16).padStart(64, '0')
type Change = DeviceLog['changes'][number]

/** One history of the account's devices. */
class History {
  private constructor(
    readonly changes: Change[],
    readonly heads: string[],
    readonly keys: string[],
    readonly account: number,
  ) {}

  static empty = (account = ACCOUNT) => new History([], [], [], account)

  /** Adds the device, or removes it if it is there. */
  async with(key: string): Promise<History> {
    const isThere = this.keys.includes(key)
    const keys = isThere ? this.keys.filter((other) => other !== key) : [...this.keys, key].toSorted()
    const length = this.changes.length + 1
    const head = await logHead(this.heads.at(-1) ?? ZEROS, this.account, length, keys)
    const change: Change = { kind: isThere ? 'removed' : 'added', key }
    return new History([...this.changes, change], [...this.heads, head], keys, this.account)
  }

  get point(): LogPoint {
    return { length: this.heads.length, head: this.heads.at(-1) ?? ZEROS }
  }

  /** @param keptMax changes that the server still has */
  logAfter(after: number | undefined, keptMax = Infinity): DeviceLog {
    const { length, head } = this.point
    const changes = this.changes.slice(Math.max(after ?? length, length - keptMax))
    return { user_id: this.account, length, head, previous: this.heads.at(-2) ?? ZEROS, keys: this.keys, changes }
  }
}

async function historyOf(keys: number[], from = History.empty()): Promise<History> {
  let history = from
  for (const key of keys) history = await history.with(keyOf(key))
  return history
}

/** The memory of a device. */
class Memory implements LogMemory {
  points = new Map<number, LogPoint>()
  /** Runs before a change is made, as another tab does. */
  meanwhile = () => {}
  read = async () => new Map(this.points)
  replace = async (changes: PointChange[]) => {
    this.meanwhile()
    const others = changes.filter(({ user_id, former }) => this.points.get(user_id)?.head !== former?.head)
    for (const change of changes) if (!others.includes(change)) this.points.set(change.user_id, change.next)
    return others.map(({ user_id }) => user_id)
  }
}

const look = async (memory: Memory, history: History, keptMax?: number) =>
  (
    await readLogs(
      async ([account]) => ({ accounts: [history.logAfter(account?.after, keptMax)], left_out: [] }),
      memory,
      [ACCOUNT],
    )
  ).get(ACCOUNT)

test('a look at a server with several histories is accepted exactly if it continues the remembered one', async () => {
  // Steps: change a history, split it, or let the client look at it.
  const step = fc.oneof(
    fc.record({ kind: fc.constant('change' as const), at: fc.nat(3), key: fc.nat(5) }),
    fc.record({ kind: fc.constant('split' as const), at: fc.nat(3) }),
    fc.record({ kind: fc.constant('look' as const), at: fc.nat(3), keptMax: fc.constantFrom(2, 5, 100) }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const histories = [History.empty()]
      const memory = new Memory()
      let remembered: History | undefined
      for (const each of steps) {
        const at = each.at % histories.length
        const history = histories[at] ?? History.empty()
        if (each.kind === 'change') histories[at] = await history.with(keyOf(each.key))
        else if (each.kind === 'split') histories.push(history)
        else {
          const devices = await look(memory, history, each.keptMax)
          const length = remembered?.heads.length ?? 0
          const isPrefix = length === 0 || history.heads[length - 1] === remembered?.heads.at(-1)
          const isProved = length === 0 || history.heads.length - length <= each.keptMax
          expect(devices?.isForked).toBe(!(isPrefix && isProved))
          expect(devices?.keys).toEqual(history.keys)
          if (!devices?.isForked && history.heads.length > 0) remembered = history
          expect(memory.points.get(ACCOUNT)).toEqual(remembered?.point)
        }
      }
    }),
    { numRuns: 200 },
  )
})

test('two histories that differed once never become one again, whatever happens to the devices later', async () => {
  const keys = fc.array(fc.nat(4), { maxLength: 8 })
  await fc.assert(
    fc.asyncProperty(keys, keys, keys, async (common, one, other) => {
      const start = await historyOf(common)
      const [first, second] = [await historyOf(one, start), await historyOf(other, start)]
      const isSame = one.join() === other.join()
      expect(first.point.head === second.point.head).toBe(isSame)
      const tail = [9, 9]
      const [firstEnd, secondEnd] = [await historyOf(tail, first), await historyOf(tail, second)]
      expect(firstEnd.point.head === secondEnd.point.head).toBe(isSame)
    }),
  )
})

test('an answer in which anything was changed is refused', async () => {
  const flipped = (hex: string, at: number) => hex.slice(0, at) + (hex[at] === '1' ? '2' : '1') + hex.slice(at + 1)
  type Tamper = (log: DeviceLog, n: number) => DeviceLog
  const tampers: Tamper[] = [
    (log, n) => ({ ...log, head: flipped(log.head, n) }),
    (log, n) => ({ ...log, previous: flipped(log.previous, n) }),
    (log) => ({ ...log, length: log.length + 1 }),
    (log) => ({ ...log, length: log.length - 1 }),
    (log) => ({ ...log, user_id: log.user_id + 1 }),
    (log) => ({ ...log, keys: [...log.keys, keyOf(99)] }),
    (log) => ({ ...log, keys: [keyOf(99), ...log.keys] }),
    (log) => ({ ...log, keys: log.keys.slice(1) }),
    (log) => ({ ...log, keys: [...log.keys, ...log.keys] }),
    (log) => ({ ...log, keys: log.keys.toReversed().concat(keyOf(0)) }),
    (log) => ({ ...log, changes: log.changes.slice(1) }),
    (log) => ({ ...log, changes: log.changes.slice(0, -1) }),
    (log) => ({ ...log, changes: [...log.changes, { kind: 'added', key: keyOf(99) }] }),
    (log, n) => ({
      ...log,
      changes: log.changes.with(n % log.changes.length, { kind: 'added', key: keyOf(98) }),
    }),
  ]
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(fc.integer({ min: 1, max: 50 }), { minLength: 4, maxLength: 12 }),
      fc.nat(100),
      fc.nat(63),
      fc.constantFrom(...tampers),
      async (keys, cut, n, tamper) => {
        const history = await historyOf(keys)
        const start = await historyOf(keys.slice(0, 1 + (cut % (keys.length - 2))))
        const log = history.logAfter(start.point.length)
        expect(await isContinued(log, start.point)).toBe(true)
        expect(await isContinued(tamper(structuredClone(log), n), start.point)).toBe(false)
      },
    ),
  )
})

test('the log of another account never passes for this one, even with the same devices', async () => {
  const mine = await historyOf([1, 2, 3])
  const other = await historyOf([1, 2, 3], History.empty(8))
  expect(await isContinued({ ...other.logAfter(0), user_id: ACCOUNT }, undefined)).toBe(false)
  expect(await isContinued({ ...other.logAfter(3), user_id: ACCOUNT }, mine.point)).toBe(false)
})

test('a log without changes has no devices', async () => {
  const empty = History.empty().logAfter(undefined)
  expect(await isContinued(empty, undefined)).toBe(true)
  expect(await isContinued({ ...empty, keys: [keyOf(1)] }, undefined)).toBe(false)
  expect(await isContinued({ ...empty, head: keyOf(1) }, undefined)).toBe(false)
  // Somebody who was seen with devices cannot have none ever.
  expect(await isContinued(empty, (await historyOf([1])).point)).toBe(false)
})

test('a fork is found at every look until numbers were compared, and is not remembered by itself', async () => {
  const start = await historyOf([1])
  const [mine, theirs] = [await historyOf([2], start), await historyOf([3], start)]
  const memory = new Memory()
  expect((await look(memory, mine))?.isForked).toBe(false)
  expect((await look(memory, theirs))?.isForked).toBe(true)
  expect((await look(memory, await historyOf([4, 5], theirs)))?.isForked).toBe(true)
  expect((await look(memory, await historyOf([4, 5], mine)))?.isForked).toBe(false)
})

test('an older state than the remembered one is found', async () => {
  const old = await historyOf([1, 2])
  const memory = new Memory()
  await look(memory, await historyOf([3], old))
  expect((await look(memory, old))?.isForked).toBe(true)
})

test('two tabs that look at once warn of nothing', async () => {
  const [old, current] = [await historyOf([1]), await historyOf([1, 2])]
  const memory = new Memory()
  let looks = 0
  memory.meanwhile = () => {
    // Another tab has seen a newer state while the answer was on its way.
    if (looks++ === 0) memory.points.set(ACCOUNT, current.point)
  }
  const answers = [old, current]
  const devices = await readLogs(
    async ([account]) => ({ accounts: [(answers.shift() ?? current).logAfter(account?.after)], left_out: [] }),
    memory,
    [ACCOUNT],
  )
  expect(devices.get(ACCOUNT)).toMatchObject({ isForked: false, length: 2 })
  expect(answers).toEqual([])
})

test('accounts that an answer leaves out are asked for again, but not for ever', async () => {
  const histories = new Map(
    await Promise.all([1, 2, 3].map(async (id) => [id, await historyOf([id], History.empty(id))] as const)),
  )
  const requests: number[][] = []
  const devices = await readLogs(
    async (accounts) => {
      requests.push(accounts.map(({ user_id }) => user_id))
      const [first, ...others] = accounts
      return {
        accounts: [histories.get(first?.user_id ?? 0)!.logAfter(first?.after)],
        left_out: others.map(({ user_id }) => user_id),
      }
    },
    new Memory(),
    [1, 2, 3],
  )
  expect([[...devices.keys()], requests]).toEqual([
    [1, 2, 3],
    [[1, 2, 3], [2, 3], [3]],
  ])
  const refusing = readLogs(async () => ({ accounts: [], left_out: [1] }), new Memory(), [1])
  expect(await refusing.catch(String)).toContain('does not show')
})

test('an answer that is no log is refused, because two keys in one text would look like one device', async () => {
  const log = (await historyOf([1, 2])).logAfter(1)
  expect(isWellFormed(log)).toBe(true)
  const { keys, head } = log
  const texts = [keys.join(' '), `${head}\n`, `${head}\n7 2`, 'A'.repeat(64), '', head.slice(1)]
  const malformed: DeviceLog[] = [
    ...texts.flatMap((text) => [
      { ...log, keys: [text] },
      { ...log, head: text },
      { ...log, previous: text },
      { ...log, changes: [{ kind: 'added' as const, key: text }] },
    ]),
    ...[-1, 1.5, NaN, Infinity, 2 ** 53, '2'].map((length) => ({ ...log, length: length as number })),
  ]
  const memory = new Memory()
  for (const each of malformed) {
    const reading = readLogs(async () => ({ accounts: [each], left_out: [] }), memory, [ACCOUNT])
    expect(await reading.then(() => JSON.stringify(each), String)).toContain('malformed')
  }
  expect(memory.points.size).toBe(0)
})

test('a log that the server no longer shows has another past, if this device remembers it', async () => {
  const memory = new Memory()
  const showNothing = () => readLogs(async () => ({ accounts: [], left_out: [] }), memory, [ACCOUNT])
  expect((await showNothing()).size).toBe(0)
  await look(memory, await historyOf([1]))
  expect((await showNothing()).get(ACCOUNT)).toMatchObject({ keys: [], isForked: true, isGone: true })
  // Other accounts that it remembers do not matter.
  expect((await readLogs(async () => ({ accounts: [], left_out: [] }), memory, [ACCOUNT + 1])).size).toBe(0)
  expect((await look(memory, await historyOf([1, 2])))?.isForked).toBe(false)
})

test('accounts that nobody asked for are not remembered', async () => {
  const memory = new Memory()
  const history = await historyOf([1], History.empty(8))
  const devices = await readLogs(async () => ({ accounts: [history.logAfter(undefined)], left_out: [8] }), memory, [
    ACCOUNT,
  ])
  expect([devices.size, memory.points.size]).toEqual([0, 0])
})

test('a device remembers a thousand logs, and those of verified accounts for ever', () => {
  const verified = new Set([1, 3])
  let points = new Map<number, LogPoint>()
  for (let id = 1; id <= LOGS_REMEMBERED_MAX + 10; id++)
    points = withPoint(points, id, { length: 1, head: keyOf(id) }, verified)
  expect(points.size).toBe(LOGS_REMEMBERED_MAX)
  expect([1, 2, 3, 4, 12, 13].map((id) => points.has(id))).toEqual([true, false, true, false, false, true])
  // A newer point makes it the last to be forgotten.
  points = withPoint(points, 13, { length: 2, head: keyOf(1) }, verified)
  points = withPoint(points, 5_000, { length: 1, head: keyOf(1) }, verified)
  expect([13, 14].map((id) => points.has(id))).toEqual([true, false])
})
