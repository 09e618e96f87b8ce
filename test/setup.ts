import { afterAll } from 'bun:test'
import { endAll } from './support/ends.ts'
import { stopEverything } from './support/harness.ts'
import { endSpawned } from './support/spawned.ts'

afterAll(async () => {
  endSpawned()
  await stopEverything()
  endAll()
})
