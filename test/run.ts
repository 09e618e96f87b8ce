import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { neverMet } from './coverage.ts'

// Runs every test file, then checks that the tests met everything that the contract declares.
const directory = mkdtempSync(join(tmpdir(), 'parley-run-'))
const coverage = join(directory, 'coverage.txt')
const report = join(directory, 'junit.xml')

const tests = Bun.spawn(
  [
    process.execPath,
    'test',
    '--timeout=30000',
    '--reporter=junit',
    `--reporter-outfile=${report}`,
    ...process.argv.slice(2),
  ],
  { env: { ...process.env, PARLEY_COVERAGE: coverage }, stdout: 'inherit', stderr: 'inherit' },
)
const code = await tests.exited

const summary = existsSync(report) ? (/<testsuites [^>]*>/.exec(readFileSync(report, 'utf8'))?.[0] ?? '') : ''
const count = (name: string) => Number(new RegExp(`\\b${name}="(\\d+)"`).exec(summary)?.[1] ?? 0)
const skipped = count('skipped')
let failed = count('failures') + count('errors')
const passed = count('tests') - failed - skipped
// A run that broke off outside a test has failed, whatever its report counted.
if (code !== 0 && failed === 0) failed = 1

if (process.argv.length === 2 && existsSync(coverage)) {
  const missed = neverMet(coverage)
  for (const what of missed) console.error(`never met by a test: ${what}`)
  failed += missed.length
}
rmSync(directory, { recursive: true, force: true })
console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`)
process.exit(failed > 0 || passed === 0 ? 1 : 0)
