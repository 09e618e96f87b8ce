import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { synopses } from '../../../src/cli/admin/commands.ts'
import { json, printable } from '../../../src/cli/admin/print.ts'
import { VERSION } from '../../../src/core/version.ts'
import { boot, person, newServer, say } from '../../support/harness.ts'
import { importedAuthor } from '../../support/imports.ts'
import { admin, databaseOf, done, refused } from '../../support/operator.ts'
import { report } from '../../support/reports.ts'
import { SPAWN_MS } from '../../support/spawned.ts'
import { png, upload } from '../../support/uploads.ts'

const parley = await boot()
const { sql } = parley.parts
const here = databaseOf(parley)
const [alice, mallory] = [await person(parley, 'alice'), await person(parley, 'mallory')]
const { server_id, channel_id } = await newServer(alice, mallory)
const me = Bun.spawnSync(['id', '-un']).stdout.toString().trim()

test(
  'every use is in the audit: actor, act, target and change, and no name, address or secret',
  async () => {
    const message = await say(mallory, channel_id, 'spam')
    const file = await upload(mallory, 'spam.png', 'image/png', await png(8, 8))
    const id = String(mallory.id)
    await report(alice, message.id, 'minor_safety')
    const [{ id: reportId }] = await sql<[{ id: number }]>`select id from reports`
    const author = String(await importedAuthor(sql, server_id))
    const uses: [string[], object][] = [
      [['list'], { action: 'list', changes: { shown: [alice.id, mallory.id, Number(author)] } }],
      [['find', mallory.email], { action: 'find', changes: { shown: [mallory.id] } }],
      [['show', id], { action: 'show', target_type: 'account', target_id: mallory.id }],
      [['reset-password', id, '--yes'], { action: 'reset-password', target_id: mallory.id }],
      [['reset-link', id], { action: 'reset-link', target_id: mallory.id }],
      [['remove-factors', id, '--yes'], { action: 'remove-factors', target_id: mallory.id }],
      [['end-sessions', id, '--yes'], { action: 'end-sessions', changes: { sessions_ended: 0 } }],
      [['suspend', id, '--reason', 'spam', '--yes'], { action: 'suspend', target_id: mallory.id }],
      [['restore', id], { action: 'restore', target_id: mallory.id }],
      [
        ['claim-link', author, id],
        { action: 'claim-link', target_id: Number(author), changes: { link_for: mallory.id } },
      ],
      [['claim', author, id, '--yes'], { action: 'claim', changes: { given_to: mallory.id } }],
      [['operator', id], { action: 'operator', target_id: mallory.id }],
      [['delete', 'message', String(message.id), '--yes'], { target_type: 'message', target_id: message.id }],
      [['delete', 'file', String(file.id), '--yes'], { target_type: 'file', target_id: file.id }],
      [['delete', 'server', String(server_id), '--yes'], { target_type: 'server', changes: { owner_id: alice.id } }],
      [['clean-files', 'all', '--yes'], { action: 'clean-files', target_type: null }],
      [['delete-account', id, '--yes'], { action: 'delete-account', target_id: mallory.id }],
      [['reports'], { action: 'reports', changes: { shown: [reportId] } }],
      [['report', String(reportId)], { action: 'report', target_type: 'report', target_id: reportId }],
      [
        ['decide-report', String(reportId), 'resolved', '--note', mallory.username],
        { action: 'decide-report', changes: { state: { before: 'open', after: 'resolved' } } },
      ],
      [['figures'], { action: 'figures', target_type: null }],
      [['log'], { action: 'log' }],
    ]
    const secrets: string[] = []
    for (const [typed] of uses) {
      const { password, link } = await done(here, ...typed)
      secrets.push(password ?? link ?? mallory.email)
    }
    expect(await refused(here, 'show', 'nobody')).toBe('There is no such account.')
    const { entries } = await done(here, 'log', '--limit', '100')
    const history = entries.toReversed()
    const last = { action: 'show', changes: { refused: 'There is no such account.' } }
    expect(history).toMatchObject([...uses.map(([, entry]) => entry), last])
    for (const entry of history)
      expect(entry).toMatchObject({ operator: expect.stringContaining(me), operator_id: null })
    const text = JSON.stringify(entries)
    for (const secret of [mallory.username, ...secrets]) expect(text).not.toInclude(secret)
    const suspension = history.find((entry: { action: string }) => entry.action === 'suspend')
    expect(suspension.changes.suspended_reason).toEqual({ before: null, after: 'spam' })
    expect(new Set(history.map((entry: { action: string }) => entry.action)).size).toBe(synopses.length)
  },
  SPAWN_MS,
)

test(
  'an account is found by its id, and by a part of its name, address or display name, in any case',
  async () => {
    await alice.put('/api/auth/display-name', { display_name: 'Ælfgifu 100%' })
    const found = async (text: string) =>
      (await done(here, 'find', text)).accounts.map((account: { id: number }) => account.id)
    const names = [String(alice.id), alice.username.toUpperCase(), alice.email.slice(1), 'æLFG', '100%']
    for (const text of names) expect([text, await found(text)]).toEqual([text, expect.arrayContaining([alice.id])])
    for (const text of ['%', '100_', "' or 1=1 --", 'nobody at all'])
      expect([text, await found(text)]).toEqual([text, text === '%' ? [alice.id] : []])
    const output = await done(here, 'show', alice.username)
    expect(output.account).toMatchObject({ id: alice.id, email: alice.email, suspended_at: null })
    expect(output.sessions).toHaveLength(1)
    expect(JSON.stringify(output)).not.toInclude('argon2')
  },
  SPAWN_MS,
)

