import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Parley } from '../../../src/parley.ts'
import { boot, type Person, person } from '../../support/harness.ts'
import { ended, exported, exportedChannel, startImportWith } from '../../support/imports.ts'
import { SPAWN_MS } from '../../support/spawned.ts'
import { png } from '../../support/uploads.ts'

const GUILD = '811111111111111113'
const [OWLS, CHIEFS, GUESTS] = ['820000000000000011', '820000000000000012', '820000000000000013']
const [GENERAL, STAFF, NIGHT] = ['860000000000000030', '860000000000000031', '860000000000000032']
const [VIEW, SEND] = [1n << 10n, 1n << 11n]
const role = (id: string, name: string, position: number, sum: bigint, icon: string | null = null) => ({
  id,
  name,
  position,
  permissions: String(sum),
  icon,
})
const channel = (id: string, name: string, deny = 0n) => ({
  id,
  name,
  type: 0,
  permission_overwrites: [{ id: GUILD, type: 0, allow: '0', deny: String(deny) }],
})

// From Discord's documentation: https://discord.com/developers/docs/resources/auto-moderation
const rule = (name: string, trigger_type: number, trigger_metadata: object, more: object = {}) => ({
  id: '1',
  guild_id: GUILD,
  name,
  creator_id: '2',
  event_type: 1,
  trigger_type,
  trigger_metadata,
  actions: [{ type: 1, metadata: { custom_message: 'Not here' } }],
  enabled: true,
  exempt_roles: [],
  exempt_channels: [],
  ...more,
})
const alert = (channel_id: string) => ({ type: 2, metadata: { channel_id } })
const option = (title: string, role_ids: string[], channel_ids: string[], more: object = {}) => ({
  id: '3',
  title,
  description: null,
  emoji: { id: null, name: '🦉', animated: false },
  role_ids,
  channel_ids,
  ...more,
})
const prompt = (title: string, options: object[], more: object = {}) => ({
  id: '4',
  type: 0,
  title,
  single_select: true,
  required: true,
  in_onboarding: true,
  options,
  ...more,
})

const answers: Record<string, unknown> = {
  roles: [
    role(GUILD, '@everyone', 0, VIEW | SEND),
    role(OWLS, 'Owls', 1, VIEW | SEND, 'gone'),
    role(CHIEFS, 'Chiefs', 3, 8n, 'a1b2'),
    // Not a name that Discord gives: no path is made of it.
    role(GUESTS, 'Guests', 2, VIEW, '../../odd'),
  ],
  channels: [channel(GENERAL, 'general'), channel(STAFF, 'staff', VIEW), channel(NIGHT, 'night')],
  members: [],
  'auto-moderation/rules': [
    rule(
      'Slurs',
      1,
      { keyword_filter: ['*slur*', 'x'.repeat(61)], regex_patterns: ['b[ae]d', '(?<=a)b'], allow_list: ['slurry'] },
      {
        actions: [
          { type: 1, metadata: {} },
          alert(STAFF),
          alert(GENERAL),
          { type: 3, metadata: { duration_seconds: 60 } },
        ],
        exempt_roles: [OWLS, CHIEFS, '829999999999999999'],
        exempt_channels: [STAFF],
      },
    ),
    rule('Floods', 3, {}, { enabled: false }),
    rule('Crowds', 5, { mention_total_limit: 7, mention_raid_protection_enabled: true }),
    rule('Names', 6, { keyword_filter: ['admin'] }, { event_type: 2, actions: [{ type: 4, metadata: {} }] }),
    rule('Lists of Discord', 4, { presets: [1, 2] }),
    rule('Shouts', 1, { keyword_filter: ['hey'] }, { actions: [alert(GENERAL)] }),
    { name: 'Damaged' },
  ],
  onboarding: {
    guild_id: GUILD,
    enabled: true,
    mode: 1,
    default_channel_ids: [GENERAL],
    prompts: [
      prompt('What do you watch?', [
        option('Owls', [OWLS], [NIGHT, GENERAL]),
        option('Everything', [CHIEFS], [], { emoji: { id: '9', name: 'all', animated: false } }),
      ]),
      prompt('Nothing to choose', []),
      prompt('Later', [option('Night walks', [], [NIGHT])], { in_onboarding: false, single_select: false }),
    ],
  },
}
const forbidden = new Set<string>()
const picture = await png(64, 64)
/** Requests for pictures of roles, with their tokens. */
const pictures: string[] = []
const discord = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch(request) {
    const { pathname } = new URL(request.url)
    if (pathname.startsWith('/cdn/')) {
      pictures.push(`${request.headers.get('authorization')} ${pathname}`)
      return pathname.includes('gone') ? new Response('', { status: 404 }) : new Response(Buffer.from(picture))
    }
    const path = pathname.replace(`/guilds/${GUILD}/`, '')
    if (forbidden.has(path)) return Response.json({ message: 'Missing Permissions', code: 50_013 }, { status: 403 })
    return Response.json(answers[path] ?? [])
  },
})

