import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { neverMet } from './support/coverage.ts'
import { MEDIA_DIR } from './support/media-worker.ts'

// Runs every test file, then checks that the tests met everything that the contract declares.
const directory = mkdtempSync(join(tmpdir(), 'parley-run-'))
const coverage = join(directory, 'coverage.txt')
const report = join(directory, 'junit.xml')

// On a new machine the media worker is built, which takes minutes: beside the tests that can do without, and once.
// Those that need it wait for it. Its own log tells the rest.
const all = process.argv.length === 2
const obtaining = all
  ? Bun.spawn([process.execPath, join(import.meta.dir, '../src/main.ts'), 'media'], {
      env: { ...process.env, MEDIA_DIR },
      stdio: ['ignore', 'ignore', 'ignore'],
    })
  : undefined
process.on('exit', () => obtaining?.kill())

const tests = Bun.spawn(
  // Said here because bun test reads no timeout from bunfig.toml; the machine may be busy.
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

if (all && existsSync(coverage)) {
  const missed = neverMet(coverage)
  for (const what of missed) console.error(`never met by a test: ${what}`)
  failed += missed.length
}
rmSync(directory, { recursive: true, force: true })
console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`)
process.exit(failed > 0 || passed === 0 ? 1 : 0)
