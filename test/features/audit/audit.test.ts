import { expect, test } from 'bun:test'
import { permissions } from '../../../src/core/permissions.ts'
import { auditLogOf, entry, was } from '../../support/audit-log.ts'
import { addRule, wordsRule } from '../../support/automod.ts'
import { addBot, botOf } from '../../support/bots.ts'
import { auditActions } from '../../../src/features/audit/model.ts'
import { person, say, standard } from '../../support/harness.ts'
import { logAssets } from '../../support/asset-rows.ts'
import { passerBy, place, rank } from '../../support/places.ts'
import { logStage } from '../../support/stages.ts'
import { report, reportsOf } from '../../support/reports.ts'
import { connect } from '../../support/socket.ts'
import { png, upload } from '../../support/uploads.ts'
import { inVoice, voiceChannel } from '../../support/voice-people.ts'

const parley = await standard()
const { sql } = parley.parts
const [alice, bob, mallory] = [
  await person(parley, 'alice'),
  await passerBy(parley, 'bob'),
  await passerBy(parley, 'mallory'),
]

const QUARANTINE = { type: 'quarantine' }
const { log, leaves, isNewest } = auditLogOf(alice)

test('changes of roles and overwrites are logged with actor, target, before and after', async () => {
  const { server_id, channel_id } = await place(alice, bob)
  const { id: role } = await leaves(
    server_id,
    alice.post(`/api/servers/${server_id}/roles`, { name: 'Mods', permissions: 2 }),
    entry('role.created', ['role', expect.any(Number)], {
      name: was(null, 'Mods'),
      permissions: was(null, 2),
      position: was(null, 1),
      is_everyone: was(null, false),
      hoist: was(null, false),
      mentionable: was(null, false),
      self_assignable: was(null, false),
    }),
  )
  const changed = entry('role.updated', ['role', role], { permissions: was(2, 6), color: was(null, '#00ff00') })
  await leaves(server_id, alice.put(`/api/roles/${role}`, { permissions: 6, color: '#00ff00' }), changed)
  const rolePath = `/api/servers/${server_id}/members/${bob.id}/roles/${role}`
  const grant = { role_id: was(null, role), name: was(null, 'Mods') }
  await leaves(server_id, alice.post(rolePath), entry('member.role_added', ['member', bob.id], grant))
  const removal = { role_id: was(role, null), name: was('Mods', null) }
  await leaves(server_id, alice.delete(rolePath), entry('member.role_removed', ['member', bob.id], removal))
  const overwrite = `/api/channels/${channel_id}/permissions/${role}`
  const channel = ['channel', channel_id]
  await alice.put(overwrite, { deny: 2048 })
  const turned = { role_id: was(role, role), allow: was(0, 2048), deny: was(2048, 0) }
  await leaves(server_id, alice.put(overwrite, { allow: 2048 }), entry('overwrite.updated', channel, turned))
  const bits = { allow: was(2048, null), deny: was(0, null) }
  const ended = { channel_id: was(channel_id, null), role_id: was(role, null), ...bits }
  await leaves(server_id, alice.delete(overwrite), entry('overwrite.deleted', channel, ended))
  const deletion = entry('role.deleted', ['role', role], expect.objectContaining({ permissions: was(6, null) }))
  await leaves(server_id, alice.delete(`/api/roles/${role}`), deletion)
})

