import { expect, test } from 'bun:test'
import { permissions } from '../../../src/core/permissions.ts'
import { boot, Person, person, standard, stop } from '../../support/harness.ts'
import { addRule, wordsRule } from '../../support/automod.ts'
import { passerBy, place, rank } from '../../support/places.ts'
import { redisProgram, redisServer } from '../../support/redis.ts'

const parley = await standard()
const [alice, bob] = [await person(parley, 'alice'), await passerBy(parley, 'bob')]
type Who = typeof bob
const codeOf = ({ status, body }: { status: number; body: any }) => [status, body.code]

async function birds() {
  const home = await place(alice, bob)
  const send = (content: string, who: Who = bob, more = {}) =>
    who.post(`/api/channels/${home.channel_id}/messages`, { content, ...more })
  return { ...home, send }
}

test('a rule blocks sends and edits with its message, from its creation until its deletion', async () => {
  const { server_id, channel_id, send } = await birds()
  const earlier = (await send('A heron, before the rule')).body
  const message = 'No herons here.'
  const id = await addRule(alice, server_id, wordsRule(['heron'], { actions: [{ type: 'block', message }] }))
  const refusal = await send('A HÉRON!')
  expect([...codeOf(refusal), refusal.body.detail]).toEqual([403, 'automod_blocked', message])
  expect((await send('A gull')).status).toBe(201)
  const edit = (content: string) => bob.put(`/api/messages/${earlier.id}`, { content })
  expect(codeOf(await edit('Still a heron'))).toEqual([403, 'automod_blocked'])
  expect((await edit('A gull now')).status).toBe(200)
  const history = (await bob.get(`/api/channels/${channel_id}/messages`)).body
  expect(history.map(({ content }: any) => content)).toEqual(['A gull', 'A gull now'])
  const changed = { ...wordsRule(['gull']), enabled: false }
  expect((await alice.put(`/api/automod/${id}`, changed)).status).toBe(200)
  expect((await send('A gull')).status).toBe(201)
  await alice.put(`/api/automod/${id}`, wordsRule(['gull']))
  expect(codeOf(await send('A gull'))).toEqual([403, 'automod_blocked'])
  expect((await alice.delete(`/api/automod/${id}`)).status).toBe(204)
  expect((await send('A gull')).status).toBe(201)
})

test('a message that was sent before the rule is answered again for its nonce', async () => {
  const { server_id, send } = await birds()
  const first = await send('A heron', bob, { nonce: 'n1' })
  await addRule(alice, server_id, wordsRule(['heron']))
  const again = await send('A heron', bob, { nonce: 'n1' })
  expect([again.status, again.body.id]).toEqual([200, first.body.id])
  expect(codeOf(await send('A heron', bob, { nonce: 'n2' }))).toEqual([403, 'automod_blocked'])
})

test('a rule spares exempt roles, and exempt channels with their threads and categories', async () => {
  const { server_id, channel_id, send } = await birds()
  const category = (await alice.post(`/api/servers/${server_id}/channels`, { name: 'Birds', type: 'category' })).body.id
  const role = await rank(parley, server_id, 0)
  const exempt = (exempt_role_ids: number[], exempt_channel_ids: number[]) =>
    wordsRule(['heron'], { exempt_role_ids, exempt_channel_ids })
  const id = await addRule(alice, server_id, exempt([role], []))
  expect(codeOf(await send('heron'))).toEqual([403, 'automod_blocked'])
  await alice.post(`/api/servers/${server_id}/members/${bob.id}/roles/${role}`)
  expect((await send('heron')).status).toBe(201)
  await alice.put(`/api/automod/${id}`, exempt([], [category]))
  expect(codeOf(await send('heron'))).toEqual([403, 'automod_blocked'])
  await alice.put(`/api/channels/${channel_id}`, { parent_id: category })
  expect((await send('heron')).status).toBe(201)
  const thread = (await bob.post(`/api/channels/${channel_id}/threads`, { name: 'Gulls' })).body.id
  expect((await bob.post(`/api/channels/${thread}/messages`, { content: 'heron' })).status).toBe(201)
  await alice.put(`/api/channels/${channel_id}`, { parent_id: null })
  expect(codeOf(await bob.post(`/api/channels/${thread}/messages`, { content: 'heron' }))).toEqual([
    403,
    'automod_blocked',
  ])
  await alice.put(`/api/automod/${id}`, exempt([], [channel_id]))
  expect((await bob.post(`/api/channels/${thread}/messages`, { content: 'heron' })).status).toBe(201)
})

test('a member who may not write there hears that, and nothing of the rules', async () => {
  const { server_id, channel_id, everyone, send } = await birds()
  await addRule(alice, server_id, wordsRule(['heron']))
  const stranger = await passerBy(parley, 'stranger')
  expect(codeOf(await send('heron', stranger))).toEqual([404, 'not_found'])
  await alice.put(`/api/channels/${channel_id}/permissions/${everyone}`, { deny: permissions('send_messages') })
  expect(codeOf(await send('heron'))).toEqual([403, 'missing_permission'])
})

