import { expect, test } from 'bun:test'
import { EVERYONE_PERMISSIONS, permissions } from '../../../src/core/permissions.ts'
import { person, standard } from '../../support/harness.ts'
import { passerBy } from '../../support/places.ts'
import { png } from '../../support/uploads.ts'

const parley = await standard()
const [alice, bob] = [await person(parley, 'alice'), await passerBy(parley, 'bob')]
const codeOf = ({ status, body }: { status: number; body: any }) => [status, body?.code]
const WRITE = permissions('send_messages')
const VIEW = permissions('view_channel')

/** Everything that a template can have. */
const template = {
  everyone: permissions('view_channel', 'read_history', 'send_messages'),
  roles: [
    { name: 'Owls', self_assignable: true },
    { name: 'Moderators', color: '#336699', permissions: permissions('kick_members'), hoist: true },
  ],
  channels: [
    { name: 'general', type: 'text', topic: 'All' },
    {
      name: 'Nests',
      type: 'category',
      overwrites: [
        { role: null, deny: VIEW },
        { role: 0, allow: VIEW },
      ],
    },
    {
      name: 'news',
      type: 'text',
      slowmode_seconds: 10,
      overwrites: [
        { role: null, deny: WRITE },
        { role: 1, allow: WRITE },
      ],
    },
    { name: 'nest', type: 'text', parent: 1, opt_in: true },
    { name: 'Talk', type: 'voice', parent: 1, user_limit: 5, bitrate: 64_000 },
  ],
  rules: 'Be kind.',
  automod: [
    {
      name: 'Words',
      trigger: { type: 'words', words: ['heron'] },
      actions: [{ type: 'block', message: 'No' }],
      exempt_roles: [1],
      exempt_channels: [0],
    },
  ],
  questions: [{ title: 'What?', required: true, options: [{ label: 'Owls', emoji: '🦉', roles: [0], channels: [3] }] }],
  welcome: { content: 'Hello', channels: [{ channel: 2, emoji: '📣', line: 'Read' }] },
}

/** A rule whose pattern has hundreds of instructions. */
const large = (letter: string) => ({
  name: letter,
  trigger: { type: 'patterns', patterns: [`${letter}{400}`] },
  actions: [{ type: 'block', message: 'No' }],
})

const create = (body: object) => alice.post('/api/servers', { name: 'Aviary', ...body })

test('a template has forums with their tags, without custom emoji', async () => {
  const forum = { tags: [{ name: 'Question', emoji: '❓', moderated: true }, { name: 'Nest' }], layout: 'gallery' }
  const channels = [
    { name: 'general', type: 'text' },
    { name: 'Help', type: 'forum', forum },
    { name: 'Plain', type: 'forum' },
  ]
  const { status, body: server } = await create({ template: { channels } })
  expect(status).toBe(201)
  const { body: copies } = await alice.get(`/api/servers/${server.id}/channels`)
  const help = copies.find(({ name }: { name: string }) => name === 'Help')
  expect(help).toMatchObject({ ...forum, tag_required: false, default_sort: 'latest', guidelines: '' })
  const own = { tags: help.tags, default_reaction: 'owl:7' }
  expect((await alice.put(`/api/channels/${help.id}`, own)).status).toBe(200)
  const { body: again } = await alice.get(`/api/servers/${server.id}/template`)
  const described = again.channels.find(({ name }: { name: string }) => name === 'Help')
  expect(described.forum).toEqual({
    tag_required: false,
    guidelines: '',
    default_sort: 'latest',
    layout: 'gallery',
    post_slowmode_seconds: 0,
    default_reaction: null,
    tags: [
      { name: 'Question', emoji: '❓', moderated: true },
      { name: 'Nest', emoji: null, moderated: false },
    ],
  })
  expect(codeOf(await create({ template: again }))).toEqual([201, undefined])
  const misplaced = [...channels, { name: 'other', type: 'text', forum }]
  expect(codeOf(await create({ template: { channels: misplaced } }))).toEqual([422, 'validation_failed'])
})

