import { afterAll, expect, test } from 'bun:test'
import { boot, type Person, say, stop } from '../support/harness.ts'
import { group, passersBy, write } from '../support/people.ts'
import { settled, subscribe } from '../support/push-devices.ts'
import { PushService } from '../support/push-service.ts'
import { acts, ofPeople, ok, readings, scene, type Scene } from '../support/reference-scene.ts'
import { isResumed, resume } from '../support/resuming.ts'
import { connect, newestS } from '../support/socket.ts'

// Everything that leads to a message, and every way to lose access to it: nothing unreadable is readable by reference.
// A reader is a person or a bot.

const parley = await boot({ PUSH_ALLOWED_ADDRESSES: '127.0.0.1' })
const service = new PushService()
afterAll(async () => {
  await stop(parley)
  service.close()
})

interface Way {
  lose: (at: Scene) => Promise<unknown>
  isByRole?: boolean
  /** The readers are still in the server that has the copy. */
  stays?: boolean
}
const both = (at: Scene, each: (who: Person) => Promise<any>) => Promise.all([at.eve, at.robin].map(each))
const ways: Record<string, Way> = {
  'being kicked': {
    lose: (at) => both(at, ({ id }) => ok(at.alice.delete(`/api/servers/${at.server_id}/members/${id}`))),
  },
  'being banned': {
    lose: (at) => both(at, ({ id }) => ok(at.alice.put(`/api/servers/${at.server_id}/bans/${id}`, { reason: 'x' }))),
  },
  leaving: {
    lose: async (at) => {
      await ok(at.eve.delete(`/api/servers/${at.server_id}/members/@me`))
      await ok(at.alice.delete(`/api/servers/${at.server_id}/members/${at.robin.id}`))
    },
  },
  'losing a role': {
    lose: (at) =>
      both(at, ({ id }) => ok(at.alice.delete(`/api/servers/${at.server_id}/members/${id}/roles/${at.guests}`))),
    isByRole: true,
    stays: true,
  },
  'the deletion of a role': {
    lose: (at) => ok(at.alice.delete(`/api/roles/${at.guests}`)),
    isByRole: true,
    stays: true,
  },
  'an overwrite of the channel': {
    lose: (at) => ok(at.alice.put(`/api/channels/${at.nest}/permissions/${at.guests}`, { deny: at.view })),
    stays: true,
  },
  'an overwrite of the category': {
    lose: (at) => ok(at.alice.put(`/api/channels/${at.wood}/permissions/${at.everyone}`, { deny: at.view })),
    stays: true,
  },
  'a move into a private category': {
    lose: async (at) => {
      const den = await at.make('den', 'category')
      await ok(at.alice.put(`/api/channels/${den}/permissions/${at.everyone}`, { deny: at.view }))
      await ok(
        at.alice.put(`/api/servers/${at.server_id}/channels/order`, [{ id: at.nest, parent_id: den, position: 0 }]),
      )
    },
    stays: true,
  },
  'the deletion of the channel': { lose: (at) => ok(at.alice.delete(`/api/channels/${at.nest}`)), stays: true },
  'the deletion of the server': { lose: (at) => ok(at.alice.delete(`/api/servers/${at.server_id}`)) },
}