test('changes of the server, its channels and its members are logged', async () => {
  const { server_id, channel_id } = await place(alice, bob, mallory)
  const named = entry('server.updated', ['server', server_id], { name: was('Birdwatchers', 'Owls') })
  await leaves(server_id, alice.put(`/api/servers/${server_id}`, { name: 'Owls' }), named)
  const titled = entry('channel.updated', ['channel', channel_id], { topic: was('', 'Owls only') })
  await leaves(server_id, alice.put(`/api/channels/${channel_id}`, { topic: 'Owls only' }), titled)
  const thread = (await bob.post(`/api/channels/${channel_id}/threads`, { name: 'Owls' })).body
  const locked = entry('thread.updated', ['channel', thread.id], { locked: was(false, true) })
  await leaves(server_id, alice.put(`/api/channels/${thread.id}`, { locked: true }), locked)
  const removed = entry('thread.deleted', ['channel', thread.id], expect.objectContaining({ name: was('Owls', null) }))
  await leaves(server_id, alice.delete(`/api/channels/${thread.id}`), removed)
  const ban = `/api/servers/${server_id}/bans/${mallory.id}`
  const reason = (action: string, before: unknown, after: unknown) =>
    entry(action, ['member', mallory.id], { reason: was(before, after) })
  await leaves(server_id, alice.put(ban, { reason: 'noise' }), reason('member.banned', null, 'noise'))
  await leaves(server_id, alice.put(ban, { reason: 'spam' }), reason('member.banned', 'noise', 'spam'))
  await leaves(server_id, alice.delete(ban), reason('member.unbanned', 'spam', null))
  const member = `/api/servers/${server_id}/members/${bob.id}`
  const renamed = entry('member.updated', ['member', bob.id], { nickname: was(null, 'Heron') })
  await leaves(server_id, alice.put(member, { nickname: 'Heron' }), renamed)
  const timed_out_until = new Date(Date.now() + 60_000).toISOString()
  const silenced = entry('member.timed_out', ['member', bob.id], { timed_out_until: was(null, timed_out_until) })
  await leaves(server_id, alice.put(member, { timed_out_until }), silenced)
  const role = await rank(parley, server_id, 0, bob)
  const kicked = entry('member.kicked', ['member', bob.id], { role_ids: was([role], null) })
  await leaves(server_id, alice.delete(`/api/servers/${server_id}/members/${bob.id}`), kicked)
})

test('entries of creations and deletions hold all fields, and no entry holds a secret', async () => {
  const { server_id } = await place(alice, bob)
  const channel = (await alice.post(`/api/servers/${server_id}/channels`, { name: 'attic', type: 'voice' })).body
  const { id: message_id } = await (async () => {
    const text = (await alice.post(`/api/servers/${server_id}/channels`, { name: 'hall', type: 'text' })).body
    return say(bob, text.id, 'bad words')
  })()
  const invite = (await alice.post('/api/invites', { server_id })).body
  await alice.delete(`/api/invites/${invite.id}`)
  await alice.delete(`/api/messages/${message_id}`)
  await alice.delete(`/api/channels/${channel.id}`)
  await alice.post(`/api/servers/${server_id}/transfer`, { user_id: bob.id })
  const entries = await log(server_id, bob)
  expect(entries.map(({ action }: any) => action)).toEqual([
    'server.transferred',
    'channel.deleted',
    'message.deleted',
    'invite.deleted',
    'invite.created',
    'channel.created',
    'channel.created',
  ])
  const [transferred, deleted, message] = entries
  expect(transferred).toMatchObject({ target_id: bob.id, changes: { owner_id: was(alice.id, bob.id) } })
  expect(deleted.changes).toMatchObject({ name: was('attic', null), type: was('voice', null) })
  expect(message.changes).toMatchObject({ author_id: was(bob.id, null) })
  expect(JSON.stringify(entries)).not.toContain(invite.code)
  expect(JSON.stringify(entries)).not.toContain('bad words')
})

test('a refused or failed action, or one without an effect, leaves no entry', async () => {
  const { server_id, channel_id, everyone } = await place(alice, bob, mallory)
  const role = await rank(parley, server_id, permissions('manage_roles', 'kick_members'), mallory)
  await alice.post(`/api/servers/${server_id}/channels`, { name: 'taken', type: 'text' })
  const before = await log(server_id)
  const refused = [
    await mallory.put(`/api/roles/${role}`, { permissions: 8 }),
    await mallory.put(`/api/roles/${everyone}`, { permissions: 8 }),
    await mallory.delete(`/api/servers/${server_id}/members/${alice.id}`),
    await mallory.put(`/api/channels/${channel_id}/permissions/${everyone}`, { allow: 8 }),
    await alice.put(`/api/channels/${channel_id}`, { name: 'taken' }),
    await alice.post(`/api/servers/${server_id}/channels`, { name: 'taken', type: 'text' }),
    await alice.delete(`/api/servers/${server_id}/bans/${bob.id}`),
    await alice.delete(`/api/channels/${channel_id}/permissions/${everyone}`),
    await alice.put(`/api/roles/${role}`, { permissions: 2 ** 8 }),
  ]
  expect(refused.every(({ status }) => status >= 400)).toBe(true)
  expect((await alice.post(`/api/servers/${server_id}/members/${mallory.id}/roles/${role}`)).status).toBe(200)
  expect(await log(server_id)).toEqual(before)
})

