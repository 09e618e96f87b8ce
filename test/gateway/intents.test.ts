import { expect, test } from 'bun:test'
import { addBot, botOf } from '../support/bots.ts'
import { say, standard } from '../support/harness.ts'
import { passersBy } from '../support/people.ts'
import { place } from '../support/places.ts'
import { connect, gatewayUrl, newestS } from '../support/socket.ts'

const parley = await standard()
const [alice, bob] = await passersBy(parley, 'alice', 'bob')

test('a socket with intents gets only matching events, live and in a resume, and no text without content', async () => {
  const { server_id, channel_id } = await place(alice, bob)
  const [all, written, bare, none] = [
    await connect(bob),
    await connect(bob, '&intents=content,messages'),
    await connect(bob, '&intents=messages'),
    await connect(bob, '&intents='),
  ]
  const s = newestS(bare)
  const { id } = await say(alice, channel_id, 'A kingfisher')
  await alice.put(`/api/messages/${id}/reactions/👍/@me`)
  await alice.put(`/api/channels/${channel_id}`, { topic: 'Owls' })
  await all.next('channel.updated')
  await all.next('message.reactions')
  for (const gateway of [written, bare, none]) await gateway.settled()
  const visibleFrames = ({ frames }: typeof all) =>
    frames.filter(({ t }) => !['ready', 'synced', 'server.snapshot'].includes(t)).map(({ t }) => t)
  expect(visibleFrames(written)).toEqual(['message.created'])
  expect(visibleFrames(bare)).toEqual(['message.created'])
  expect(visibleFrames(none)).toEqual([])
  expect(written.of('message.created')[0]?.d.content).toBe('A kingfisher')
  expect(bare.of('message.created')[0]?.d).toMatchObject({ id, content: '', author: { id: alice.id } })
  expect(bare.of('message.created')[0]?.s).toBe(all.of('message.created')[0]?.s ?? -1)
  const resumed = await connect(bob, `&intents=messages&s=${s}`)
  expect(visibleFrames(resumed)).toEqual(['message.created'])
  expect(resumed.of('message.created')[0]?.d.content).toBe('')
  // Intents do not limit REST.
  expect((await bob.get(`/api/messages/${id}`)).body.content).toBe('A kingfisher')
  // The end of a membership applies to that socket as to any other.
  expect((await alice.delete(`/api/servers/${server_id}/members/${bob.id}`)).status).toBe(204)
  for (const gateway of [bare, none]) await gateway.next('server.deleted')
  await say(alice, channel_id, 'Gone?')
  for (const gateway of [written, bare, none]) await gateway.settled()
  expect(bare.of('message.created').length).toBe(1)
  for (const gateway of [all, written, bare, none, resumed]) gateway.close()
})

test('a channel that becomes private is silent for a socket with intents too', async () => {
  const { channel_id, everyone } = await place(alice, bob)
  const bare = await connect(bob, '&intents=messages')
  const hidden = await alice.put(`/api/channels/${channel_id}/permissions/${everyone}`, { deny: 1024 })
  expect(hidden.status).toBe(200)
  await say(alice, channel_id, 'Quiet')
  await bare.settled()
  expect(bare.of('message.created')).toEqual([])
  expect((await alice.delete(`/api/channels/${channel_id}/permissions/${everyone}`)).status).toBe(204)
  await say(alice, channel_id, 'Again')
  await bare.next('message.created')
  bare.close()
})

test('each intent passes only its own events, and interactions reach a bot without any intent', async () => {
  const { server_id, channel_id } = await place(alice, bob)
  const channel = await alice.post(`/api/servers/${server_id}/channels`, { name: 'talk', type: 'voice' })
  const expected = {
    servers: ['channel.updated'],
    members: ['member.updated'],
    messages: ['message.created'],
    reactions: ['message.reactions'],
    voice: ['voice.state_updated'],
    typing: ['typing.started'],
  }
  const bot = await botOf(alice, 'Dice')
  await addBot(alice, server_id, bot)
  const offered = await bot.put('/api/applications/@me/commands', [{ name: 'roll', description: 'Rolls dice' }])
  const names = Object.keys(expected)
  const sockets = await Promise.all(names.map((name) => connect(bob, `&intents=${name}`)))
  const [quiet, live] = [await connect(bot, '&intents='), await connect(alice)]
  const { id } = await say(alice, channel_id, 'A kingfisher')
  await alice.put(`/api/messages/${id}/reactions/👍/@me`)
  await alice.put(`/api/channels/${channel_id}`, { topic: 'Owls' })
  expect((await alice.put(`/api/servers/${server_id}/members/${alice.id}`, { nickname: 'Al' })).status).toBe(200)
  await live.command('typing.start', { channel_id })
  await live.command('voice.join', { channel_id: channel.body.id, self_mute: false, self_deaf: false })
  const used = { kind: 'command', channel_id, command_id: offered.body[0].id }
  expect((await bob.post('/api/interactions', used)).status).toBe(201)
  for (const [at, types] of Object.values(expected).entries()) for (const type of types) await sockets[at]?.next(type)
  await quiet.next('interaction.created')
  for (const gateway of [...sockets, quiet]) await gateway.settled()
  const types = sockets.map(({ frames }) => frames.map(({ t }) => t))
  const all = Object.values(expected).flat()
  const foreign = types.map((types) => [...new Set(types.filter((type) => all.includes(type)))])
  expect(foreign).toEqual(Object.values(expected))
  expect(quiet.frames.filter(({ t }) => all.includes(t))).toEqual([])
  for (const gateway of [...sockets, quiet, live]) gateway.close()
})

test('unknown intents are refused before the upgrade', async () => {
  for (const intents of ['owls', 'messages,messages,owls', 'messages;content']) {
    const url = gatewayUrl(parley, `token=${bob.token}&intents=${encodeURIComponent(intents)}`).replace('ws', 'http')
    expect([intents, (await fetch(url)).status]).toEqual([intents, 400])
  }
})
