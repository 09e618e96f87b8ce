import { expect, test } from 'bun:test'
import { Job } from '../../src/core/job.ts'

/** A job whose runs last until the test ends them. */
class Held extends Job {
  readonly ends: (() => void)[] = []

  constructor() {
    super(3_600_000, 'held', () => {})
  }

  protected async work(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.ends.push(resolve)
    await promise
  }
}

test('callers during a run wait for one more run, which sees what they have committed', async () => {
  const job = new Held()
  const ended: string[] = []
  const calls = ['first', 'second', 'third'].map((name) => job.run().then(() => ended.push(name)))
  expect(job.ends.length).toBe(1)
  job.ends[0]?.()
  await calls[0]
  await Bun.sleep(0)
  expect([ended, job.ends.length]).toEqual([['first'], 2])
  job.ends[1]?.()
  await Promise.all(calls)
  expect([ended, job.ends.length]).toEqual([['first', 'second', 'third'], 2])
  job.stop()
})

test('a stopped job runs no more for those who wait', async () => {
  const job = new Held()
  const calls = [job.run(), job.run()]
  job.stop()
  job.ends[0]?.()
  await Promise.all(calls)
  expect(job.ends.length).toBe(1)
})