const folder = mkdtempSync(join(tmpdir(), 'export-'))
for (const [at, { id, name }] of [GENERAL, STAFF, NIGHT].map((id, n) => ({ id, name: `c${n}` })).entries()) {
  const message = exported(String(900000000000000100n + BigInt(at)), `In ${name}`)
  const file = { ...exportedChannel([message], { id, name }), guild: { id: GUILD, name: 'Fen' } }
  writeFileSync(join(folder, `${name}.json`), JSON.stringify(file))
}

let parley: Parley
let alice: Person
const imports = (...typed: string[]) => {
  const url = `http://127.0.0.1:${discord.port}`
  const variables = { DISCORD_TOKEN: 'token', DISCORD_API_URL: url, DISCORD_CDN_URL: `${url}/cdn` }
  return ended(startImportWith(variables, parley, folder, '--owner', String(alice.id), ...typed))
}

beforeAll(async () => {
  parley = await boot()
  alice = await person(parley, 'alice')
})
afterAll(() => discord.stop(true))

test(
  'automod rules and onboarding come along from Discord, and the report names what does not',
  async () => {
    const { code, out, error } = await imports()
    expect([code, error]).toEqual([0, ''])
    for (const line of [
      '3 AutoMod rules without an equivalent here',
      '1 patterns of AutoMod rules',
      '3 actions of AutoMod rules',
      '1 questions of the onboarding',
      '1 options of the onboarding',
      '1 small pictures of roles that Discord did not give',
    ])
      expect(out).toContain(line)
    const [{ id }] = (await alice.get('/api/servers')).body
    const path = `/api/servers/${id}`
    const [roles, channels, rules, onboarding] = await Promise.all(
      ['roles', 'channels', 'automod', 'onboarding'].map(async (list) => (await alice.get(`${path}/${list}`)).body),
    )
    const roleOf = (name: string) => roles.find((one: { name: string }) => one.name === name)
    const idOf = (name: string) => channels.find((one: { name: string }) => one.name === name).id
    expect([roleOf('Owls').self_assignable, roleOf('Chiefs').self_assignable]).toEqual([true, false])
    expect(rules.map(({ name, enabled, trigger }: any) => [name, enabled, trigger])).toEqual([
      ['Slurs', true, { type: 'words', words: ['*slur*'], allow: ['slurry'] }],
      ['Slurs', true, { type: 'patterns', patterns: ['b[ae]d'] }],
      ['Floods', false, { type: 'spam', by: 'member', count: 5, seconds: 10 }],
      ['Crowds', true, { type: 'mentions', max: 7 }],
      ['Names', true, { type: 'profile', words: ['admin'], allow: [], patterns: [] }],
    ])
    expect(rules[0]).toMatchObject({
      actions: [
        { type: 'block', message: null },
        { type: 'alert', channel_id: idOf('c1') },
        { type: 'timeout', seconds: 60 },
      ],
      // Everybody could pick the other one.
      exempt_role_ids: [roleOf('Chiefs').id],
      exempt_channel_ids: [idOf('c1')],
    })
    expect(onboarding.questions).toMatchObject([
      {
        title: 'What do you watch?',
        multiple: false,
        required: true,
        options: [
          { label: 'Owls', emoji: '🦉', role_ids: [roleOf('Owls').id], channel_ids: [idOf('c2'), idOf('c0')] },
          { label: 'Everything', emoji: null, role_ids: [], channel_ids: [] },
        ],
      },
      { title: 'Later', multiple: true, required: false, options: [{ label: 'Night walks' }] },
    ])
    const optIn = channels.filter((one: { opt_in_since: string | null }) => one.opt_in_since !== null)
    expect(optIn.map((one: { id: number }) => one.id)).toEqual([idOf('c2')])
    // The rules act at once.
    const blocked = await alice.post(`${path}/automod/test`, { content: 'a slur' })
    expect(blocked.body[0].name).toBe('Slurs')
  },
  SPAWN_MS,
)

test('roles have their small pictures from Discord, which gives them without the token', async () => {
  const [{ id }] = (await alice.get('/api/servers')).body
  const roles: { name: string; icon_url: string | null }[] = (await alice.get(`/api/servers/${id}/roles`)).body
  const pictured = roles.filter(({ icon_url }) => icon_url !== null)
  expect(pictured.map(({ name }) => name)).toEqual(['Chiefs'])
  const answer = await fetch(`${parley.url}${pictured[0]?.icon_url}`)
  expect((await new Bun.Image(await answer.bytes()).metadata()).width).toBe(64)
  expect(pictures).toEqual([`null /cdn/role-icons/${CHIEFS}/a1b2.png`, `null /cdn/role-icons/${OWLS}/gone.png`])
  // They count for the quota of the server.
  expect((await alice.get(`/api/servers/${id}/assets`)).body.bytes).toBeGreaterThan(0)
})

test(
  'a bot without Manage Server imports all but the rules, and the report says so',
  async () => {
    forbidden.add('auto-moderation/rules').add('onboarding')
    const { code, out, error } = await imports('--dry-run')
    expect([code, error]).toEqual([0, ''])
    expect(out).toContain('1 servers whose AutoMod rules the bot may not read')
    expect(out).not.toContain('AutoMod rules without')
  },
  SPAWN_MS,
)
