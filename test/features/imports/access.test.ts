import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Parley } from '../../../src/parley.ts'
import { permissionNames, permissions } from '../../../src/core/permissions.ts'
import { boot, type Person, person } from '../../support/harness.ts'
import { ended, exported, exportedChannel, startImportWith } from '../../support/imports.ts'
import { SPAWN_MS } from '../../support/spawned.ts'
import { png } from '../../support/uploads.ts'

const TOKEN = 'MTk4NjIyNDgzNDcxOTI1MjQ4.Cl2FMQ.ZnCjm1XVW7vRze4b7Cq4se7kKWs'
const GUILD = '811111111111111112'
const [CATEGORY, LOUNGE] = ['850000000000000010', '850000000000000011']
const [STAFF, MODS, ADMINS, GUESTS] = [
  '820000000000000001',
  '820000000000000002',
  '820000000000000003',
  '820000000000000004',
]
const ANN = '830000000000000001'
const OWL = '880000000000000001'

// From Discord's documentation: https://discord.com/developers/docs/topics/permissions
const [VIEW, SEND, HISTORY, KICK, MANAGE_EVENTS] = [1n << 10n, 1n << 11n, 1n << 16n, 1n << 1n, 1n << 33n]
const [CONNECT, SPEAK, PIN] = [1n << 20n, 1n << 21n, 1n << 51n]
const role = (id: string, name: string, position: number, sum: bigint, more: object = {}) => ({
  id,
  name,
  color: 0,
  colors: { primary_color: 0, secondary_color: null, tertiary_color: null },
  hoist: false,
  icon: null,
  unicode_emoji: null,
  position,
  permissions: String(sum),
  managed: false,
  mentionable: false,
  flags: 0,
  ...more,
})
const overwrite = (id: string | undefined, allow: bigint, deny: bigint, type = 0) => ({
  id,
  type,
  allow: String(allow),
  deny: String(deny),
})
const channel = (id: string, name: string, permission_overwrites: object[], more: object = {}) => ({
  id,
  guild_id: GUILD,
  name,
  type: 0,
  position: 0,
  nsfw: false,
  rate_limit_per_user: 0,
  topic: null,
  last_message_id: null,
  parent_id: CATEGORY,
  permission_overwrites,
  ...more,
})
const VOICE = { type: 2, parent_id: null }
const onlyStaff = [overwrite(GUILD, 0n, VIEW), overwrite(STAFF, VIEW | SEND, 0n)]
const member = (id: string, username: string, roles: (string | undefined)[], more: object = {}) => ({
  user: { id, username, discriminator: '0', global_name: null, avatar: null, public_flags: 0 },
  nick: null,
  avatar: null,
  roles,
  joined_at: '2019-05-06T07:08:09.010000+00:00',
  premium_since: null,
  deaf: false,
  mute: false,
  flags: 0,
  ...more,
})

const answers: Record<string, any[]> = {
  roles: [
    role(GUILD, '@everyone', 0, VIEW | SEND | HISTORY | MANAGE_EVENTS),
    role(ADMINS ?? '', 'Admins', 4, 8n, { color: 0x0a00ff, hoist: true }),
    role(MODS ?? '', 'Mods', 3, KICK | PIN, { mentionable: true }),
    role(STAFF ?? '', 'Staff', 2, 0n),
    role(GUESTS ?? '', 'Guests', 1, VIEW | CONNECT),
  ],
  channels: [
    channel(CATEGORY, 'Back office', onlyStaff, { type: 4, parent_id: null }),
    channel(LOUNGE ?? '', 'Lounge', [overwrite(GUILD, 0n, VIEW)], { type: 4, parent_id: null }),
    channel('860000000000000010', 'plans', [...onlyStaff, overwrite(ANN, VIEW, 0n, 1)]),
    channel('860000000000000011', 'court', [overwrite(GUILD, 0n, VIEW), overwrite(MODS, VIEW, 0n)]),
    channel('860000000000000012', 'quiet', [overwrite(GUILD, 0n, SEND)], { parent_id: LOUNGE }),
    channel('860000000000000015', 'nowhere', []),
    channel('860000000000000016', 'booth', [overwrite(GUILD, 0n, CONNECT), overwrite(MODS, CONNECT, 0n)], VOICE),
    channel('860000000000000017', 'lobby', [], VOICE),
    channel('860000000000000018', 'den', [overwrite(GUILD, CONNECT, 0n), overwrite(STAFF, VIEW, CONNECT)], VOICE),
    channel('860000000000000019', 'stage', [overwrite(GUILD, CONNECT, 0n), overwrite(MODS, SPEAK, 0n)], {
      type: 13,
      parent_id: null,
    }),
  ],
  stickers: [{ id: OWL, name: 'Owl', description: 'An owl blinks', tags: 'owl', type: 2, format_type: 1 }],
  // More members than fit on a page.
  members: [
    member(ANN, 'ann', [MODS, ADMINS]),
    ...Array.from({ length: 999 }, (_, at) => member(String(840000000000000000n + BigInt(at)), `m${at}`, [])),
    member('849000000000000001', 'cid', [STAFF, '829999999999999999'], { nick: 'Cid of the Marsh' }),
  ],
}

