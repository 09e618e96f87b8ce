import { expect, test } from 'bun:test'
import { copyFileSync, mkdtempSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { permissions } from '../../src/core/permissions.ts'
import { openDatabase } from '../../src/database/database.ts'
import { migrate } from '../../src/database/migrate.ts'
import { createDatabase } from '../support/harness.ts'

test('send_polls goes with send_messages in roles and overwrites, and no client resumes from before that', async () => {
  const sql = openDatabase({ url: await createDatabase('pollbits') }, 2)
  const migrateTo = async (keep: (name: string) => boolean) => {
    const folder = mkdtempSync(join(tmpdir(), 'sql-'))
    for (const name of readdirSync('sql').filter((file) => /^\d{4}_/.test(file) && keep(file)))
      copyFileSync(join('sql', name), join(folder, name))
    await migrate(sql, { folder })
  }
  await migrateTo((name) => name < '0175')
  await sql`insert into users (username, email, password_hash, display_name) values ('alice', 'a@example.org', '', 'A')`
  await sql`insert into servers (name, owner_id) values ('Birdwatchers', 1)`
  const [writes, reads] = [permissions('view_channel', 'send_messages'), permissions('view_channel')]
  await sql`insert into roles (server_id, name, permissions, position, is_everyone)
    values (1, 'everyone', ${writes}, 0, true), (1, 'reader', ${reads}, 1, false)`
  await sql`insert into channels (id, server_id, name, type, position) overriding system value
    values (101, 1, 'news', 'text', 0)`
  await sql`insert into overwrites (channel_id, role_id, allow, deny)
    values (101, 1, 0, ${permissions('send_messages')}), (101, 2, ${permissions('send_messages')}, ${reads})`
  const [{ id }] = await sql<[{ id: number }]>`
    insert into events (type, topic, resource) values ('user.updated', 'user:1', 'user:1') returning id`
  await migrateTo(() => true)
  const roles = await sql<{ permissions: number }[]>`select permissions from roles order by position`
  expect(roles.map((role) => role.permissions)).toEqual([writes + permissions('send_polls'), reads])
  const both = permissions('send_messages', 'send_polls')
  expect([...(await sql`select allow, deny from overwrites order by role_id`)] as unknown[]).toEqual([
    { allow: 0, deny: both },
    { allow: both, deny: reads },
  ])
  const [origin] = await sql<{ resumable_from: number }[]>`select resumable_from from event_log_origin`
  const [newest] = await sql<{ id: number; type: string }[]>`select id, type from events order by id desc limit 1`
  expect(newest?.id).toBeGreaterThan(id)
  expect([newest?.type, origin?.resumable_from]).toEqual(['log.started', newest?.id])
  await sql.end()
})