test('a server is created from a template, and describes itself by the same one', async () => {
  const { status, body: server } = await create({ template })
  expect([status, server.rules_version, server.member_count]).toEqual([201, 1, 1])
  const { body: again } = await alice.get(`/api/servers/${server.id}/template`)
  const { channels, ...rest } = again
  const [general, nests, news, nest, talk] = ['general', 'Nests', 'news', 'nest', 'Talk'].map((name) =>
    channels.findIndex((channel: any) => channel.name === name),
  )
  expect(rest).toMatchObject({
    everyone: template.everyone,
    roles: template.roles,
    rules: 'Be kind.',
    automod: [{ name: 'Words', exempt_roles: [1], exempt_channels: [general] }],
    questions: [{ title: 'What?', options: [{ label: 'Owls', emoji: '🦉', roles: [0], channels: [nest] }] }],
    welcome: { content: 'Hello', channels: [{ channel: news, emoji: '📣', line: 'Read' }] },
  })
  expect(channels[nest ?? 0]).toMatchObject({ parent: nests, opt_in: true, type: 'text' })
  expect(channels).toContainEqual(expect.objectContaining({ name: 'Talk', user_limit: 5, bitrate: 64_000 }))
  expect(channels[talk ?? 0]).toMatchObject({ parent: nests, type: 'voice' })
  expect(channels[news ?? 0]).toMatchObject({
    slowmode_seconds: 10,
    overwrites: [
      { role: null, allow: 0, deny: WRITE },
      { role: 1, allow: WRITE, deny: 0 },
    ],
  })
  const copy = await create({ template: again })
  expect(copy.status).toBe(201)
  expect((await alice.get(`/api/servers/${copy.body.id}/template`)).body).toEqual(again)
})

test('the permissions of a template bind from the first message on', async () => {
  const { body: server } = await create({ template })
  const { code } = (await alice.post('/api/invites', { server_id: server.id })).body
  const newcomer = await passerBy(parley, 'newcomer')
  await newcomer.post(`/api/invites/${code}/join`)
  const { body: onboarding } = await newcomer.get(`/api/servers/${server.id}/onboarding`)
  const names = async () =>
    (await newcomer.get(`/api/servers/${server.id}/channels`)).body.map(({ name }: any) => name).toSorted()
  expect(await names()).toEqual(['general', 'news'])
  const [option] = onboarding.questions[0].options
  const accept = { version: 1, option_ids: [option.id] }
  expect((await newcomer.put(`/api/servers/${server.id}/members/@me/rules`, accept)).body.held_back).toBe(null)
  expect(await names()).toEqual(['Nests', 'Talk', 'general', 'nest', 'news'])
  const { body: channels } = await newcomer.get(`/api/servers/${server.id}/channels`)
  const send = (name: string, content: string) => {
    const channel = channels.find((each: any) => each.name === name)
    return newcomer.post(`/api/channels/${channel.id}/messages`, { content })
  }
  expect(codeOf(await send('news', 'Hi'))).toEqual([403, 'missing_permission'])
  expect(codeOf(await send('nest', 'a heron'))).toEqual([403, 'automod_blocked'])
  expect((await send('nest', 'Hi')).status).toBe(201)
})

test('everyone gets no more from a template than everyone starts with, also by overwrites', async () => {
  const everything = permissions('administrator', 'manage_messages', 'view_channel')
  const channels = [{ name: 'x', type: 'text', overwrites: [{ role: null, allow: everything }] }]
  const { body: server } = await create({ template: { everyone: everything, channels } })
  const { body: roles } = await alice.get(`/api/servers/${server.id}/roles`)
  expect(roles[0].permissions).toBe(VIEW)
  const { body: described } = await alice.get(`/api/servers/${server.id}/template`)
  expect(described.channels[0].overwrites).toEqual([{ role: null, allow: VIEW, deny: 0 }])
  const plain = await create({ template: { channels: [{ name: 'x', type: 'text' }] } })
  const { body: plainRoles } = await alice.get(`/api/servers/${plain.body.id}/roles`)
  expect(plainRoles[0].permissions).toBe(EVERYONE_PERMISSIONS)
})

