import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { programFile } from '../core/program.ts'
import { VERSION } from '../core/version.ts'
import { readEnvironment } from '../environment.ts'
import { obtainWorker } from '../voice/worker/obtain.ts'
import { makeExecutable, PLATFORM } from './release/executable.ts'

// `bun run release` builds the executable of this version for this machine's platform, into `release/`; with `--trial`
// even if migrations or functions are unreleased. MEDIA_WORKER=off leaves out the SFU's worker.

/** Migrations and functions that are missing from sql/released.sha256 or differ from it. */
function unreleased(): string[] {
  const folder = programFile('sql')
  const releasedList = readFileSync(join(folder, 'released.sha256'), 'utf8')
  return [...new Bun.Glob('{[0-9]*,functions/*/*}.sql').scanSync({ cwd: folder })].sort().filter((name) => {
    const digest = createHash('sha256').update(readFileSync(join(folder, name)))
    return !releasedList.includes(`${digest.digest('hex')}  ${name}\n`)
  })
}

const isTrial = process.argv[2] === '--trial'
const [unlisted] = unreleased()
if (unlisted !== undefined && !isTrial) {
  console.error(
    `sql/${unlisted} is not in sql/released.sha256: add it when it will not change any more (CONTRIBUTING.md), ` +
      'or say --trial.',
  )
  process.exit(1)
}
const { MEDIA_WORKER, ...environment } = readEnvironment(process.env)
const errand = { report: (step: string) => console.log(step), signal: AbortSignal.timeout(3_600_000) }
const worker = MEDIA_WORKER === 'off' ? undefined : await obtainWorker(environment, errand)
const directory = programFile('release')
const outfile = join(directory, `parley-${VERSION}-${PLATFORM}`)
mkdirSync(directory, { recursive: true })
const { text, hash } = await makeExecutable(outfile, worker)
const bytes = readFileSync(outfile)
const digest = createHash('sha256').update(bytes).digest('hex')
writeFileSync(`${outfile}.sha256`, `${digest}  ${basename(outfile)}\n`)
// The same for every platform.
writeFileSync(join(directory, `parley-${VERSION}-client.sha256`), text)
console.log(`Web client: ${hash}`)
console.log(`${outfile}: ${Math.round(bytes.length / 1e6)} MB`)
