import { afterAll, expect, test } from 'bun:test'
import { copyFileSync, mkdtempSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Permission, permissions } from '../../src/core/permissions.ts'
import { openDatabase } from '../../src/database/database.ts'
import { migrate } from '../../src/database/migrate.ts'
import { createDatabase } from '../support/harness.ts'

const sql = openDatabase({ url: await createDatabase('wide') }, 2)
afterAll(() => sql.end())

/** Brings the schema to the state before or after a file. */
async function migrateTo(keep: (name: string) => boolean): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'sql-'))
  for (const name of readdirSync('sql').filter((name) => /^\d{4}_/.test(name) && keep(name)))
    copyFileSync(join('sql', name), join(folder, name))
  await migrate(sql, { folder })
}

test('roles and overwrites gain the new bits with the bits they derive from, and no access widens', async () => {
  await migrateTo((name) => name < '0021')
  await sql`insert into users (username, email, password_hash, display_name) values ('alice', 'a@example.org', '', 'A')`
  await sql`insert into servers (name, owner_id) values ('Birdwatchers', 1)`
  const roles: [before: Permission[], gained: Permission[]][] = [
    [['view_channel'], []],
    [['send_messages'], ['add_reactions', 'create_threads', 'send_in_threads']],
    [['manage_messages'], ['manage_threads', 'pin_messages']],
    [['kick_members', 'manage_roles'], ['moderate_members']],
    [['administrator'], []],
  ]
  for (const [position, [before]] of roles.entries())
    await sql`insert into roles (server_id, name, permissions, position, is_everyone)
      values (1, 'r', ${permissions(...before)}, ${position}, ${position === 0})`
  await sql`insert into channels (server_id, name, type, position) values (1, 'news', 'text', 0)`
  await sql`insert into overwrites (channel_id, role_id, allow, deny) values
    (1, 1, 0, ${permissions('send_messages', 'speak')}),
    (1, 2, ${permissions('send_messages')}, ${permissions('manage_messages')}),
    (1, 3, ${permissions('view_channel')}, 0)`
  await sql`insert into events (type, topic, resource) values ('user.updated', 'user:1', 'user:1')`
  const [{ last }] = await sql<[{ last: number }]>`select max(id) as last from events`

  await migrateTo((name) => name <= '0022')

  const after = await sql<{ permissions: number }[]>`select permissions from roles order by position`
  expect(after.map((row) => row.permissions)).toEqual(
    roles.map(([before, gained]) => permissions(...before, ...gained)),
  )
  const writing = permissions('send_messages', 'add_reactions', 'create_threads', 'send_in_threads')
  const managing = permissions('manage_messages', 'manage_threads', 'pin_messages')
  expect([...(await sql`select role_id, allow, deny from overwrites order by role_id`)] as unknown[]).toEqual([
    { role_id: 1, allow: 0, deny: writing + permissions('speak') },
    { role_id: 2, allow: writing, deny: managing },
    { role_id: 3, allow: permissions('view_channel'), deny: 0 },
  ])
  await migrateTo(() => true)
  expect([...(await sql`select * from effective_overwrites order by role_id`)]).toEqual([
    ...(await sql`select channel_id, role_id, allow, deny from overwrites order by role_id`),
  ])
  const events = await sql<{ id: number; type: string }[]>`select id, type from events`
  // Each gain of bits begins the log anew: later ones are those of send_polls, of events, and of sounds.
  expect(events.map((event) => event.type)).toEqual(Array(4).fill('log.started'))
  expect(events[0]?.id).toBeGreaterThan(last)
})
