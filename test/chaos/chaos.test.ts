import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { redisProgram } from '../support/redis.ts'

/** With this seed every kind of fault comes within the time: all of Redis freezes, and a part of it dies. */
const SEED = 8
const MINUTES = 1
const RUN_MS_MAX = 700_000

test.if(redisProgram !== undefined)(
  'nothing is lost, doubled or shown to strangers in a storm in which nodes, Redis, PostgreSQL and connections fail',
  async () => {
    const program = join(import.meta.dir, 'run.ts')
    const run = Bun.spawn([process.execPath, program, `${MINUTES}`, `--seed=${SEED}`, '--redis-cluster'], {
      env: process.env,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    try {
      const output = await new Response(run.stdout).text()
      console.log(output)
      for (const kind of ['kill', 'freeze', 'redis', 'postgres', 'cut all', 'cut some', 'slow', 'stall'])
        expect(output).toMatch(new RegExp(`^faults: .*\\d ${kind}\\b`, 'm'))
      expect(output).toContain('PASSED')
      expect(await run.exited).toBe(0)
    } finally {
      run.kill()
    }
  },
  RUN_MS_MAX,
)
