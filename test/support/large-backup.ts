import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { done, startOn } from './backups.ts'
import { person, newServer, say, stop } from './harness.ts'
import { preparedDatabase } from './spawned.ts'
import { png, upload } from './uploads.ts'

/** Messages whose rows take several entries of an archive. */
export const MESSAGES = 20_000

/** A backup of a stopped installation with a large table, whose text does not compress well, and objects. */
export async function largeBackup(): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), 'large-'))
  const variables = { DATA_DIR: join(directory, 'data'), DATABASE_URL: await preparedDatabase('large') }
  const parley = await startOn(variables)
  const alice = await person(parley, 'alice')
  const { channel_id } = await newServer(alice)
  await upload(alice, 'owl.png', 'image/png', await png(64, 64))
  await say(alice, channel_id, 'first')
  await parley.parts.sql`insert into messages (channel_id, author_id, content)
    select ${channel_id}, ${alice.id},
      (select string_agg(md5(n * 7 + part || 'owl'), ' ') from generate_series(1, 6) part)
    from generate_series(1, ${MESSAGES}) n`
  await stop(parley)
  const path = join(directory, 'backup')
  await done('backup', variables, path)
  return path
}