test('each part of a template passes the rules of its own route, and nothing is created otherwise', async () => {
  const before = (await alice.get('/api/servers?limit=100')).body.length
  const [general] = template.channels
  const text = [general]
  const rule = template.automod[0]
  for (const [wrong, code] of [
    [{ channels: [] }, 'validation_failed'],
    [{ channels: [{ name: 'everyone', type: 'text' }] }, 'validation_failed'],
    [{ channels: [{ name: 'x', type: 'voice' }] }, 'validation_failed'],
    [{ channels: [general, { name: 'x', type: 'text', parent: 0 }] }, 'validation_failed'],
    [{ channels: [general, { name: 'x', type: 'category', opt_in: true }] }, 'validation_failed'],
    [{ channels: [general, { name: 'x', type: 'text', user_limit: 5 }] }, 'validation_failed'],
    [{ channels: [{ ...general, overwrites: [{ role: 0, allow: 1 }] }] }, 'validation_failed'],
    [{ channels: [{ ...general, overwrites: [{ role: null, allow: VIEW, deny: VIEW }] }] }, 'validation_failed'],
    [{ channels: text, rules: 'x\n'.repeat(20) }, 'validation_failed'],
    [{ channels: text, automod: [{ ...rule, exempt_roles: [3] }] }, 'validation_failed'],
    [{ channels: text, automod: [{ ...rule, actions: [{ type: 'alert', channel_id: 1 }] }] }, 'validation_failed'],
    [{ channels: text, webhooks: [] }, 'validation_failed'],
    [{ channels: text, roles: [{ name: 'x' }], automod: [{ ...rule, exempt_roles: [0, 0] }] }, 'validation_failed'],
    [{ channels: text, automod: [{ ...rule, exempt_channels: [0, 0] }] }, 'validation_failed'],
    [{ channels: text, questions: [{ title: 'x', options: [{ label: 'y', channels: [0, 0] }] }] }, 'validation_failed'],
    [{ channels: text, welcome: { content: '', channels: [{ channel: 0 }, { channel: 0 }] } }, 'validation_failed'],
    [{ channels: text, automod: Array.from({ length: 31 }, () => rule) }, 'validation_failed'],
    [{ channels: text, automod: ['a', 'b', 'c'].map((letter) => large(letter)) }, 'pattern_too_costly'],
    [{ channels: [general, general] }, 'channel_name_taken'],
    [
      { channels: text, roles: [{ name: 'x', self_assignable: true, permissions: permissions('administrator') }] },
      'role_too_strong',
    ],
    [
      { channels: text, roles: [{ name: 'x', self_assignable: true }], automod: [{ ...rule, exempt_roles: [0] }] },
      'role_too_strong',
    ],
    [
      { channels: text, questions: [{ title: 'x', options: [{ label: 'y', roles: [0] }] }], roles: [{ name: 'x' }] },
      'validation_failed',
    ],
  ] as const)
    expect([JSON.stringify(wrong), (await create({ template: wrong })).body.code]).toEqual([
      JSON.stringify(wrong),
      code,
    ])
  expect((await alice.get('/api/servers?limit=100')).body.length).toBe(before)
})

test('a template holds what its reader sees: no hidden channels, bots and alerts, and rules for managers', async () => {
  const { body: server } = await create({ template })
  const path = `/api/servers/${server.id}`
  const { body: staff } = await alice.post(`${path}/channels`, { name: 'staff', type: 'text' })
  const { body: roles } = await alice.get(`${path}/roles`)
  await alice.put(`/api/channels/${staff.id}/permissions/${roles[0].id}`, { deny: VIEW })
  await alice.post(`${path}/automod`, {
    name: 'Alert',
    trigger: { type: 'invites' },
    actions: [{ type: 'alert', channel_id: staff.id }],
  })
  const { body: application } = await alice.post('/api/applications', { name: 'Robin' })
  await alice.put(`${path}/applications/${application.id}`, { permissions: VIEW })
  const { code } = (await alice.post('/api/invites', { server_id: server.id })).body
  await bob.post(`/api/invites/${code}/join`)
  const { body: seen } = await bob.get(`${path}/template`)
  expect(seen.channels.map(({ name }: any) => name)).toEqual(['general', 'news'])
  expect(seen.automod).toEqual([])
  expect(seen.roles.map(({ name }: any) => name)).toEqual(['Owls', 'Moderators'])
  expect(seen.questions[0].options[0].channels).toEqual([])
  const { body: whole } = await alice.get(`${path}/template`)
  expect(whole.automod.map(({ name }: any) => name)).toEqual(['Words'])
  expect(JSON.stringify(whole)).not.toMatch(/alert|channel_id|invite|Robin/)
})

test('a server that is too large for a template is not described, whatever letters it uses', async () => {
  const channels = Array.from({ length: 140 }, (_, at) => ({ name: `c${at}`, type: 'text', topic: 'x'.repeat(1000) }))
  const { body: server } = await create({ template: { channels } })
  expect((await alice.get(`/api/servers/${server.id}/template`)).status).toBe(200)
  // Two bytes a letter.
  await parley.parts.sql`update channels set topic = repeat('ж', 1000) where server_id = ${server.id}`
  const { status, body } = await alice.get(`/api/servers/${server.id}/template`)
  expect([status, body.code, body.detail]).toEqual([409, 'template_too_large', expect.stringContaining('channels')])
})

