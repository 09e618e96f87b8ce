import { expect, test } from 'bun:test'
import { permissions } from '../../../src/core/permissions.ts'
import { person, say, standard } from '../../support/harness.ts'
import { passerBy, place, rank } from '../../support/places.ts'
import { connect } from '../../support/socket.ts'
import { post, webhook } from '../../support/webhooks.ts'

const parley = await standard()
const { sql } = parley.parts
const alice = await person(parley, 'alice')
const codeOf = ({ status, body }: { status: number; body: any }) => [status, body?.code]
const REFUSED = [403, 'missing_permission']

/** A server of alice with rules, which mallory has left and joined again, with a webhook and a message from before. */
async function gate() {
  const mallory = await passerBy(parley, 'mallory')
  const home = await place(alice, mallory)
  const { server_id, channel_id } = home
  const everyday = permissions('manage_webhooks', 'view_channel', 'send_messages', 'read_history', 'add_reactions')
  await alice.put(`/api/roles/${home.everyone}`, { permissions: everyday })
  const old = await say(mallory, channel_id, 'Before')
  const { url } = await webhook(mallory, channel_id)
  const send_at = new Date(Date.now() + 3_600_000).toISOString()
  await mallory.post(`/api/channels/${channel_id}/scheduled`, { draft: { content: 'Scheduled' }, send_at })
  await alice.put(`/api/servers/${server_id}/rules`, { content: 'Be kind.' })
  const { code } = (await alice.post('/api/invites', { server_id })).body
  await mallory.delete(`/api/servers/${server_id}/members/@me`)
  await mallory.post(`/api/invites/${code}/join`)
  const accept = () => mallory.put(`/api/servers/${server_id}/members/@me/rules`, { version: 1 })
  return { ...home, mallory, old, url, accept }
}

test('a pending member writes by no request, nor by what it left behind before it joined again', async () => {
  const { server_id, channel_id, mallory, old, url, accept } = await gate()
  const answered = await say(alice, channel_id, 'Answered')
  await alice.put(`/api/messages/${answered.id}/reactions/🎉/@me`)
  for (const [method, path, draft] of [
    ['post', `/api/channels/${channel_id}/messages`, { content: 'Hi' }],
    ['put', `/api/messages/${old.id}`, { content: 'Ha' }],
    ['put', `/api/messages/${answered.id}/reactions/🎉/@me`, undefined],
    ['post', `/api/channels/${channel_id}/threads`, { name: 'Owls' }],
    ['post', `/api/channels/${channel_id}/threads`, { name: 'Owls', message_id: answered.id }],
    ['post', `/api/channels/${channel_id}/webhooks`, { name: 'Hook' }],
    ['post', '/api/invites', { server_id }],
    ['put', `/api/servers/${server_id}/members/${mallory.id}`, { nickname: 'x' }],
  ] as const) {
    const { status, body } = await mallory[method](path, draft)
    expect([path, status, body?.code]).toEqual([path, ...REFUSED])
  }
  expect((await post(mallory, url, { content: 'Hooked' })).status).toBe(404)
  await sql`update scheduled_messages set send_at = now() - interval '1 second', due_at = now() - interval '1 second'
    where author_id = ${mallory.id}`
  await parley.sweep()
  const contents = async () => (await alice.get(`/api/channels/${channel_id}/messages`)).body.map((m: any) => m.content)
  expect(await contents()).not.toContain('Scheduled')
  expect(await contents()).not.toContain('Hooked')
  expect((await accept()).status).toBe(200)
  expect((await mallory.post(`/api/channels/${channel_id}/messages`, { content: 'Hi' })).status).toBe(201)
})

test('a pending member neither types nor joins a call, until it has accepted the rules', async () => {
  const { server_id, channel_id, mallory, everyone, accept } = await gate()
  await alice.put(`/api/roles/${everyone}`, {
    permissions: permissions('view_channel', 'send_messages', 'connect', 'speak'),
  })
  const voice = (await alice.post(`/api/servers/${server_id}/channels`, { name: 'Call', type: 'voice' })).body.id
  const join = { channel_id: voice, self_mute: false, self_deaf: false }
  const live = await connect(mallory)
  expect((await live.command('typing.start', { channel_id })).error?.code).toBe('missing_permission')
  expect((await live.command('voice.join', join)).error?.code).toBe('missing_permission')
  await accept()
  expect((await live.command('typing.start', { channel_id })).error).toBeUndefined()
  expect((await live.command('voice.join', join)).error).toBeUndefined()
  live.close()
})

test('a pending member reaches nobody by the server that they share', async () => {
  const { server_id, mallory, accept } = await gate()
  const bob = await passerBy(parley, 'bob')
  const { code } = (await alice.post('/api/invites', { server_id })).body
  await bob.post(`/api/invites/${code}/join`)
  await bob.put(`/api/servers/${server_id}/members/@me/rules`, { version: 1 })
  await bob.put('/api/auth/privacy', { dms_from: 'servers' })
  const whisper = () => mallory.post('/api/dm/messages', { recipient_id: bob.id, content: 'Hi' })
  expect(codeOf(await whisper())).toEqual([403, 'cannot_contact'])
  await accept()
  expect((await whisper()).status).toBe(201)
})

test('acceptances at once greet once, and none of them is of rules that have just changed', async () => {
  const { server_id, channel_id, mallory, accept } = await gate()
  await alice.put(`/api/servers/${server_id}`, { system_channel_id: channel_id })
  const change = alice.put(`/api/servers/${server_id}/rules`, { content: 'Be very kind.' })
  const answers = await Promise.all([accept(), accept(), accept(), accept()])
  expect((await change).body.version).toBe(2)
  for (const { status, body } of answers)
    expect(status === 200 ? body.rules_version : body.code).toBe(status === 200 ? 1 : 'rules_changed')
  expect(codeOf(await accept())).toEqual([409, 'rules_changed'])
  await mallory.put(`/api/servers/${server_id}/members/@me/rules`, { version: 2 })
  const { body: messages } = await alice.get(`/api/channels/${channel_id}/messages`)
  expect(messages.filter(({ kind }: any) => kind === 'member_joined')).toHaveLength(1)
})

test('a role that a moderator gives verifies a pending member too, and one that members pick does not', async () => {
  const { server_id, mallory, accept } = await gate()
  await alice.put(`/api/servers/${server_id}`, { verification: 'member_minutes', verification_minutes: 10 })
  const birds = { name: 'Birds', self_assignable: true }
  const { body: role } = await alice.post(`/api/servers/${server_id}/roles`, birds)
  await alice.put(`/api/servers/${server_id}/members/${mallory.id}/roles/${role.id}`)
  expect((await accept()).body.held_back).toBe('unverified')
  const { server_id: other, mallory: trusted, accept: acceptThere } = await gate()
  await alice.put(`/api/servers/${other}`, { verification: 'member_minutes', verification_minutes: 10 })
  await rank(parley, other, 0, trusted)
  expect((await acceptThere()).body.held_back).toBe(null)
})