test('an action whose entry cannot be written does not happen', async () => {
  const { server_id, everyone } = await place(alice, bob)
  await sql`alter table audit_log add constraint broken check (server_id <> ${sql.unsafe(String(server_id))})`
  const answers = [
    await alice.put(`/api/roles/${everyone}`, { permissions: 0 }),
    await alice.delete(`/api/servers/${server_id}/members/${bob.id}`),
    await alice.post(`/api/servers/${server_id}/roles`, { name: 'x' }),
  ]
  await sql`alter table audit_log drop constraint broken`
  expect(answers.map(({ status }) => status)).toEqual([500, 500, 500])
  expect((await bob.get(`/api/servers/${server_id}/roles`)).body).toMatchObject([{ id: everyone, name: 'everyone' }])
  expect((await bob.get(`/api/servers/${server_id}/channels`)).body.length).toBe(1)
})

test('the log is paged, and takes view_audit_log', async () => {
  const { server_id } = await place(alice, bob, mallory)
  for (const name of ['one', 'two', 'three', 'four', 'five']) await alice.put(`/api/servers/${server_id}`, { name })
  const path = `/api/servers/${server_id}/audit-log`
  expect((await bob.get(path)).body.code).toBe('missing_permission')
  await rank(parley, server_id, permissions('view_audit_log'), bob)
  const names = (body: any[]) => body.map(({ changes }) => changes.name.after)
  const first = await bob.get(`${path}?limit=2`)
  expect(names(first.body)).toEqual(['five', 'four'])
  const [, next] = /<([^>]+)>; rel="next"/.exec(first.headers.get('link') ?? '') ?? []
  const second = await bob.get(next as string)
  expect(names(second.body)).toEqual(['three', 'two'])
  const [, last] = /<([^>]+)>; rel="next"/.exec(second.headers.get('link') ?? '') ?? []
  const third = await bob.get(last as string)
  expect([names(third.body), third.headers.get('link')]).toEqual([['one'], null])
  expect((await bob.get(`${path}?limit=2&before=1&after=1`)).status).toBe(422)
  const foreign = await place(mallory)
  expect((await bob.get(`/api/servers/${foreign.server_id}/audit-log`)).status).toBe(404)
})

test('a moderator who deletes a file of a message is logged, its uploader is not', async () => {
  const { server_id, channel_id } = await place(alice, bob)
  const { id: message_id } = await say(bob, channel_id, 'look')
  const files = ['one.txt', 'two.txt'].map((filename) => ({
    uploader_id: bob.id,
    message_id,
    filename,
    content_type: 'text/plain',
    size: 3,
    key: `files/${crypto.randomUUID()}`,
  }))
  const [one, two] = await sql<[{ id: number }, { id: number }]>`insert into files ${sql(files)} returning id`
  const removed = entry('file.deleted', ['file', one.id], {
    uploader_id: was(bob.id, null),
    filename: was('one.txt', null),
  })
  await leaves(server_id, alice.delete(`/api/files/${one.id}`), removed)
  const before = await log(server_id)
  expect((await bob.delete(`/api/files/${two.id}`)).status).toBe(204)
  expect(await log(server_id)).toEqual(before)
})

test('moving, disconnecting and muting a member of a call, and stopping its camera, is logged', async () => {
  const { server_id } = await place(alice, bob)
  const [here, there] = [await voiceChannel(alice, server_id, 'dawn'), await voiceChannel(alice, server_id, 'dusk')]
  const [live, caller] = [await connect(alice), await inVoice(bob, here)]
  const target = { server_id, user_id: bob.id }
  const member = (action: string, changes: object) => entry(action, ['member', bob.id], changes)
  await live.command('voice.move_member', { ...target, channel_id: there })
  await isNewest(server_id, member('member.voice_moved', { channel_id: was(here, there) }))
  await live.command('voice.disconnect_member', target)
  await isNewest(server_id, member('member.voice_disconnected', { channel_id: was(there, null) }))
  await live.command('voice.mute_member', { ...target, mute: true })
  await isNewest(server_id, member('member.voice_muted', { voice_muted: was(false, true) }))
  await live.command('voice.deafen_member', { ...target, deafen: true })
  await isNewest(server_id, member('member.voice_deafened', { voice_deafened: was(false, true) }))
  await live.command('voice.stop_camera', { ...target, stop: true })
  await isNewest(server_id, member('member.camera_stopped', { camera_stopped: was(false, true) }))
  for (const socket of [live, caller.gateway]) socket.close()
})

