import { expect, test } from 'bun:test'
import { permissions } from '../../../src/core/permissions.ts'
import { exportOf } from '../../support/factors.ts'
import { person, say, standard } from '../../support/harness.ts'
import { addRule, wordsRule } from '../../support/automod.ts'
import { passerBy, place, rank } from '../../support/places.ts'
import { connect } from '../../support/socket.ts'
import { until } from '../../support/until.ts'

const parley = await standard()
const { sql } = parley.parts
const [alice, bob, mallory] = [
  await person(parley, 'alice'),
  await passerBy(parley, 'bob'),
  await passerBy(parley, 'mallory'),
]
type Who = typeof bob
const codeOf = ({ status, body }: { status: number; body: any }) => [status, body.code]

/** A server with a moderator, bob, mallory below, and a channel that only moderators see. */
async function birds() {
  const home = await place(alice, bob, mallory)
  const role = await rank(parley, home.server_id, permissions('moderate_members'), bob)
  const path = `/api/servers/${home.server_id}/channels`
  const alerts = (await alice.post(path, { name: 'alerts', type: 'text' })).body.id
  const view = permissions('view_channel')
  await alice.put(`/api/channels/${alerts}/permissions/${home.everyone}`, { deny: view })
  await alice.put(`/api/channels/${alerts}/permissions/${role}`, { allow: view })
  const send = (content: string, who: Who = mallory, more = {}) =>
    who.post(`/api/channels/${home.channel_id}/messages`, { content, ...more })
  const hits = async (who: Who) => (await who.get(`/api/servers/${home.server_id}/automod/hits`)).body
  const member = async () =>
    (await alice.get(`/api/servers/${home.server_id}/members`)).body.find((each: any) => each.user.id === mallory.id)
  return { ...home, alerts, send, hits, member }
}
const acting = (...actions: object[]) => wordsRule(['heron'], { name: 'Birds', actions })

test('a rule times out who breaks it, which the audit log and the members see', async () => {
  const { server_id, send, member } = await birds()
  await addRule(alice, server_id, acting({ type: 'block' }, { type: 'timeout', seconds: 600 }))
  const live = await connect(bob)
  expect(codeOf(await send('heron'))).toEqual([403, 'automod_blocked'])
  const { d } = await live.next('member.updated')
  const leftMs = Date.parse(d.timed_out_until) - Date.now()
  expect([d.user.id, leftMs > 590_000 && leftMs < 610_000]).toEqual([mallory.id, true])
  live.close()
  expect((await member()).timed_out_until).toBe(d.timed_out_until)
  expect(codeOf(await send('gull'))).toEqual([403, 'missing_permission'])
  const [entry] = (await alice.get(`/api/servers/${server_id}/audit-log?limit=1`)).body
  expect([entry.action, entry.actor.id, entry.changes.name.after]).toEqual(['automod.timed_out', mallory.id, 'Birds'])
})

test('a rule quarantines until a moderator lifts it, and spares owner and administrators', async () => {
  const { server_id, send, member } = await birds()
  await addRule(alice, server_id, acting({ type: 'block' }, { type: 'quarantine' }))
  await send('heron')
  expect((await member()).held_back).toBe('quarantined')
  expect(codeOf(await send('gull'))).toEqual([403, 'missing_permission'])
  await bob.put(`/api/servers/${server_id}/members/${mallory.id}`, { held_back: null })
  await rank(parley, server_id, permissions('administrator'), mallory)
  expect(codeOf(await send('heron'))).toEqual([403, 'automod_blocked'])
  expect(codeOf(await send('heron', alice))).toEqual([403, 'automod_blocked'])
  expect((await member()).held_back).toBe(null)
})

test('without block, the message is sent, and the rule acts after it', async () => {
  const { server_id, send, member } = await birds()
  await addRule(alice, server_id, acting({ type: 'quarantine' }))
  const sent = await send('heron')
  expect([sent.status, (await member()).held_back]).toEqual([201, 'quarantined'])
  expect(codeOf(await mallory.put(`/api/messages/${sent.body.id}`, { content: 'heron' }))).toEqual([
    403,
    'missing_permission',
  ])
})

