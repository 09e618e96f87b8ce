import { afterAll, setDefaultTimeout } from 'bun:test'
import { stopEverything } from './harness.ts'

setDefaultTimeout(30_000)
afterAll(stopEverything)
