import { afterAll } from 'bun:test'
import { stopEverything } from './harness.ts'

afterAll(stopEverything)
