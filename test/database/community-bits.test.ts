import { expect, test } from 'bun:test'
import { copyFileSync, mkdtempSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Permission, permissions } from '../../src/core/permissions.ts'
import { openDatabase } from '../../src/database/database.ts'
import { migrate } from '../../src/database/migrate.ts'
import { createDatabase } from '../support/harness.ts'

/** Permissions that a later version added, the migration, and the permission that each was derived from. */
const ADDED: [migration: string, from: Permission, added: Permission[]][] = [
  ['0190', 'manage_server', ['manage_events', 'create_events']],
  ['0193', 'speak', ['use_soundboard']],
]

for (const [migration, from, added] of ADDED)
  test(`${added.join(' and ')} go with ${from}, allowed and denied, and no client resumes from before`, async () => {
    const sql = openDatabase({ url: await createDatabase(`bits_${migration}`) }, 2)
    const migrateTo = async (keep: (name: string) => boolean) => {
      const folder = mkdtempSync(join(tmpdir(), 'sql-'))
      for (const name of readdirSync('sql').filter((file) => /^\d{4}_/.test(file) && keep(file)))
        copyFileSync(join('sql', name), join(folder, name))
      await migrate(sql, { folder })
    }
    // An installation has migrations with greater numbers already.
    await migrateTo((name) => !name.startsWith(migration))
    const [before, after] = [permissions('view_channel', from), permissions('view_channel', from, ...added)]
    const [both, plain] = [permissions(from, ...added), permissions('view_channel')]
    for (const name of ['alice', 'bob', 'carol'])
      await sql`insert into users (username, email, password_hash, display_name) values (${name}, ${name}, '', ${name})`
    await sql`insert into servers (name, owner_id) values ('Birdwatchers', 1)`
    await sql`insert into members (server_id, user_id) values (1, 2), (1, 3)`
    await sql`insert into roles (server_id, name, permissions, position, is_everyone)
      values (1, 'everyone', ${before}, 0, true), (1, 'reader', ${plain}, 1, false)`
    await sql`insert into channels (id, server_id, name, type, position) overriding system value
      values (101, 1, 'talk', 'voice', 0)`
    await sql`insert into overwrites (channel_id, role_id, allow, deny)
      values (101, 1, 0, ${permissions(from)}), (101, 2, ${permissions(from)}, ${plain})`
    await sql`insert into member_overwrites (server_id, channel_id, user_id, allow, deny)
      values (1, 101, 2, ${permissions(from)}, 0), (1, 101, 3, 0, ${permissions(from)})`
    const [{ id }] = await sql<[{ id: number }]>`
      insert into events (type, topic, resource) values ('user.updated', 'user:1', 'user:1') returning id`
    await migrateTo(() => true)
    const roles = await sql<{ permissions: number }[]>`select permissions from roles order by position`
    expect(roles.map((role) => role.permissions)).toEqual([after, plain])
    expect([...(await sql`select allow, deny from overwrites order by role_id`)] as unknown[]).toEqual([
      { allow: 0, deny: both },
      { allow: both, deny: plain },
    ])
    // Only a server gives manage_server: an overwrite of it means nothing.
    const ofMembers = migration === '0193' ? both : permissions(from)
    expect([...(await sql`select allow, deny from member_overwrites order by user_id`)] as unknown[]).toEqual([
      { allow: ofMembers, deny: 0 },
      { allow: 0, deny: ofMembers },
    ])
    const [origin] = await sql<{ resumable_from: number }[]>`select resumable_from from event_log_origin`
    const [newest] = await sql<{ id: number; type: string }[]>`select id, type from events order by id desc limit 1`
    expect(newest?.id).toBeGreaterThan(id)
    expect([newest?.type, origin?.resumable_from]).toEqual(['log.started', newest?.id])
    await sql.end()
  })