test(
  'pages go on where the last one ended, and every account comes once',
  async () => {
    const [dave] = [await person(parley, 'dave'), await person(parley, 'erin'), await person(parley, 'carol')]
    const ids: number[] = []
    for (let after: number | null = 0; after !== null;) {
      const { accounts, next } = await done(here, 'list', '--limit', '2', '--after', String(after))
      expect(accounts.length).toBeLessThanOrEqual(2)
      ids.push(...accounts.map((account: { id: number }) => account.id))
      after = next
    }
    const all = await sql<{ id: number }[]>`select id from users order by id`
    expect(ids).toEqual(all.map((row) => row.id))
    const { out } = await admin(here, 'list', '--limit', '2')
    expect(out).toContain(alice.email)
    expect(out).toContain(`More: --after ${ids[1]}`)
    const first = await done(here, 'log', '--limit', '1')
    expect((await done(here, 'log', '--before', String(first.next))).entries[0].id).toBeLessThan(first.next)
    await done(here, 'suspend', String(dave.id), '--reason', 'x', '--yes')
    expect((await done(here, 'list', '--suspended')).accounts).toMatchObject([{ id: dave.id }])
  },
  SPAWN_MS,
)

test(
  'the figures are those of the instance',
  async () => {
    const figures = await done(here, 'figures')
    const [rows] = await sql`select (select count(*) from users where deleted_at is null) as accounts,
      (select count(*) from servers) as servers, (select count(*) from events) as events,
      (select count(*) from messages) as messages`
    expect(figures).toMatchObject({ ...rows, running_servers: 1, suspended_accounts: 1, version: VERSION })
    expect(figures.accounts_active_last_day).toBe(figures.accounts)
    expect(figures.database_bytes).toBeGreaterThan(figures.event_bytes)
  },
  SPAWN_MS,
)

test(
  'a misunderstood command prints its usage, and changes nothing',
  async () => {
    const wrong: [string[], string][] = [
      [[], 'Name a command'],
      [['sudo'], 'Unknown command sudo'],
      [['constructor'], 'Unknown command constructor'],
      [['show'], 'Usage: show <account>'],
      [['suspend', 'alice', '--yes'], '--reason'],
      [['suspend', 'alice', '--reason', ' ', '--yes'], '--reason'],
      [['list', '--limit', '0'], '--limit'],
      [['list', '--limit', '9999'], '--limit'],
      [['list', '--nonsense'], '--nonsense'],
      [['delete', 'account', '1', '--yes'], '<kind>'],
      [['delete', 'message', '1e3', '--yes'], '<id>'],
      [['show', 'a', 'b'], '2 of 1 arguments'],
    ]
    // Wrong arguments are refused before an installation is opened.
    for (const [typed, says] of wrong) {
      const { code, out, error } = await admin({ DATA_DIR: '/nowhere' }, ...typed)
      expect([typed, code, out]).toEqual([typed, 2, ''])
      expect(error).toContain(says)
      expect(error).toContain('reset-password <account>')
    }
    const help = await admin({}, '--help')
    expect([help.code, help.error]).toEqual([0, ''])
    expect(help.out).toContain('end-sessions <account>')
  },
  SPAWN_MS,
)

test(
  'without a terminal, an irreversible act needs --yes',
  async () => {
    for (const typed of [
      ['suspend', alice.username, '--reason', 'x'],
      ['reset-password', alice.username],
      ['end-sessions', alice.username],
      ['remove-factors', alice.username],
      ['delete-account', alice.username],
      ['delete', 'server', '1'],
    ])
      expect(await refused(here, ...typed)).toEndWith('confirm with --yes.')
    expect((await alice.get('/api/auth/me')).status).toBe(200)
  },
  SPAWN_MS,
)

test('a printed name cannot move the cursor or reverse the line, and an emoji stays whole', () => {
  expect(printable('a\u001b[2Jb\u202ec\nd\u009be')).toBe('a\\u{1b}[2Jb\\u{202e}c\\u{a}d\\u{9b}e')
  expect(printable('Ælfgifu 👩‍🌾')).toBe('Ælfgifu 👩‍🌾')
  const text = json({ name: 'a\u001b\u009b' })
  for (const sign of ['\u001b', '\u009b']) expect(text).not.toInclude(sign)
  expect(JSON.parse(text)).toEqual({ name: 'a\u001b\u009b' })
})

test('docs/operating.md names every command exactly as the program does', () => {
  const guide = readFileSync(join(import.meta.dir, '../../../docs/operating.md'), 'utf8')
  const rows = [...guide.matchAll(/^\| `((?:[a-z-]+)(?: [^`]*)?)` \| (.+) \|$/gm)].map(([, written, does]) => [
    written?.replaceAll('\\|', '|').trim(),
    does,
  ])
  for (const [written, does] of synopses) expect(rows).toContainEqual([written?.trim(), does])
})