test('an alert names rule, person, place and count, never the text; its count grows for a minute', async () => {
  const { server_id, channel_id, alerts, send, hits } = await birds()
  const id = await addRule(alice, server_id, acting({ type: 'block' }, { type: 'alert', channel_id: alerts }))
  const [live, outside] = [await connect(bob), await connect(mallory)]
  await send('a xylophonic heron')
  const { d } = await live.next('message.created')
  expect(d).toMatchObject({ channel_id: alerts, kind: 'automod_alert', content: '', author: { id: mallory.id } })
  expect(d.data).toMatchObject({ rule_id: id, name: 'Birds', place_id: channel_id, count: 1 })
  await send('another xylophonic heron')
  expect((await live.next('message.updated')).d).toMatchObject({ id: d.id, data: { count: 2 } })
  await outside.settled()
  expect(outside.of('message.created')).toEqual([])
  for (const socket of [live, outside]) {
    expect(JSON.stringify(socket.frames)).not.toContain('xylophonic')
    socket.close()
  }
  expect((await bob.get(`/api/channels/${alerts}/messages`)).body).toHaveLength(1)
  expect(await hits(bob)).toMatchObject([
    {
      rule_name: 'Birds',
      user: { id: mallory.id },
      count: 2,
      texts: ['a xylophonic heron', 'another xylophonic heron'],
    },
  ])
  expect(JSON.stringify(await sql`select body from events`)).not.toContain('xylophonic')
})

test('a request that is repeated with its nonce counts once', async () => {
  const { server_id, send, hits } = await birds()
  await addRule(alice, server_id, acting({ type: 'block' }, { type: 'timeout', seconds: 60 }))
  await rank(parley, server_id, permissions('administrator'), mallory)
  for (let n = 0; n < 3; n++)
    expect(codeOf(await send('heron', mallory, { nonce: 'n' }))).toEqual([403, 'automod_blocked'])
  expect((await hits(bob)).map(({ count }: any) => count)).toEqual([1])
})

test('an alert channel that every member sees is refused when saved, and skipped once it is opened', async () => {
  const { server_id, channel_id, everyone, alerts, send } = await birds()
  const other = await birds()
  const path = `/api/servers/${server_id}/automod`
  for (const bad of [channel_id, other.alerts, 999_999])
    expect(codeOf(await alice.post(path, acting({ type: 'alert', channel_id: bad })))).toEqual([
      422,
      'validation_failed',
    ])
  await addRule(alice, server_id, acting({ type: 'block' }, { type: 'alert', channel_id: alerts }))
  await alice.delete(`/api/channels/${alerts}/permissions/${everyone}`)
  for (const { role_id } of (await alice.get(`/api/channels/${alerts}/permissions`)).body)
    await alice.delete(`/api/channels/${alerts}/permissions/${role_id}`)
  expect(codeOf(await send('heron'))).toEqual([403, 'automod_blocked'])
  expect((await alice.get(`/api/channels/${alerts}/messages`)).body).toEqual([])
})

test('moderators read texts only of channels that they see, for 30 days', async () => {
  const { server_id, channel_id, everyone, send, hits } = await birds()
  await addRule(alice, server_id, acting({ type: 'block' }, { type: 'quarantine' }))
  await send('heron')
  expect(codeOf(await mallory.get(`/api/servers/${server_id}/automod/hits`))).toEqual([403, 'missing_permission'])
  expect(await hits(bob)).toHaveLength(1)
  await alice.put(`/api/channels/${channel_id}/permissions/${everyone}`, { deny: permissions('view_channel') })
  expect([await hits(bob), (await hits(alice)).length]).toEqual([[], 1])
  await sql`update automod_hits set created_at = now() - interval '31 days' where server_id = ${server_id}`
  expect(await hits(alice)).toEqual([])
  await parley.sweep()
  expect([...(await sql`select 1 from automod_hits where server_id = ${server_id}`)]).toEqual([])
})

test('one person breaking one rule in many channels makes one alert a minute, with their number', async () => {
  const { server_id, alerts, send, hits } = await birds()
  const { body: other } = await alice.post(`/api/servers/${server_id}/channels`, { name: 'other', type: 'text' })
  await addRule(alice, server_id, acting({ type: 'block' }, { type: 'alert', channel_id: alerts }))
  await send('heron')
  for (let n = 0; n < 3; n++)
    expect(codeOf(await mallory.post(`/api/channels/${other.id}/messages`, { content: `heron ${n}` }))).toEqual([
      403,
      'automod_blocked',
    ])
  const { body: messages } = await bob.get(`/api/channels/${alerts}/messages`)
  expect(messages.map(({ data }: any) => data.count)).toEqual([4])
  expect((await hits(bob)).map(({ channel_id, count }: any) => [channel_id, count])).toEqual([
    [other.id, 3],
    [expect.any(Number), 1],
  ])
})