test('rules of one server do not touch others, dms and groups', async () => {
  const [one, other] = [await birds(), await birds()]
  await addRule(alice, one.server_id, wordsRule(['heron']))
  expect((await other.send('heron')).status).toBe(201)
  expect((await bob.post('/api/dm/messages', { recipient_id: alice.id, content: 'heron' })).status).toBe(201)
})

test('only holders of manage_server read, test and change rules, and the audit log has every change', async () => {
  const { server_id } = await birds()
  const id = await addRule(alice, server_id, wordsRule(['heron'], { name: 'Birds' }))
  const path = `/api/servers/${server_id}/automod`
  for (const answer of [
    await bob.get(path),
    await bob.post(path, wordsRule(['x'])),
    await bob.post(`${path}/test`, { content: 'heron' }),
    await bob.put(`/api/automod/${id}`, wordsRule(['x'])),
    await bob.delete(`/api/automod/${id}`),
  ])
    expect(codeOf(answer)).toEqual([403, 'missing_permission'])
  const stranger = await passerBy(parley, 'stranger')
  expect(codeOf(await stranger.delete(`/api/automod/${id}`))).toEqual([404, 'not_found'])
  await rank(parley, server_id, permissions('manage_server'), bob)
  const { body: rules } = await bob.get(path)
  expect(rules).toMatchObject([{ id, name: 'Birds', trigger: { type: 'words', words: ['heron'], allow: [] } }])
  const { body: matches } = await bob.post(`${path}/test`, { content: 'a HERON!' })
  expect(matches).toEqual([{ rule_id: id, name: 'Birds', found: 'heron', start: 2, end: 8 }])
  await bob.put(`/api/automod/${id}`, wordsRule(['gull', 'heron'], { name: 'Birds', covers_bots: true }))
  await bob.delete(`/api/automod/${id}`)
  const { body: log } = await alice.get(`/api/servers/${server_id}/audit-log?limit=3`)
  expect(log.map(({ action, actor }: any) => [action, actor.id])).toEqual([
    ['automod.deleted', bob.id],
    ['automod.updated', bob.id],
    ['automod.created', alice.id],
  ])
  expect(log[1].changes).toEqual({
    covers_bots: { before: false, after: true },
    words: { before: [], after: ['gull'] },
  })
})

test('a server has at most 30 rules, each within its bounds', async () => {
  const { server_id } = await birds()
  const path = `/api/servers/${server_id}/automod`
  const other = await birds()
  for (const bad of [
    wordsRule([]),
    wordsRule(['']),
    wordsRule(['*']),
    wordsRule(['\u200b']),
    wordsRule(['x'.repeat(61)]),
    wordsRule(Array(1001).fill('x')),
    wordsRule(['x'], { actions: [] }),
    wordsRule(['x'], { actions: [{ type: 'block' }, { type: 'block' }] }),
    wordsRule(['x'], { actions: [{ type: 'explode' }] }),
    wordsRule(['x'], { name: '' }),
    wordsRule(['x'], { exempt_channel_ids: [other.channel_id] }),
    wordsRule(['x'], { exempt_role_ids: [other.everyone] }),
    wordsRule(['x'], { trigger: { type: 'magic' } }),
  ])
    expect(codeOf(await alice.post(path, bad))).toEqual([422, 'validation_failed'])
  for (let n = 0; n < 30; n++) await addRule(alice, server_id, wordsRule([`x${n}`]))
  expect(codeOf(await alice.post(path, wordsRule(['x'])))).toEqual([409, 'too_many_rules'])
  expect((await alice.get(path)).body).toHaveLength(30)
})

test.if(redisProgram !== undefined)('a rule counts on every process once it is answered', async () => {
  const redis = await redisServer()
  const one = await boot({ REDIS_URL: redis.url })
  const two = await boot({}, one)
  const owner = await person(one, 'olga')
  const { server_id, channel_id } = await place(owner)
  const elsewhere = new Person(two, owner.id, owner.username, owner.email, owner.display_name, owner.token)
  const send = (content: string) => elsewhere.post(`/api/channels/${channel_id}/messages`, { content })
  expect((await send('heron')).status).toBe(201)
  const id = await addRule(owner, server_id, wordsRule(['heron']))
  expect(codeOf(await send('heron'))).toEqual([403, 'automod_blocked'])
  for (let n = 0; n < 5; n++) {
    await owner.put(`/api/automod/${id}`, wordsRule([n % 2 ? 'heron' : 'gull']))
    expect((await send('heron')).status).toBe(n % 2 ? 403 : 201)
  }
  await owner.delete(`/api/automod/${id}`)
  expect((await send('heron')).status).toBe(201)
  await stop(two)
  await stop(one)
})