for (const [name, { lose, isByRole = false, stays = false }] of Object.entries(ways))
  test(`after ${name} nothing leads to a message any more`, async () => {
    const at = await scene(parley, isByRole)
    const { alice, eve, robin } = at
    await parley.sweep()
    const device = await subscribe(service, eve)
    const read = async (who: Person, [method, path, , body]: ReturnType<typeof readings>[0]) =>
      method === 'get' ? who.get(`/api/${path}`) : who.post(`/api/${path}`, body)
    for (const who of [eve, robin])
      for (const reading of readings(at)) {
        if (who === robin && ofPeople.test(reading[1])) continue
        const { body } = await read(who, reading)
        if (reading[2])
          expect([reading[1], JSON.stringify(body)]).toEqual([reading[1], expect.stringMatching(reading[2])])
      }
    expect((await ok(eve.get(`/api/messages/${at.copy}`))).forwarded.message_id).toBe(at.other)

    const live = await Promise.all([eve, robin].map((who) => connect(who)))
    const eveSocket = await connect(eve)
    await eveSocket.settled()
    const s = newestS(eveSocket)
    eveSocket.close()
    await eveSocket.closed
    await say(alice, at.nest, `A razorbill <@${eve.id}>`)
    await lose(at)
    for (const each of live) await each.settled()
    const before = live.map(({ frames }) => frames.length)
    // Later messages there.
    if (name !== 'the deletion of the channel' && name !== 'the deletion of the server') {
      await ok(alice.put(`/api/messages/${at.target}`, { content: 'A fulmar' }))
      await ok(alice.put(`/api/messages/${at.target}/reactions/🦉/@me`))
      await say(alice, at.thread, 'A fulmar')
      await say(alice, at.nest, `A fulmar <@${eve.id}>`)
      await ok(alice.delete(`/api/channels/${at.nest}/pins/${at.target}`))
    }
    const secret = /kittiwake|puffin|razorbill|fulmar|Mine|download_url|newest_id|nest"/i
    for (const who of [eve, robin])
      for (const reading of readings(at)) {
        const { status, body } = await read(who, reading)
        expect([reading[1], status, JSON.stringify(body) ?? '']).toEqual([
          reading[1],
          expect.any(Number),
          expect.not.stringMatching(secret),
        ])
      }
    for (const who of [eve, robin])
      for (const [method, path, body] of acts(at)) {
        const { status } = await who[method](`/api/${path}`, body)
        expect([path, status >= 400]).toEqual([path, true])
      }
    const copy = await eve.get(`/api/messages/${at.copy}`)
    const isThere = name !== 'the deletion of the channel'
    const unnamed = { message_id: null, channel_id: null, author: null, content: isThere ? 'A guillemot' : null }
    if (stays) expect(copy.body.forwarded).toEqual(unnamed)
    else expect(copy.status).toBe(404)

    // The gateway: live, resumed and afresh; and devices.
    await parley.sweep()
    for (const [n, each] of live.entries()) {
      await each.settled()
      expect(JSON.stringify(each.frames.slice(before[n]))).not.toMatch(/fulmar|puffin/i)
      each.close()
    }
    const back = await resume(eve, s)
    await back.settled()
    expect([isResumed(back), JSON.stringify(back.frames)]).toEqual([
      expect.any(Boolean),
      expect.not.stringMatching(/kittiwake|puffin|razorbill|fulmar|nest"/i),
    ])
    for (const who of [eve, robin]) {
      const anew = await connect(who)
      await anew.next('synced')
      expect(JSON.stringify(anew.frames)).not.toMatch(/kittiwake|puffin|razorbill|fulmar|nest"/i)
      const [ready] = anew.of('ready')
      expect(ready?.d.read_marks?.map((mark: { channel_id: number }) => mark.channel_id) ?? []).not.toContain(at.nest)
      anew.close()
    }
    back.close()
    await settled(parley)
    expect(device.texts().join()).not.toMatch(/razorbill|fulmar/)
  })

test('after a thread is deleted, or a message, nothing leads to either', async () => {
  const at = await scene(parley, false)
  const { alice, eve } = at
  await parley.sweep()
  const live = await connect(eve)
  await live.settled()
  const s = newestS(live)
  await ok(alice.delete(`/api/channels/${at.thread}`))
  await ok(alice.delete(`/api/messages/${at.target}`))
  for (const who of [eve, at.robin])
    for (const [method, path, , body] of readings(at)) {
      const { body: payload } = await (method === 'get' ? who.get(`/api/${path}`) : who.post(`/api/${path}`, body))
      // The notice of the thread's beginning keeps the original name.
      expect([path, JSON.stringify(payload) ?? '']).toEqual([
        path,
        expect.not.stringMatching(/kittiwake|puffin|download_url/),
      ])
    }
  const stays = [`messages/${at.own}`, `notifications/channels/${at.nest}`]
  for (const [method, path, body] of acts(at).filter(([, path]) => !stays.includes(path))) {
    // The sender gets its own content back.
    if (JSON.stringify(body ?? '').includes('Mine')) continue
    expect([path, (await eve[method](`/api/${path}`, body)).status >= 400]).toEqual([path, true])
  }
  const back = await resume(eve, s)
  await back.settled()
  expect(JSON.stringify(back.frames)).not.toMatch(/kittiwake|puffin/)
  for (const each of [live, back]) each.close()
})

test('a person who is removed from a group, leaves it or is blocked receives nothing further', async () => {
  for (const way of ['removed', 'leaves', 'blocked'] as const) {
    const [alice, eve, carol] = await passersBy(parley, 'alice', 'eve', 'carol')
    const home = await group(alice, eve, carol)
    const { id } = await say(alice, home, `A kittiwake <@${eve.id}>`)
    const direct = await write(alice, eve, 'A dunlin')
    const answer = await write(eve, alice, 'A knot, too')
    const device = await subscribe(service, eve)
    const live = await connect(eve)
    await live.settled()
    const s = newestS(live)
    await say(alice, home, `A razorbill <@${eve.id}>`)
    await write(alice, eve, 'A knot')
    if (way === 'removed') await ok(alice.delete(`/api/channels/${home}/recipients/${eve.id}`))
    if (way === 'leaves') await ok(eve.delete(`/api/channels/${home}/recipients/${eve.id}`))
    if (way === 'blocked') await ok(alice.post(`/api/friends/${eve.id}/block`))
    await live.settled()
    const before = live.frames.length
    if (way === 'blocked') {
      // Both keep earlier messages; neither gets new ones.
      expect((await eve.post('/api/dm/messages', { recipient_id: alice.id, content: 'x' })).status).toBe(403)
      const forwarded = { recipient_id: alice.id, forward_message_id: direct.id }
      expect((await eve.post('/api/dm/messages', forwarded)).status).toBe(403)
      await ok(eve.get(`/api/messages/${direct.id}`))
      const other = await connect(alice)
      await live.command('typing.start', { channel_id: direct.channel_id })
      await ok(alice.post(`/api/dm/${eve.id}/read-all`))
      await other.settled()
      expect(other.frames.filter(({ t }) => t === 'typing.started')).toEqual([])
      expect((await ok(eve.get(`/api/messages/${answer.id}`))).read_at).toBeNull()
      other.close()
    } else {
      const { body } = await carol.post(`/api/channels/${home}/messages`, { content: `A fulmar <@${eve.id}>` })
      for (const path of [`messages/${id}`, `messages/${body.id}`, `channels/${home}/messages`, `channels/${home}`])
        expect((await eve.get(`/api/${path}`)).status).toBe(404)
      for (const path of ['mentions', 'search?q=kittiwake', `unread?channel_ids=${home}`, 'channels/direct'])
        expect(JSON.stringify((await eve.get(`/api/${path}`)).body)).not.toMatch(/kittiwake|razorbill|fulmar|newest_id/)
      expect((await eve.post('/api/dm/messages', { recipient_id: alice.id, forward_message_id: id })).status).toBe(422)
      const back = await resume(eve, s)
      await back.settled()
      expect(JSON.stringify([...back.frames, ...live.frames.slice(before)])).not.toMatch(/razorbill|fulmar/)
      back.close()
      await settled(parley)
      expect(device.texts().join()).not.toMatch(/razorbill|fulmar/)
    }
    live.close()
  }
})

test('an avatar and an icon do not reveal where their file was posted', async () => {
  const at = await scene(parley, true)
  const [file] = (await ok(at.alice.get(`/api/messages/${at.target}`))).files
  await ok(at.alice.put('/api/auth/avatar', { avatar_file_id: file.id }))
  await ok(at.alice.delete(`/api/servers/${at.server_id}/members/${at.eve.id}`))
  // The owner made the picture public; the message that carries it is not.
  expect((await ok(at.alice.get(`/api/files/${file.id}`))).message_id).toBe(at.target)
  const text = JSON.stringify(await ok(at.eve.get(`/api/files/${file.id}`)))
  expect(text).not.toContain(`"message_id":${at.target}`)
})
