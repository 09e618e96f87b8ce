import { expect, test } from 'bun:test'
import { commitBefore, migrationsAfter, unpackBeside } from '../support/earlier-release.ts'
import { SPAWN_MS } from '../support/spawned.ts'

/** The newest migration of the version that landed last. A release moves it on. */
const LANDED = process.env.PARLEY_TEST_LANDED ?? '0241_search_pairs.sql'

/** A part of that version's suite that reads and writes most tables of a server of people. */
const FILES = [
  'features/messages/messages',
  'features/messages/nonces',
  'features/servers/servers',
  'features/channels/channels',
  'features/members/members',
  'features/roles/roles',
  'features/dms/dms',
  'features/sessions/sessions',
  'gateway/sync',
].map((file) => `test/${file}.test.ts`)

const added = migrationsAfter(LANDED)

/** Why the program of the last release is not run; undefined if it can be. */
function obstacle(): string | undefined {
  if (added.length === 0) return `there is no migration after ${LANDED}`
  const breaks = added.filter(({ kind }) => kind === 'break')
  if (breaks.length > 0) return `${breaks.map(({ name }) => name).join(', ')} is a break: earlier servers have to stop`
  return commitBefore(LANDED) ? undefined : `this clone has no commit whose newest migration is ${LANDED}`
}
const reason = obstacle()
if (reason) console.error(`SKIPPED LOUDLY: the last release's program next to this schema, since ${reason}`)

test.skipIf(reason !== undefined)(
  'the program of the last release passes a part of its suite on the schema of this version',
  async () => {
    const directory = unpackBeside(commitBefore(LANDED) ?? '')
    if (!directory) return console.error('SKIPPED LOUDLY: the packages of the last release are others')
    const present = FILES.filter((file) => Bun.file(`${directory}/${file}`).size > 0)
    expect(present.length).toBeGreaterThan(FILES.length / 2)
    // Once more after a failure: this is about the schema, and not about how steady that suite is.
    for (let tries = 1; ; tries++) {
      const child = Bun.spawn([process.execPath, 'test', '--timeout=60000', ...present], {
        cwd: directory,
        env: { PATH: process.env.PATH ?? '', TMPDIR: process.env.TMPDIR ?? '/tmp', HOME: process.env.HOME ?? '' },
        stdio: ['ignore', 'ignore', 'pipe'],
      })
      const output = await new Response(child.stderr).text()
      if ((await child.exited) === 0) {
        console.log(`${added.length} migrations after ${LANDED}: ${output.trim().split('\n').slice(-5).join(', ')}`)
        return
      }
      if (tries === 2) throw new Error(output.slice(-8_000))
    }
  },
  4 * SPAWN_MS,
)
