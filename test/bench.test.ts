import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { resultsPage } from '../bench/results-page.ts'

test('bench/README.md prints the figures of bench/results', () => {
  expect(readFileSync(join(import.meta.dir, '../bench/README.md'), 'utf8')).toBe(resultsPage())
})
