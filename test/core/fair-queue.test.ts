import { expect, test } from 'bun:test'
import { FairQueue } from '../../src/core/fair-queue.ts'
import { Problem } from '../../src/core/errors.ts'

const [ALICE, BOB, MALLORY] = [1, 2, 3]

/** A queue whose calls end one by one. */
function queueOf(limits: Partial<ConstructorParameters<typeof FairQueue>[0]> = {}) {
  const queue = new FairQueue({ atOnce: 1, queuedMax: 8, queuedPerAccountMax: 4, waitMsMax: 1000, ...limits })
  const running: (() => void)[] = []
  const served: number[] = []
  const call = (userId: number) =>
    queue
      .run(userId, () => {
        served.push(userId)
        return new Promise<void>((resolve) => running.push(resolve))
      })
      .then(
        () => 'served',
        (error: unknown) => (error instanceof Problem ? error.code : 'thrown'),
      )
  const endOne = async () => {
    running.shift()?.()
    await Bun.sleep(0)
  }
  return { call, served, endOne }
}

test('accounts are served in turns, however many calls one has queued', async () => {
  const { call, served, endOne } = queueOf({ queuedMax: 16 })
  const calls = [MALLORY, MALLORY, MALLORY, ALICE, BOB, ALICE].map(call)
  for (const _ of calls) await endOne()
  expect(served).toEqual([MALLORY, ALICE, BOB, MALLORY, ALICE, MALLORY])
  expect(await Promise.all(calls)).toEqual(Array(6).fill('served'))
})

test('an account has its own bound, and one place while half of all places are taken', async () => {
  const { call, endOne } = queueOf()
  const calls = [...Array(6).fill(MALLORY), ALICE, ALICE, 4, 4, 5, 6, 7].map(call)
  for (let ended = 0; ended < calls.length; ended++) await endOne()
  const answers = await Promise.all(calls)
  // One runs and four wait; the second half of the places goes to four others, one place each.
  expect(answers.flatMap((answer, at) => (answer === 'unavailable' ? [at] : []))).toEqual([5, 7, 9, 12])
})

test('calls beyond the share of an account wait, also while there is room, and others run', async () => {
  const { call, served, endOne } = queueOf({ atOnce: 3, atOncePerAccount: 2 })
  const calls = [MALLORY, MALLORY, MALLORY, ALICE, BOB, BOB].map(call)
  await Bun.sleep(0)
  expect(served).toEqual([MALLORY, MALLORY, ALICE])
  for (const _ of calls) await endOne()
  expect(served).toEqual([MALLORY, MALLORY, ALICE, MALLORY, BOB, BOB])
  expect(await Promise.all(calls)).toEqual(Array(6).fill('served'))
})

test('a call that waits too long is refused, and a call that throws frees its place', async () => {
  const { call, served, endOne } = queueOf({ waitMsMax: 50 })
  const first = call(MALLORY)
  expect(await Promise.all([call(MALLORY), call(ALICE)])).toEqual(['unavailable', 'unavailable'])
  const late = call(BOB)
  await endOne()
  await endOne()
  expect([await first, await late, served]).toEqual(['served', 'served', [MALLORY, BOB]])
  const queue = new FairQueue({ atOnce: 1, queuedMax: 1, queuedPerAccountMax: 1, waitMsMax: 50 })
  const thrown = queue.run(ALICE, () => Promise.reject(new Error('broken')))
  expect(await Promise.allSettled([thrown, queue.run(BOB, async () => 'served')])).toMatchObject([
    { status: 'rejected' },
    { status: 'fulfilled', value: 'served' },
  ])
})