test('moderation of others’ messages, and changes of custom emoji, are logged', async () => {
  const { server_id, channel_id } = await place(alice, bob)
  const [{ id }, other] = [await say(bob, channel_id, 'look'), await say(bob, channel_id, 'there')]
  const message = (action: string, changes: unknown) => entry(action, ['message', id], changes as object)
  const pin = `/api/channels/${channel_id}/pins/${id}`
  const set = { author_id: was(null, bob.id), channel_id: was(null, channel_id) }
  const cleared = { author_id: was(bob.id, null), channel_id: was(channel_id, null) }
  await leaves(server_id, alice.put(pin), message('message.pinned', set))
  await leaves(server_id, alice.delete(pin), message('message.unpinned', cleared))
  const suppressed = message('message.embeds_suppressed', { ...set, suppressed: was(null, true) })
  await leaves(server_id, alice.put(`/api/messages/${id}/embeds/suppressed`, { suppressed: true }), suppressed)
  await bob.put(`/api/messages/${id}/reactions/${encodeURIComponent('👍')}/@me`)
  const unreacted = message('message.reactions_cleared', expect.objectContaining(cleared))
  await leaves(server_id, alice.delete(`/api/messages/${id}/reactions`), unreacted)
  const deletion = alice.post(`/api/channels/${channel_id}/messages/bulk-delete`, { ids: [id, other.id] })
  await leaves(server_id, deletion, entry('messages.deleted', ['channel', channel_id], expect.anything()))
  const file_id = (await upload(alice, 'owl', 'image/png', await png(8, 8))).id
  const named = (before: unknown, after: unknown) => expect.objectContaining({ name: was(before, after) })
  const emoji = await alice.post(`/api/servers/${server_id}/emoji`, { name: 'owl', file_id })
  const target = ['emoji', emoji.body.id]
  await isNewest(server_id, entry('emoji.created', target, named(null, 'owl')))
  const path = `/api/emoji/${emoji.body.id}`
  await leaves(server_id, alice.put(path, { name: 'heron' }), entry('emoji.updated', target, named('owl', 'heron')))
  await leaves(server_id, alice.delete(path), entry('emoji.deleted', target, named('heron', null)))
})

test('an entry names the member who added a bot, and the bot’s permissions', async () => {
  const { server_id } = await place(alice)
  const bot = await botOf(alice, 'Dice')
  await addBot(alice, server_id, bot, permissions('kick_members'))
  const changes = { name: was(null, 'Dice'), permissions: was(null, permissions('kick_members')) }
  await isNewest(server_id, entry('bot.added', ['member', bot.id], changes))
})

test('making, changing, renewing and deleting a webhook is logged', async () => {
  const { server_id, channel_id } = await place(alice)
  const { id } = (await alice.post(`/api/channels/${channel_id}/webhooks`, { name: 'Build' })).body
  const named = (before: unknown, after: unknown) => expect.objectContaining({ name: was(before, after) })
  const hook = (action: string, changes: unknown) => entry(action, ['webhook', id], changes as object)
  await isNewest(server_id, hook('webhook.created', named(null, 'Build')))
  const path = `/api/webhooks/${id}`
  await leaves(
    server_id,
    alice.put(path, { name: 'Deploy' }),
    hook('webhook.updated', { name: was('Build', 'Deploy') }),
  )
  await leaves(server_id, alice.post(`${path}/rotate`), hook('webhook.rotated', expect.anything()))
  await leaves(server_id, alice.delete(path), hook('webhook.deleted', named('Deploy', null)))
})

test('warnings are logged with their text, notes and decisions on reports without it', async () => {
  const { server_id, channel_id } = await place(alice, bob, mallory)
  const path = `/api/servers/${server_id}/members/${mallory.id}`
  const about = ['member', mallory.id]
  const warned = entry('member.warned', about, { reason: was(null, 'No feathers') })
  const { id } = await leaves(server_id, alice.post(`${path}/warnings`, { reason: 'No feathers' }), warned)
  const deletion = { kind: was('warning', null), reason: was('No feathers', null) }
  await leaves(server_id, alice.delete(`/api/cases/${id}`), entry('case.deleted', about, deletion))
  await leaves(server_id, alice.post(`${path}/notes`, { text: 'Watch her' }), entry('member.noted', about, {}))
  await report(bob, (await say(mallory, channel_id, 'Buy feathers')).id)
  const [row] = await reportsOf(alice, server_id)
  const decided = entry('report.decided', ['report', row.id], { state: was('open', 'resolved') })
  await leaves(server_id, alice.put(`/api/reports/${row.id}`, { state: 'resolved', note: 'Sold feathers' }), decided)
})

