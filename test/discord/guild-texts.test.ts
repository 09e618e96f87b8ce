import { expect, test } from 'bun:test'
import { permissions } from '../../src/core/permissions.ts'
import { INTENT } from '../../src/discord/gateway/intents.ts'
import type { ServerSnapshot } from '../../src/gateway/snapshots.ts'
import { seeded } from '../support/happenings.ts'
import { type Person, say, standard } from '../support/harness.ts'
import {
  ALL_INTENTS,
  changesOf,
  Door,
  namesIn,
  scene,
  sorted,
  translated,
  wishesOf,
} from '../support/discord-servers.ts'

const parley = await standard()

const ROUNDS = 50

for (const seed of [3, 4]) {
  test(`each bot gets what a translation of its own gives it, after each random change (seed ${seed})`, async () => {
    const world = await scene(parley)
    const { server_id, bots, inCall } = world
    const random = seeded(seed)
    const pick = <T>(list: T[]): T => list[Math.floor(random() * list.length)] as T
    const change = changesOf(world, random)
    const door = new Door(parley)
    const intents = [ALL_INTENTS, INTENT.guilds, INTENT.guilds | INTENT.members]
    for (let round = 0; round < ROUNDS; round++) {
      const name = await change(round)
      const requests = bots.map((bot) => {
        const more = { intents: pick(intents), largeThreshold: pick([50, 250, 3]), voiceStates: [inCall] }
        return { bot, wishes: wishesOf(bot, more) }
      })
      // All at once, so that they share translations that are being made.
      const guilds = await Promise.all(
        requests.map(async ({ bot, wishes }) => door.guild(await door.snapshot(bot, server_id), wishes)),
      )
      for (const [at, { bot, wishes }] of requests.entries()) {
        const what = `${round}: ${name}, ${bot.display_name}`
        expect({ what, ...sorted(guilds[at]) }).toEqual({ what, ...sorted(await translated(bot, server_id, wishes)) })
      }
    }
    door.views.stop()
  })

  test(`a change while bots open a server shows none of them more than it saw or sees (seed ${seed})`, async () => {
    const world = await scene(parley)
    const { server_id, bots, selves, inCall } = world
    const random = seeded(seed + 100)
    const change = changesOf(world, random)
    const door = new Door(parley)
    const wishes = (bot: Person) => wishesOf(bot, { voiceStates: [inCall] })
    const names = (guild: any, at: number) => namesIn(guild, selves[at] ?? '')
    const namesNow = () =>
      Promise.all(bots.map(async (bot, at) => names(await translated(bot, server_id, wishes(bot)), at)))
    let before = await namesNow()
    for (let round = 0; round < ROUNDS; round++) {
      const changing = change(round)
      const openings = bots.flatMap((bot, at) =>
        [0, 1, 2].map(async (turn) => {
          // A snapshot may be older than the translation that it is sent with, and the other way round.
          const snapshot = await door.snapshot(bot, server_id)
          if (turn === 1) await changing
          return { at, seen: names(await door.guild(snapshot, wishes(bot)), at) }
        }),
      )
      const name = await changing
      const after = await namesNow()
      for (const { at, seen } of await Promise.all(openings)) {
        const [old = new Set(), now = new Set()] = [before[at], after[at]]
        const surplus = [...seen.difference(old.union(now))]
        const lacking = seen.size === 0 ? [] : [...old.intersection(now).difference(seen)]
        expect({ round, name, bot: bots[at]?.display_name, surplus, lacking }).toMatchObject({
          surplus: [],
          lacking: [],
        })
      }
      before = after
    }
    door.views.stop()
  })
}

test('a server is translated once for bots with different roles, until something in it changes', async () => {
  const { alice, server_id, channel_id, bots } = await scene(parley)
  const door = new Door(parley)
  /** The translation that all bots share. Those that come first, at the same moment, read the server by themselves. */
  const shared = async () => {
    for (;;) {
      const snapshots = await Promise.all(bots.map((bot) => door.snapshot(bot, server_id)))
      const texts = await Promise.all(snapshots.map((snapshot) => snapshot && door.guilds.of(snapshot.texts)))
      if (new Set(texts).size === 1 && texts[0]) return texts[0]
    }
  }
  const first = await shared()
  expect(await shared()).toBe(first)
  await say(alice, channel_id, 'An owl')
  const next = await shared()
  expect(next).not.toBe(first)
  expect(await shared()).toBe(next)
  door.views.stop()
})

test('a bot gets the overwrites of others only where it may list them, and never those of another bot', async () => {
  const { alice, server_id, channel_id, bots } = await scene(parley)
  const [plain, ruler, keeper, sitter] = bots as [Person, Person, Person, Person]
  for (const { id } of [plain, sitter])
    expect(
      (await alice.put(`/api/channels/${channel_id}/permissions/members/${id}`, { allow: permissions('pin_messages') }))
        .status,
    ).toBe(200)
  const door = new Door(parley)
  const listedBy = async (bot: Person) => {
    const guild = await door.guild(await door.snapshot(bot, server_id), wishesOf(bot))
    const { id } = guild.members.find(({ user }: any) => user.username === bot.display_name).user
    const rows: { id: string; type: number }[] = guild.channels.flatMap((one: any) => one.permission_overwrites)
    return { id, ofMembers: rows.filter(({ type }) => type === 1).map((row) => row.id) }
  }
  const [byPlain, byRuler, byKeeper, bySitter] = [
    await listedBy(plain),
    await listedBy(ruler),
    await listedBy(keeper),
    await listedBy(sitter),
  ]
  expect(byPlain.ofMembers).toEqual([byPlain.id])
  expect(bySitter.ofMembers).toEqual([bySitter.id])
  for (const { ofMembers } of [byRuler, byKeeper])
    expect(ofMembers.toSorted()).toEqual([byPlain.id, bySitter.id].toSorted())
  door.views.stop()
})

test('a bot that has lost a channel since its snapshot was read gets no threads of it', async () => {
  const { alice, server_id, channel_id, everyone, bots } = await scene(parley)
  const [plain, ruler] = bots as [Person, Person]
  const door = new Door(parley)
  const [ofPlain, ofRuler] = [await door.snapshot(plain, server_id), await door.snapshot(ruler, server_id)]
  const deny = permissions('view_channel')
  expect((await alice.put(`/api/channels/${channel_id}/permissions/${everyone}`, { deny })).status).toBe(200)
  expect((await alice.post(`/api/channels/${channel_id}/threads`, { name: 'A secret' })).status).toBe(201)
  expect((await door.guild(ofRuler, wishesOf(ruler))).threads).toMatchObject([{ name: 'A secret' }])
  expect((await door.guild(ofPlain, wishesOf(plain))).threads).toEqual([])
  door.views.stop()
})

test('what translations keep is counted with the cached servers, and makes room like these', async () => {
  const { server_id, bots } = await scene(parley)
  const [plain] = bots as [Person]
  const door = new Door(parley)
  const snapshot = (await door.snapshot(plain, server_id)) as ServerSnapshot
  const guild = await door.guild(snapshot, wishesOf(plain))
  expect(door.charged).toBeGreaterThan(JSON.stringify([guild.channels, guild.members, guild.roles]).length)
  const before = door.charged
  await door.guild(snapshot, wishesOf(plain))
  expect(door.charged).toBe(before)
  expect((await door.snapshot(plain, server_id))?.texts).toBe(snapshot.texts)
  door.views.charge(snapshot.texts, 64 * 1024 * 1024)
  expect((await door.snapshot(plain, server_id))?.texts).not.toBe(snapshot.texts)
  door.views.stop()
})
