import { afterAll, expect, test } from 'bun:test'
import { tokenOf } from '../../src/discord/shapes/interactions.ts'
import { apng } from '../support/animations.ts'
import { type Act, alice, bob, bot, expectSameRights, parley, scene } from '../support/both-doors.ts'
import { unhurried } from '../support/bots.ts'
import { apiOf, snowflakeOf } from '../support/discord.ts'
import { stop } from '../support/harness.ts'
import { connect } from '../support/socket.ts'
import { upload } from '../support/uploads.ts'

// The same as both-doors.test.ts, of calls, orders, stickers and forms.

afterAll(() => stop(parley))
await unhurried(parley)

const sticker = async ({ server }: { server: { id: number } }) => {
  const file = await upload(alice, 'wren.png', 'image/png', apng(40))
  const draft = { name: 'Wren', alt: 'A wren hops', tags: 'bird', file_id: file.id }
  return (await alice.post(`/api/servers/${server.id}/stickers`, draft)).body
}
const member = ({ server }: { server: { id: number } }) => ({ server_id: server.id, user_id: bob.id })

const acts: Record<string, Act> = {
  'deafen a member': {
    needs: ['deafen_members'],
    own: (scene) => ({ op: 'voice.deafen_member', d: { ...member(scene), deafen: true } }),
    discord: (_, { guild, user }) => ['PATCH', `/guilds/${guild}/members/${user}`, { deaf: true }],
  },
  'mute a member': {
    needs: ['mute_members'],
    own: (scene) => ({ op: 'voice.mute_member', d: { ...member(scene), mute: true } }),
    discord: (_, { guild, user }) => ['PATCH', `/guilds/${guild}/members/${user}`, { mute: true }],
  },
  'change the tags of a sticker': {
    needs: ['manage_emoji'],
    prepare: sticker,
    own: (_, id) => ['PUT', `/api/stickers/${id}`, { tags: 'bird small' }],
    discord: (_, { guild, more }) => ['PATCH', `/guilds/${guild}/stickers/${more}`, { tags: 'bird small' }],
  },
  'delete a sticker': {
    needs: ['manage_emoji'],
    prepare: sticker,
    own: (_, id) => ['DELETE', `/api/stickers/${id}`],
    discord: (_, { guild, more }) => ['DELETE', `/guilds/${guild}/stickers/${more}`],
  },
  'list stickers': {
    needs: [],
    own: ({ server }) => ['GET', `/api/servers/${server.id}/stickers`],
    discord: (_, { guild }) => ['GET', `/guilds/${guild}/stickers`],
  },
  'move a role': {
    needs: ['manage_roles'],
    prepare: async ({ server }) => (await alice.post(`/api/servers/${server.id}/roles`, { name: 'Low' })).body,
    own: (_, id) => ['PUT', `/api/roles/${id}`, { position: 2 }],
    discord: (_, { guild, more }) => ['PATCH', `/guilds/${guild}/roles`, [{ id: more, position: 2 }]],
  },
}

for (const [name, act] of Object.entries(acts))
  test(`a bot may ${name} through both doors or through neither`, () => expectSameRights(act))

test('muting and deafening at once needs both rights, and is done or refused as a whole', async () => {
  const { server, bobRow } = await scene(['mute_members'])
  const { body } = await alice.get(`/api/servers/${server.id}/members?limit=10`)
  expect(body.length).toBe(3)
  const [{ created_at }] = (await parley.parts.sql`select created_at from users where id = ${bob.id}`) as any
  const user = snowflakeOf({ id: bobRow.user.id, created_at: created_at })
  const blocks = async () =>
    (
      await parley.parts.sql`select voice_muted, voice_deafened from members
      where server_id = ${server.id} and user_id = ${bob.id}`
    )[0]
  const edit = (change: object) =>
    fetch(`${apiOf(parley)}/v10/guilds/${snowflakeOf(server)}/members/${user}`, {
      method: 'PATCH',
      headers: { authorization: `Bot ${bot.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(change),
    }).then(async (answer) => [answer.status, ((await answer.json()) as { code?: number }).code])
  expect(await edit({ mute: true, deaf: true })).toEqual([403, 50013])
  expect(await blocks()).toEqual({ voice_muted: false, voice_deafened: false })
  // Nobody is in a call, so there is nobody to move.
  expect((await edit({ mute: true, channel_id: null }))[0]).toBe(404)
  expect(await blocks()).toEqual({ voice_muted: false, voice_deafened: false })
  expect((await edit({ mute: true }))[0]).toBe(200)
  expect(await blocks()).toEqual({ voice_muted: true, voice_deafened: false })
})

test('a bot shows a form only with the token of its interaction, through both doors, and only one', async () => {
  const { channel } = await scene([])
  const [command] = (await bot.put('/api/applications/@me/commands', [{ name: 'form', description: 'Shows a form' }]))
    .body
  // The other rights are those of the command, which people use.
  const gateway = await connect(bot)
  const begin = async () => {
    const draft = { kind: 'command', channel_id: channel.id, command_id: command.id }
    const begun = await alice.post('/api/interactions', draft)
    expect([begun.status, begun.body.code]).toEqual([201, undefined])
    return (await gateway.next('interaction.created', ({ d }) => d.id === begun.body.id)).d
  }
  const own = (d: any, token: string) => {
    const modal = {
      custom_id: 'form',
      title: 'A form',
      inputs: [{ custom_id: 'whom', label: 'Whom', select: { of: 'user' } }],
    }
    return bot.post(`/api/interactions/${d.id}/answer`, { kind: 'modal', token, modal }).then(({ status }) => status)
  }
  const discord = (d: any, token: string) => {
    const component = { type: 5, custom_id: 'whom' }
    const data = { custom_id: 'form', title: 'A form', components: [{ type: 18, label: 'Whom', component }] }
    return fetch(`${apiOf(parley)}/v10/interactions/1/${tokenOf({ id: d.id, token })}/callback`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ type: 9, data }),
    }).then(({ status }) => status)
  }
  for (const show of [own, discord]) {
    const d = await begin()
    const { token: foreign } = await begin()
    const outcomes: number[] = []
    for (const token of [foreign, d.token, d.token]) outcomes.push(Math.floor((await show(d, token)) / 100))
    expect([show.name, outcomes]).toEqual([show.name, [4, 2, 4]])
  }
  gateway.close()
})