test('rules, their acts, raids and removals of members are logged', async () => {
  const { server_id, channel_id } = await place(alice, bob, mallory)
  const path = `/api/servers/${server_id}`
  const words = wordsRule(['heron'], { actions: [{ type: 'block' }, { type: 'timeout', seconds: 60 }, QUARANTINE] })
  const id = await addRule(alice, server_id, words)
  const rule = (action: string, changes: unknown) => entry(action, ['rule', id], changes as object)
  await isNewest(server_id, rule('automod.created', expect.objectContaining({ name: was(null, 'Words') })))
  const renamed = rule('automod.updated', { name: was('Words', 'Birds') })
  await leaves(server_id, alice.put(`/api/automod/${id}`, { ...words, name: 'Birds' }), renamed)
  expect((await mallory.post(`/api/channels/${channel_id}/messages`, { content: 'heron' })).status).toBe(403)
  const acts = (await log(server_id)).slice(0, 2)
  expect(acts.map(({ action, actor }: any) => [action, actor.id])).toEqual([
    ['automod.quarantined', mallory.id],
    ['automod.timed_out', mallory.id],
  ])
  const about = ['member', mallory.id]
  const member = `${path}/members/${mallory.id}`
  const released = entry('member.released', about, { held_back: was('quarantined', null) })
  await leaves(server_id, alice.put(member, { held_back: null }), released)
  const quarantined = entry('member.quarantined', about, { held_back: was(null, 'quarantined') })
  await leaves(server_id, alice.put(member, { held_back: 'quarantined' }), quarantined)
  await leaves(server_id, alice.delete(`/api/automod/${id}`), rule('automod.deleted', expect.anything()))

  await addRule(alice, server_id, {
    name: 'Names',
    trigger: { type: 'profile', words: ['bob'] },
    actions: [QUARANTINE],
  })
  await bob.put('/api/auth/display-name', { display_name: 'bob' })
  const [covered] = await log(server_id)
  expect([covered.action, covered.target_id]).toEqual(['automod.renamed', bob.id])

  const raid = (action: string) => entry(action, ['server', server_id], expect.anything())
  await leaves(server_id, alice.put(`${path}/raid`, { raid_joins: 9 }), raid('raid.updated'))
  await leaves(server_id, alice.put(`${path}/raid`, { on: true }), raid('raid.began'))
  await leaves(server_id, alice.put(`${path}/raid`, { on: false }), raid('raid.ended'))
  const past = { joined_after: '2026-01-01T00:00:00.000Z', action: 'kick', dry_run: true }
  const { token } = (await alice.post(`${path}/members/prune`, past)).body
  const prune = alice.post(`${path}/members/prune`, { dry_run: false, token })
  const removal = { act: was(null, 'kick'), members: was(null, 2) }
  await leaves(server_id, prune, entry('members.pruned', ['server', server_id], removal))
})

test('what new members read and answer is logged when it changes', async () => {
  const { server_id, channel_id } = await place(alice, bob)
  const path = `/api/servers/${server_id}`
  const change = (action: string, changes: object) => entry(action, ['server', server_id], changes)
  const rules = change('rules.updated', { rules: was('', 'Be kind.') })
  await leaves(server_id, alice.put(`${path}/rules`, { content: 'Be kind.' }), rules)
  const questions = [{ title: 'Which birds?', options: [{ label: 'Owls' }] }]
  const questioned = change('onboarding.updated', { questions: was([], ['Which birds?']) })
  await leaves(server_id, alice.put(`${path}/onboarding`, { questions }), questioned)
  const welcome = { content: 'Hello', channels: [{ channel_id }] }
  const greeted = change('welcome.updated', { welcome: was('', 'Hello'), channel_ids: was([], [channel_id]) })
  await leaves(server_id, alice.put(`${path}/welcome`, welcome), greeted)
  const { body: invite } = await alice.post('/api/invites', { server_id, temporary: 'day' })
  await mallory.post(`/api/invites/${invite.code}/join`)
  await sql`update temporary_members set due_at = now()`
  await parley.sweep()
  const acts = (await log(server_id)).slice(0, 2).flatMap(({ action, target_id }: any) => [action, target_id])
  expect(acts).toEqual(['member.expired', mallory.id, 'invite.used', invite.id])
})

test('these tests produce every kind of action', async () => {
  for (const act of [logAssets, logStage]) await act(alice, (await place(alice)).server_id)
  const rows = await sql<{ action: string }[]>`select distinct action from audit_log
    where server_id in (select id from servers where owner_id = ${alice.id}) or actor_id = ${alice.id}`
  expect(rows.map(({ action }) => action).toSorted()).toEqual([...auditActions].toSorted())
})