/** Replacement answers of Discord by the end of a path, once each. */
const instead = new Map<string, () => Response>()
const questions: string[] = []
let visibleNames: string[] = []

/** Answers like Discord's documented REST API. */
const discord = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch(request) {
    const { pathname, searchParams } = new URL(request.url)
    questions.push(`${request.headers.get('authorization')} ${pathname}`)
    const [, end = ''] = new RegExp(`^/api/v10/guilds/${GUILD}/(\\w+)$`).exec(pathname) ?? []
    const other = instead.get(end)
    instead.delete(end)
    if (other) return other()
    if (request.headers.get('authorization') !== `Bot ${TOKEN}`) return refused(401, '401: Unauthorized', 0)
    if (end !== 'members') return answers[end] ? Response.json(answers[end]) : refused(404, 'Unknown Guild', 10004)
    visibleNames = commandLines().filter((line) => line.includes(TOKEN))
    const further = answers[end]?.filter(({ user }) => BigInt(user.id) > BigInt(searchParams.get('after') ?? 0))
    return Response.json(further?.slice(0, Number(searchParams.get('limit'))))
  },
})
const refused = (status: number, message: string, code: number) => Response.json({ message, code }, { status })

/** The command lines of all processes. */
const commandLines = () =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        return [readFileSync(`/proc/${pid}/cmdline`, 'utf8')]
      } catch {
        return []
      }
    })

const guild = { id: GUILD, name: 'Marsh' }
const folder = mkdtempSync(join(tmpdir(), 'export-'))
const inOffice = { categoryId: CATEGORY, category: 'Back office' }
const files = [
  { id: '860000000000000010', name: 'plans', ...inOffice },
  { id: '860000000000000011', name: 'court', ...inOffice },
  { id: '860000000000000012', name: 'quiet', categoryId: LOUNGE, category: 'Lounge' },
  { id: '860000000000000013', name: 'gone', ...inOffice },
  { id: '860000000000000014', name: 'whispers', type: 'GuildPrivateThread', categoryId: '860000000000000010' },
  { id: '860000000000000016', name: 'booth', type: 'GuildVoiceChat' },
  { id: '860000000000000017', name: 'lobby', type: 'GuildVoiceChat' },
  { id: '860000000000000018', name: 'den', type: 'GuildVoiceChat' },
  { id: '860000000000000019', name: 'stage', type: 'GuildStageVoice' },
]
for (const [at, file] of files.entries()) {
  const stickers = at === 0 ? [{ id: OWL, name: 'Owl', format: 'Png', sourceUrl: 'owl.png' }] : []
  const message = exported(String(900000000000000000n + BigInt(at)), `In ${file.name}`, { stickers })
  writeFileSync(join(folder, `${file.name}.json`), JSON.stringify({ ...exportedChannel([message], file), guild }))
}

writeFileSync(join(folder, 'owl.png'), await png(40, 40))

let parley: Parley
let alice: Person
const imports = (token: string, ...typed: string[]) => {
  const variables = { DISCORD_TOKEN: token, DISCORD_API_URL: `http://127.0.0.1:${discord.port}/api/v10/` }
  return ended(startImportWith(variables, parley, folder, '--owner', String(alice.id), ...typed))
}
const count = async () => (await parley.parts.sql`select count(*)::int as count from servers`)[0]?.count

beforeAll(async () => {
  parley = await boot()
  alice = await person(parley, 'alice')
})
afterAll(() => discord.stop(true))

