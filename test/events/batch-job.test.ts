import { expect, test } from 'bun:test'
import { openLog } from '../../src/core/log.ts'
import { BatchJob, runBatches } from '../../src/events/batch-job.ts'
import { claim } from '../../src/database/job-lock.ts'
import { standard } from '../support/harness.ts'

const { sql, write } = (await standard()).parts
const log = openLog('silent')
const NEVER_MS = 2 ** 31 - 1

/** A job with this many full batches, and the batches that it did. */
function jobOf(full: number, options: { batchesMax?: number; due?: boolean } = {}) {
  const did: number[] = []
  const job: BatchJob = new BatchJob(
    { sql, write, log },
    {
      name: `test ${crypto.randomUUID()}`,
      periodMs: NEVER_MS,
      batchesMax: options.batchesMax ?? Infinity,
      due: (database) => database`select where ${options.due ?? true}`,
      async batch() {
        did.push(did.length)
        if (did.length === 3) job.stop()
        return did.length <= full
      },
    },
  )
  return { job, did }
}

test('a job does batches until one is not full, and at most its number', async () => {
  const short = jobOf(1)
  await short.job.run()
  expect(short.did).toEqual([0, 1])
  const long = jobOf(Infinity, { batchesMax: 2 })
  await long.job.run()
  expect(long.did).toEqual([0, 1])
  await long.job.run()
  // The third batch stopped the job.
  expect(long.did).toEqual([0, 1, 2])
})

test('a job without due work opens no transaction', async () => {
  const { job, did } = jobOf(Infinity, { due: false })
  await job.run()
  expect(did).toEqual([])
  job.stop()
})

test('a stopped job begins no other batch', async () => {
  const { job, did } = jobOf(Infinity)
  await job.run()
  expect(did).toEqual([0, 1, 2])
})

test('while another transaction has the job no batch runs, and a batch that fails leaves nothing', async () => {
  const lock = `test ${crypto.randomUUID()}`
  let batches = 0
  const count = async () => ++batches < 3
  await sql.begin(async (tx) => {
    expect(await claim(tx, lock)).toBe(true)
    await runBatches(write, lock, () => true, count)
  })
  expect(batches).toBe(0)
  await runBatches(write, lock, () => true, count)
  expect(batches).toBe(3)
  const failing = runBatches(
    write,
    lock,
    () => true,
    async (tx) => {
      await tx`create table of_a_batch ()`
      throw new Error('a batch that fails')
    },
  )
  await expect(failing).rejects.toThrow('a batch that fails')
  expect((await sql`select to_regclass('of_a_batch') as is_there`)[0]).toEqual({ is_there: null } as never)
})