test('a template of a large server is taken back as it was described, and one of more values is refused', async () => {
  const overwrites = (at: number) =>
    Array.from({ length: 8 }, (_, n) => ({ role: (at + n * 31) % 240, allow: 0, deny: VIEW }))
  const roles = Array.from({ length: 240 }, (_, at) => ({ name: `r${at}`, self_assignable: true }))
  const channels = Array.from({ length: 400 }, (_, at) => ({
    name: `c${at}`,
    type: 'text',
    overwrites: overwrites(at),
  }))
  const { status, body: server } = await create({ template: { roles, channels } })
  expect(status).toBe(201)
  const { body: described } = await alice.get(`/api/servers/${server.id}/template`)
  const { body: copy } = await create({ template: described })
  expect((await alice.get(`/api/servers/${copy.id}/template`)).body).toEqual(described)
  const many = Array.from({ length: 41_000 }, () => 0)
  expect(codeOf(await create({ template: { channels: many } }))).toEqual([400, 'malformed_json'])
})

test('a template has the pictures of roles, which the new server stores anew and counts', async () => {
  const icon = Buffer.from(await png(40, 40)).toString('base64')
  const roles = [{ name: 'Owls', icon }, { name: 'Terns' }]
  const channels = [{ name: 'general', type: 'text' }]
  const { status, body: server } = await create({ template: { channels, roles } })
  expect(status).toBe(201)
  const iconsOf = async (id: number) =>
    (await alice.get(`/api/servers/${id}/roles`)).body
      .filter(({ is_everyone }: { is_everyone: boolean }) => !is_everyone)
      .map(({ icon_url }: { icon_url: string | null }) => icon_url)
  const [owls, terns] = await iconsOf(server.id)
  expect(terns).toBeNull()
  expect((await new Bun.Image(await (await fetch(parley.url + owls)).bytes()).metadata()).width).toBe(40)
  const { bytes } = (await alice.get(`/api/servers/${server.id}/assets`)).body
  expect(bytes).toBeGreaterThan(0)
  const { body: again } = await alice.get(`/api/servers/${server.id}/template`)
  expect(again.roles.map((role: { icon: string | null }) => role.icon !== null)).toEqual([true, false])
  const copy = await create({ template: again })
  const [copied] = await iconsOf(copy.body.id)
  expect([copy.status, copied === owls]).toEqual([201, false])
  expect((await fetch(parley.url + copied)).status).toBe(200)
  // Each has its own: the first one's deletion leaves the other.
  const roleId = (await alice.get(`/api/servers/${server.id}/roles`)).body.find((one: any) => one.icon_url === owls).id
  expect((await alice.delete(`/api/roles/${roleId}/icon`)).status).toBe(200)
  expect((await fetch(parley.url + owls)).status).toBe(404)
  expect((await fetch(parley.url + copied)).status).toBe(200)
})

test('pictures of a template are damaged, large or many only in vain: no server and no object stays', async () => {
  const icon = Buffer.from(await png(8, 8)).toString('base64')
  const channels = [{ name: 'general', type: 'text' }]
  const { sql } = parley.parts
  const [before] = await sql`select count(*)::int as count from servers`
  for (const roles of [
    [{ name: 'x', icon: Buffer.from('no picture').toString('base64') }],
    [{ name: 'x', icon: 'not Base64!' }],
    [{ name: 'x', icon: Buffer.alloc(49 * 1024).toString('base64') }],
    Array.from({ length: 21 }, (_, at) => ({ name: `x${at}`, icon })),
  ])
    expect(codeOf(await create({ template: { channels, roles } }))).toEqual([422, 'validation_failed'])
  // A rule that is broken later takes the stored pictures back.
  const strong = [{ name: 'x', icon, self_assignable: true, permissions: permissions('administrator') }]
  expect(codeOf(await create({ template: { channels, roles: strong } }))).toEqual([422, 'role_too_strong'])
  expect([...(await sql`select count(*)::int as count from servers`)]).toEqual([before as never])
  const due = await sql`select from object_outbox where key like 'role-icons/%' and due_at > now()`
  expect(due).toHaveLength(0)
})