test(
  'an invalid token, a bot elsewhere, one that may not see members and a redirect change nothing',
  async () => {
    const elsewhere: string[] = []
    const other = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch: ({ url }) => new Response(String(elsewhere.push(url))),
    })
    const cases: [end: string, answer: () => Response, sentence: string][] = [
      ['roles', () => refused(401, '401: Unauthorized', 0), 'Discord does not know the token in DISCORD_TOKEN.'],
      [
        'roles',
        () => refused(403, 'Missing Access', 50001),
        'The bot whose token is in DISCORD_TOKEN is not in Marsh.',
      ],
      ['members', () => refused(403, 'Missing Access', 50001), 'switch Server Members Intent on for it'],
      ['channels', () => Response.redirect(`http://127.0.0.1:${other.port}/`, 302), 'Discord does not answer at'],
      ['roles', () => Response.json([{ id: 1 }]), 'otherwise than it documents (0.id)'],
    ]
    for (const [end, answer, sentence] of cases) {
      instead.set(end, answer)
      const { code, out, error } = await imports(TOKEN)
      expect(error).toContain(sentence)
      expect([code, `${out}${error}`.includes(TOKEN)]).toEqual([1, false])
    }
    expect(elsewhere).toEqual([])
    expect(await count()).toBe(0)
    await other.stop(true)
  },
  2 * SPAWN_MS,
)

test(
  'with a bot’s token members, roles and permissions are imported, and the token appears nowhere',
  async () => {
    const shutOut = answers.channels?.map((one) => ({
      ...one,
      permission_overwrites: [
        ...one.permission_overwrites,
        overwrite(ANN, 0n, one.name === 'quiet' ? VIEW : CONNECT, 1),
      ],
    }))
    instead.set('channels', () => Response.json(shutOut))
    const dry = await imports(TOKEN, '--dry-run')
    expect(dry.error).toBe('')
    expect(dry.out).toContain('1001 people, 1001 of them members')
    expect(dry.out).toContain(
      '5 people who cannot see a channel on Discord, but can here until they claim their messages, such as',
    )
    expect(dry.out).toContain('People would see channels that they cannot see on Discord.')
    expect(dry.out).not.toContain('the same permissions as on Discord')
    expect(await count()).toBe(0)
    questions.length = 0
    const body = { message: 'You are being rate limited.', retry_after: 0.05, global: false }
    instead.set('roles', () => Response.json(body, { status: 429, headers: { 'retry-after': '1' } }))
    const { code, out, error } = await imports(TOKEN)
    expect([code, error]).toEqual([0, ''])
    expect(questions.filter((line) => line.endsWith('/roles'))).toHaveLength(2)
    expect(questions.filter((line) => line.endsWith('/members'))).toHaveLength(2)
    expect([visibleNames, out.includes(TOKEN)]).toEqual([[], false])
    expect(out).toContain('Roles and channels have the same permissions as on Discord.')
    expect(out).toContain(
      '1 categories that are open here because a channel inside is: channels created in them later are open too',
    )
    expect(out).toContain('open too, such as Lounge')
    expect(out).toContain(
      '1 channels that are no longer on Discord: only the owner and administrators see them, such as gone',
    )
  },
  SPAWN_MS,
)

test(
  'a second run sends Discord nothing, and reports nothing of permissions',
  async () => {
    questions.length = 0
    const { code, out } = await imports(TOKEN)
    expect([code, questions]).toEqual([0, []])
    expect(out).toContain('Marsh was imported before, as server')
    expect(out).not.toMatch(/permission|who may see/)
  },
  SPAWN_MS,
)

test('roles have their permissions, colour and order, and members their roles', async () => {
  const [server] = (await alice.get('/api/servers')).body
  expect(server).toMatchObject({ name: 'Marsh', owner_id: alice.id, member_count: 1002 })
  const roles = (await alice.get(`/api/servers/${server.id}/roles`)).body
  expect(roles.toSorted((a: any, b: any) => a.position - b.position)).toMatchObject([
    {
      is_everyone: true,
      permissions: permissions('view_channel', 'send_messages', 'read_history', 'manage_events'),
    },
    { name: 'Guests', permissions: permissions('view_channel', 'connect') },
    { name: 'Staff', permissions: 0 },
    { name: 'Mods', permissions: permissions('kick_members', 'pin_messages'), mentionable: true },
    { name: 'Admins', permissions: permissions('administrator'), color: '#0a00ff', hoist: true },
  ])
  const named = await parley.parts.sql`select u.display_name, u.kind, m.joined_at,
      array(select r.name from member_roles mr join roles r on r.id = mr.role_id
        where mr.user_id = m.user_id and mr.server_id = m.server_id order by r.position) as roles
    from members m join users u on u.id = m.user_id
    where m.server_id = ${server.id} and u.display_name in ('ann', 'Cid of the Marsh') order by 1`
  expect(named).toMatchObject([
    { display_name: 'Cid of the Marsh', kind: 'imported', roles: ['Staff'] },
    { display_name: 'ann', kind: 'imported', roles: ['Mods', 'Admins'] },
  ])
  expect(new Date(named[0]?.joined_at).toISOString()).toBe('2019-05-06T07:08:09.010Z')
})

