import { expect, test } from 'bun:test'
import { copyFileSync, mkdtempSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '../../src/database/database.ts'
import { migrate } from '../../src/database/migrate.ts'
import { type DeviceLog, isContinued } from '../../src/web/voice/sealing/device-log.ts'
import { createDatabase } from '../support/harness.ts'

const ZEROS = '0'.repeat(64)

test('devices that were registered before begin the logs of their accounts, and later ones continue them', async () => {
  const sql = openDatabase({ url: await createDatabase('logs') }, 2)
  const folder = mkdtempSync(join(tmpdir(), 'sql-'))
  for (const name of readdirSync('sql').filter((file) => /^\d{4}_/.test(file) && file < '0217'))
    copyFileSync(join('sql', name), join(folder, name))
  await migrate(sql, { folder })
  await sql`insert into users (username, email, password_hash, display_name)
    select name, name || '@example.org', '', name from unnest(array['ann', 'ben', 'cat']) name`
  await sql`insert into sessions (user_id, expires_at, ip, device_key)
    select u.id, now() + span, '::1', sha256(key) from users u join (values
      ('ann', interval '1 day', 'first'::bytea), ('ann', interval '1 day', 'second'),
      ('ann', interval '1 day', 'first'), ('ann', interval '-1 day', 'expired'), ('ann', interval '1 day', null),
      ('ben', interval '1 day', 'third'), ('cat', interval '1 day', null)) s (name, span, key) on s.name = u.username`
  await migrate(sql)

  const logs = async () =>
    sql<DeviceLog[]>`select l.user_id, l.length, encode(l.head, 'hex') as head,
      encode(coalesce((select e.head from device_log_entries e
        where e.user_id = l.user_id and e.position = l.length - 1), decode(${ZEROS}, 'hex')), 'hex') as previous,
      array(select encode(key, 'hex') from unnest(l.keys) key) as keys,
      (select json_agg(json_build_object('kind', case when e.is_added then 'added' else 'removed' end,
        'key', encode(e.key, 'hex')) order by e.position) from device_log_entries e
        where e.user_id = l.user_id) as changes
      from device_logs l order by l.user_id`
  const start = { length: 0, head: ZEROS }
  const before = await logs()
  expect(before.map(({ user_id, length, keys }) => [user_id, length, keys.length])).toEqual([
    [1, 2, 2],
    [2, 1, 1],
  ])
  for (const log of before) expect(await isContinued(log, start)).toBe(true)

  await sql`select log_devices(array[1, 2, 3]::bigint[], 100)`
  expect(await logs()).toEqual(before)
  await sql`delete from sessions where device_key = sha256('first')`
  await sql`update sessions set device_key = sha256('fourth') where device_key = sha256('third')`
  await sql`select log_devices(array[1, 2, 3]::bigint[], 100)`
  const after = await logs()
  expect(after.map(({ changes }) => changes.map(({ kind }) => kind))).toEqual([
    ['added', 'added', 'removed'],
    ['added', 'removed', 'added'],
  ])
  for (const [at, log] of after.entries()) {
    expect(await isContinued(log, start)).toBe(true)
    const { length, head } = before[at]!
    expect(await isContinued({ ...log, changes: log.changes.slice(length) }, { length, head })).toBe(true)
  }
  await sql.end()
})
