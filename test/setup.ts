import { afterAll } from 'bun:test'
import { stopEverything } from './harness.ts'
import { endSpawned } from './spawned.ts'

afterAll(async () => {
  endSpawned()
  await stopEverything()
})