test('everybody sees the channels that Discord shows them, and has Discord’s permissions there', async () => {
  const [server] = (await alice.get('/api/servers')).body
  const { body: roles } = await alice.get(`/api/servers/${server.id}/roles`)
  const invite = await alice.post('/api/invites', { server_id: server.id })
  const sees = async (name: string, ...heldRoles: string[]) => {
    const who = await person(parley, name)
    expect((await who.post(`/api/invites/${invite.body.code}/join`)).status).toBe(201)
    for (const { id } of roles.filter((one: { name: string }) => heldRoles.includes(one.name)))
      expect((await alice.post(`/api/servers/${server.id}/members/${who.id}/roles/${id}`)).status).toBe(200)
    const { body: channels } = await who.get(`/api/servers/${server.id}/channels`)
    const quiet = channels.find((one: { name: string }) => one.name === 'quiet')
    const response = await who.post(`/api/channels/${quiet.id}/messages`, { content: 'Hello' })
    return [...channels.map((one: { name: string }) => one.name).toSorted(), response.status].join()
  }
  // On Discord, reading a voice channel's messages needs connect, which only Guests have by default here.
  expect(await sees('bob')).toBe('Lounge,den,quiet,stage,403')
  expect(await sees('carol', 'Guests')).toBe('Lounge,den,lobby,quiet,stage,403')
  // `court` is not in sync with its category, so the category's grants to Staff do not apply.
  expect(await sees('dave', 'Staff')).toBe('Back office,Lounge,plans,quiet,stage,403')
  expect(await sees('erin', 'Mods')).toBe('Back office,Lounge,booth,court,den,quiet,stage,403')
  expect(await sees('frank', 'Staff', 'Mods')).toBe('Back office,Lounge,booth,court,plans,quiet,stage,403')
  expect(await sees('grace', 'Admins')).toBe(
    'Back office,Lounge,booth,court,den,gone,lobby,plans,quiet,stage,whispers,201',
  )
})

test('an overwrite of a single person comes along', async () => {
  const rows = await parley.parts.sql`select u.display_name, c.name, o.allow, o.deny from member_overwrites o
    join users u on u.id = o.user_id join channels c on c.id = o.channel_id`
  expect([...rows]).toEqual([{ display_name: 'ann', name: 'plans', allow: permissions('view_channel'), deny: 0 }])
})

test('who speaks on a stage is not imported, because its moderators decide that', async () => {
  const rows = await parley.parts.sql`select r.name, o.allow, o.deny from overwrites o join roles r on r.id = o.role_id
    join channels c on c.id = o.channel_id where c.name = 'stage' order by 1`
  const everyone = { name: 'everyone', allow: permissions('connect'), deny: 0 }
  expect([...rows]).toEqual([everyone])
})

test('an imported member cannot log in, gets no messages, and can be removed', async () => {
  const [server] = (await alice.get('/api/servers')).body
  const { sql } = parley.parts
  const [ann] = await sql`select id from users where display_name = 'ann'`
  expect((await alice.post('/api/channels/direct', { recipient_ids: [ann?.id] })).body.code).toBe('cannot_contact')
  expect((await alice.delete(`/api/servers/${server.id}/members/${ann?.id}`)).status).toBe(204)
  expect((await alice.get('/api/servers')).body[0].member_count).toBe(1007)
})

test('docs/moving.md names the permission of Discord that each permission comes from', () => {
  const docs = readFileSync(join(import.meta.dir, '../../../docs/moving.md'), 'utf8')
  for (const name of permissionNames) expect(docs).toContain(`\`${name}\``)
})

test('a sticker has the description that the token fetched, and its message shows it', async () => {
  const [row] = await parley.parts.sql<{ name: string; alt: string; content: string }[]>`
    select s.name, s.alt, m.content from stickers s join messages m on m.sticker_id = s.id`
  expect(row).toEqual({ name: 'Owl', alt: 'An owl blinks', content: 'In plans' })
})
