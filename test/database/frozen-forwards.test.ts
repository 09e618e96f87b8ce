import { expect, test } from 'bun:test'
import { copyFileSync, mkdtempSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { EVERYONE_PERMISSIONS, permissions } from '../../src/core/permissions.ts'
import { openDatabase } from '../../src/database/database.ts'
import { migrate } from '../../src/database/migrate.ts'
import { createDatabase } from '../support/harness.ts'

test('earlier forwards are frozen in their current form, and lose a reference that not all may follow', async () => {
  const sql = openDatabase({ url: await createDatabase('forwards') }, 2)
  const migrateTo = async (keep: (name: string) => boolean) => {
    const folder = mkdtempSync(join(tmpdir(), 'sql-'))
    for (const name of readdirSync('sql').filter((file) => /^\d{4}_/.test(file) && keep(file)))
      copyFileSync(join('sql', name), join(folder, name))
    await migrate(sql, { folder })
  }
  await migrateTo((name) => name < '0142')
  await sql`insert into users (username, email, password_hash, display_name)
    select name, name || '@example.org', '', name from unnest(array['alice', 'bob']) name`
  await sql`insert into servers (name, owner_id) values ('Birdwatchers', 1)`
  await sql`insert into roles (server_id, name, permissions, position, is_everyone)
    values (1, 'everyone', ${EVERYONE_PERMISSIONS}, 0, true)`
  await sql`insert into members (server_id, user_id) values (1, 1), (1, 2)`
  await sql`insert into channels (id, server_id, name, type, position) overriding system value
    values (101, 1, 'general', 'text', 0), (102, 1, 'lounge', 'text', 1), (103, 1, 'staff', 'text', 2)`
  const hides = permissions('view_channel')
  await sql`insert into overwrites (channel_id, role_id, allow, deny) values (103, 1, 0, ${hides})`
  const insertMessage = async (
    channelId: number,
    content: string,
    forwardedId: number | null = null,
    copy?: object,
  ) => {
    const [row] = await sql<[{ id: number }]>`
      insert into messages (channel_id, author_id, content, forwarded_id, forwarded)
      values (${channelId}, 1, ${content}, ${forwardedId}, ${copy ? JSON.stringify(copy) : null}::text::json)
      returning id`
    return row.id
  }
  const stored = (messageId: number, filename: string, key: string) =>
    sql`insert into files (uploader_id, message_id, filename, content_type, size, key)
      values (1, ${messageId}, ${filename}, 'text/plain', 3, ${key})`
  const open = await insertMessage(101, 'An owl')
  const hidden = await insertMessage(103, 'Keep it')
  const deletedOriginal = await insertMessage(101, 'Gone')
  await stored(open, 'owl.txt', 'files/1')
  const ofOpen = await insertMessage(102, '', open, {})
  await stored(ofOpen, 'owl.txt', 'files/2')
  await stored(ofOpen, 'own.txt', 'files/3')
  const ofHidden = await insertMessage(102, '', hidden, { external: false })
  const ofGone = await insertMessage(102, 'See', deletedOriginal, {})
  const fromElsewhere = await insertMessage(102, '', null, { content: 'Whispered', emoji_ids: [] })
  await sql`delete from messages where id = ${deletedOriginal}`

  await migrateTo(() => true)
  const read = async (id: number, viewer: number) =>
    (await sql<[{ body: any }]>`select message_json(m, ${viewer}) as body from messages m where id = ${id}`)[0].body
  const nobody = { message_id: null, channel_id: null, author: null }
  await sql`update messages set content = 'A great owl' where id = ${open}`
  expect((await read(ofOpen, 2)).forwarded).toMatchObject({ message_id: open, channel_id: 101, content: 'An owl' })
  for (const viewer of [1, 2]) {
    expect((await read(ofHidden, viewer)).forwarded).toEqual({ ...nobody, content: 'Keep it' })
    expect((await read(ofGone, viewer)).forwarded).toEqual({ ...nobody, content: null })
    expect((await read(fromElsewhere, viewer)).forwarded).toEqual({ ...nobody, content: 'Whispered' })
  }
  const named = async () => (await read(ofOpen, 2)).files.map(({ filename }: { filename: string }) => filename)
  expect(await named()).toEqual(['owl.txt', 'own.txt'])
  for (const id of [open, hidden]) await sql`delete from messages where id = ${id}`
  expect(await named()).toEqual(['own.txt'])
  for (const id of [ofOpen, ofHidden]) expect((await read(id, 1)).forwarded).toEqual({ ...nobody, content: null })
  expect((await read(fromElsewhere, 1)).forwarded.content).toBe('Whispered')
  await sql.end()
})
