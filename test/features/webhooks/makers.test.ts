import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'bun:test'
import { addBot, botOf } from '../../support/bots.ts'
import { standard } from '../../support/harness.ts'
import { passersBy } from '../../support/people.ts'
import { place, rank } from '../../support/places.ts'
import { race } from '../../support/races.ts'
import { permissions } from '../../../src/core/permissions.ts'
import { post, webhook } from '../../support/webhooks.ts'

const parley = await standard()
const { sql } = parley.parts
const [alice, bob] = await passersBy(parley, 'alice', 'bob')

test('leaving, a kick and a ban end the URLs of a member’s webhooks, for good; the owner renews them', async () => {
  const [dora, erik, fred] = await passersBy(parley, 'dora', 'erik', 'fred')
  const makers = [dora, erik, fred]
  const { channel_id, server_id } = await place(alice, bob, ...makers)
  await rank(parley, server_id, permissions('manage_webhooks'), bob, ...makers)
  const elsewhere = await place(alice, ...makers)
  await rank(parley, elsewhere.server_id, permissions('manage_webhooks'), ...makers)
  const stays = await webhook(bob, channel_id)
  const hooks = await Promise.all(makers.map((maker) => webhook(maker, channel_id)))
  const others = await Promise.all(makers.map((maker) => webhook(maker, elsewhere.channel_id)))
  const member = (id: number | string) => `/api/servers/${server_id}/members/${id}`
  const ended = [
    await dora.delete(member('@me')),
    await alice.delete(member(erik.id)),
    await alice.put(`/api/servers/${server_id}/bans/${fred.id}`),
  ]
  expect(ended.map(({ status }) => status < 300)).toEqual([true, true, true])
  const statuses = (hooks: { url: string }[]) =>
    Promise.all(hooks.map(async ({ url }) => (await post(alice, url, { content: 'hello' })).status))
  expect(await statuses([...hooks, stays])).toEqual([404, 404, 404, 204])
  expect(await statuses(others)).toEqual([204, 204, 204])
  // Rejoining does not restore it.
  await sql`insert into members ${sql({ server_id, user_id: erik.id })}`
  expect(await statuses(hooks)).toEqual([404, 404, 404])
  const remaining = (await bob.get(`/api/channels/${channel_id}/webhooks`)).body
  expect(remaining.map(({ creator }: any) => creator.id)).toEqual([bob.id, alice.id, alice.id, alice.id])
  const renewed = (await bob.post(`/api/webhooks/${hooks[2]?.id}/rotate`)).body
  expect(renewed.creator.id).toBe(bob.id)
  expect(await statuses([renewed])).toEqual([204])
})

test('the webhooks that a bot made end when it is removed from the server', async () => {
  const { channel_id, server_id } = await place(alice)
  const bot = await botOf(alice, 'Maker')
  await addBot(alice, server_id, bot, permissions('manage_webhooks'))
  const { url } = await webhook(bot, channel_id)
  expect((await post(alice, url, { content: 'hello' })).status).toBe(204)
  expect((await alice.delete(`/api/servers/${server_id}/members/${bot.id}`)).status).toBe(204)
  expect((await post(alice, url, { content: 'still here' })).status).toBe(404)
  const [remaining] = (await alice.get(`/api/channels/${channel_id}/webhooks`)).body
  expect(remaining.creator.id).toBe(alice.id)
})

test('a webhook that is made or renewed while its maker is removed has no URL afterwards', async () => {
  const [dora] = await passersBy(parley, 'dora')
  const { channel_id, server_id } = await place(alice, dora)
  await rank(parley, server_id, permissions('manage_webhooks'), dora)
  const hook = await webhook(alice, channel_id)
  const answers = await race(parley, (tx) => tx`select 1 from channels where id = ${channel_id} for no key update`, [
    () => dora.post(`/api/channels/${channel_id}/webhooks`, { name: 'Late' }),
    () => dora.post(`/api/webhooks/${hook.id}/rotate`),
    () => alice.delete(`/api/servers/${server_id}/members/${dora.id}`),
  ])
  expect(answers.map(({ status }) => status)).toEqual([201, 200, 204])
  for (const { body } of answers.slice(0, 2)) expect((await post(alice, body.url, { content: 'x' })).status).toBe(404)
})

test('the upgrade ends webhook URLs of banned members; of those who left before, a later ban does', async () => {
  const [dora, erik] = await passersBy(parley, 'dora', 'erik')
  const { channel_id, server_id } = await place(alice)
  const makers = [alice, dora, erik]
  const hooks = await Promise.all(makers.map(() => webhook(alice, channel_id)))
  for (const [at, { id }] of makers.entries())
    await sql`update webhooks set creator_id = ${id} where id = ${hooks[at]?.id ?? 0}`
  await sql`insert into bans ${sql({ server_id, user_id: dora.id })}`
  await sql.unsafe(readFileSync(join(import.meta.dir, '../../../sql/0135_webhooks_of_members.sql'), 'utf8'))
  const statuses = () => Promise.all(hooks.map(async ({ url }) => (await post(alice, url, { content: 'x' })).status))
  expect(await statuses()).toEqual([204, 404, 204])
  expect((await alice.put(`/api/servers/${server_id}/bans/${erik.id}`)).status).toBeLessThan(300)
  expect(await statuses()).toEqual([204, 404, 404])
  const listed = (await alice.get(`/api/channels/${channel_id}/webhooks`)).body
  expect(listed.map(({ creator }: any) => creator.id)).toEqual([alice.id, alice.id, alice.id])
})