test('another text with the same nonce counts, and is kept', async () => {
  const { server_id, alerts, send, hits } = await birds()
  await addRule(alice, server_id, acting({ type: 'block' }, { type: 'alert', channel_id: alerts }))
  for (const content of ['heron one', 'heron two', 'heron two']) await send(content, mallory, { nonce: 'n' })
  expect(await hits(bob)).toMatchObject([{ count: 2, texts: ['heron one', 'heron two'] }])
})

test('the kept texts that broke rules are bounded, per row and per day', async () => {
  const { server_id, channel_id, alerts, send, hits } = await birds()
  const id = await addRule(alice, server_id, acting({ type: 'block' }, { type: 'alert', channel_id: alerts }))
  const long = `heron ${'🦆'.repeat(1990)}`
  for (let n = 0; n < 3; n++) await send(`${n} ${long}`)
  const [{ texts, count }] = await hits(bob)
  expect([texts.join('').length, texts.every((text: string) => text.isWellFormed()), count]).toEqual([4000, true, 3])
  await sql`update automod_hits set created_at = now() - interval '2 minutes' where server_id = ${server_id}`
  await sql`insert into automod_hits (server_id, rule_id, rule_name, user_id, channel_id, texts)
    select ${server_id}, ${id + 1_000_000}, 'Other', ${mallory.id}, ${channel_id}, '[]' from generate_series(1, 199)`
  expect(codeOf(await send('heron'))).toEqual([403, 'automod_blocked'])
  const rows = await sql`select 1 from automod_hits where server_id = ${server_id}`
  expect(rows).toHaveLength(200)
})

test('a text of somebody who cannot be limited is blocked without waiting for other sends', async () => {
  const { server_id, channel_id, send } = await birds()
  await addRule(alice, server_id, acting({ type: 'block' }, { type: 'quarantine' }))
  // A send that does not end holds the access of the server.
  const { promise: end, resolve: letGo } = Promise.withResolvers<void>()
  const { promise: isHolding, resolve: holds } = Promise.withResolvers<void>()
  const holding = sql.begin(async (tx) => {
    await tx`select share_access(${server_id})`
    holds()
    await end
  })
  await isHolding
  expect(codeOf(await send('heron', alice))).toEqual([403, 'automod_blocked'])
  letGo()
  await holding
  expect((await alice.get(`/api/channels/${channel_id}/messages`)).body).toEqual([])
})

test('an alert is in no export of its member, who cannot delete it, and a ban does not delete it', async () => {
  const { server_id, channel_id, alerts, everyone, send } = await birds()
  await addRule(alice, server_id, acting({ type: 'block' }, { type: 'alert', channel_id: alerts }))
  await say(mallory, channel_id, 'A gull')
  await send('A quetzal and a heron')
  const [alert] = (await bob.get(`/api/channels/${alerts}/messages`)).body
  const { body } = await exportOf(mallory)
  expect(JSON.stringify(body)).toContain('A gull')
  for (const secret of ['Birds', 'automod_alert', 'quetzal']) expect(JSON.stringify(body)).not.toContain(secret)
  expect(codeOf(await mallory.delete(`/api/messages/${alert.id}`))).toEqual([404, 'not_found'])
  const view = { allow: permissions('view_channel', 'read_history') }
  expect((await alice.put(`/api/channels/${alerts}/permissions/${everyone}`, view)).status).toBe(200)
  expect(codeOf(await mallory.delete(`/api/messages/${alert.id}`))).toEqual([403, 'missing_permission'])
  const ban = { delete_message_seconds: 3600 }
  expect((await alice.put(`/api/servers/${server_id}/bans/${mallory.id}`, ban)).status).toBe(200)
  await until(async () => {
    await parley.sweep()
    return (await alice.get(`/api/channels/${channel_id}/messages`)).body.length === 0
  })
  expect((await alice.get(`/api/channels/${alerts}/messages`)).body).toHaveLength(1)
})

test('a broken rule that does more than block is a case of the member, once a day and rule', async () => {
  const { server_id, alerts, send } = await birds()
  await addRule(alice, server_id, acting({ type: 'block' }, { type: 'alert', channel_id: alerts }))
  await addRule(alice, server_id, wordsRule(['owl']))
  for (const content of ['heron', 'a heron', 'owl']) await send(content)
  const cases = (await bob.get(`/api/servers/${server_id}/members/${mallory.id}/cases`)).body
  expect(cases.map(({ kind, reason }: any) => [kind, reason])).toEqual([['automod', 'Birds']])
})
