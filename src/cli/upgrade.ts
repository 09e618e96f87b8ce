import { RefusesToBoot } from '../core/errors.ts'
import { typedCommand } from '../core/program.ts'
import { VERSION } from '../core/version.ts'
import { openLongConnection } from '../database/database.ts'
import { nextUpgrade, type Upgrade } from '../database/migrate.ts'
import { runCommand } from './command.ts'
import { openInstallation } from './installation.ts'

/** Exit code if servers have to stop before the next start. */
const BREAK_CODE = 3

const TEXT = `${typedCommand('upgrade')} --check
  Names the changes of the schema that the next start of this version would make, and whether servers of an earlier
  version may run meanwhile. Changes nothing. Exit code ${BREAK_CODE}: they have to stop first.`

/** The upgrade in lines for the operator. */
function* linesOf({ newest, newestVersion, pending, hasStaleFunctions, kind }: Upgrade) {
  yield `The database has run sql/${newest}${newestVersion === undefined ? '' : ` (by Parley ${newestVersion})`}.`
  for (const migration of pending) yield `${migration.kind}  sql/${migration.name}`
  if (hasStaleFunctions) yield 'Functions and views differ from those of this version.'
  if (kind === undefined) yield `Parley ${VERSION} would change nothing.`
  else if (kind === 'expand')
    yield `expand: Parley ${VERSION} may start while servers of an earlier version run; then stop those one by one.`
  else yield `break: stop every server before Parley ${VERSION} starts.`
}

await runCommand(
  { text: TEXT, options: { check: { type: 'boolean', default: false } }, positionals: [0, 0] },
  'nothing was changed.',
  async ({ values }, environment) => {
    if (!values.check) throw new RefusesToBoot('Pass --check. To upgrade, start the new version.')
    const installation = await openInstallation(environment)
    const sql = openLongConnection(installation.address, 'parley-upgrade')
    const upgrade = await nextUpgrade(sql).finally(async () => {
      await sql.end({ timeout: 1 })
      await installation.close()
    })
    for (const line of linesOf(upgrade)) console.log(line)
    if (upgrade.kind === 'break') process.exit(BREAK_CODE)
  },
)
