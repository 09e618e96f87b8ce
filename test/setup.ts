import { afterAll } from 'bun:test'
import { endAll } from './ends.ts'
import { stopEverything } from './harness.ts'
import { endSpawned } from './spawned.ts'

afterAll(async () => {
  endSpawned()
  await stopEverything()
  endAll()
})
