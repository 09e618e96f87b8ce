import { join } from 'node:path'
import type { Parley } from '../../../src/parley.ts'
import { type Person, person, newServer, say } from '../harness.ts'
import { befriend, write } from '../people.ts'
import { upload } from '../uploads.ts'

/** A server in use: people with names, roles, channels, and messages with replies, files and Markdown. */
export interface Scene {
  alice: Person
  bob: Person
  carol: Person
  server_id: number
  channel_id: number
}

const NAMES = { alice: 'Alice Winter', bob: 'Bob', carol: 'Carol', dora: 'Dóra', emil: 'Emil' }

async function people(parley: Parley): Promise<Person[]> {
  return Promise.all(
    Object.entries(NAMES).map(async ([name, display_name]) => {
      const who = await person(parley, name)
      await who.put('/api/auth/display-name', { display_name })
      return who
    }),
  )
}

/** Creates the scene, which alice owns. */
export async function setScene(parley: Parley): Promise<Scene> {
  const [alice, bob, carol, dora, emil] = (await people(parley)) as [Person, Person, Person, Person, Person]
  const { server_id, channel_id } = await newServer(alice, bob, carol, dora, emil)
  await alice.put(`/api/channels/${channel_id}`, { topic: 'What flew by today. Pictures welcome.' })
  for (const name of ['field-notes', 'trips'])
    await alice.post(`/api/servers/${server_id}/channels`, { name, type: 'text' })
  await alice.post(`/api/servers/${server_id}/channels`, { name: 'Hide', type: 'voice' })
  const role = await alice.post(`/api/servers/${server_id}/roles`, {
    name: 'Wardens',
    color: '#c0562b',
    permissions: 8194,
  })
  await alice.post(`/api/servers/${server_id}/members/${bob.id}/roles/${role.body.id}`)
  await converse(alice, bob, carol, channel_id)
  await befriend(alice, bob)
  await carol.post('/api/friends/request', { friend_id: alice.id })
  await write(bob, alice, 'Are you coming on Sunday?')
  await write(alice, bob, 'Yes! I bring the telescope.')
  await write(dora, alice, 'Lovely picture')
  await newServer(alice)
  await alice.post('/api/invites', { server_id })
  return { alice, bob, carol, server_id, channel_id }
}

async function converse(alice: Person, bob: Person, carol: Person, channel_id: number): Promise<void> {
  await say(bob, channel_id, 'Good morning! Anyone at the lake today?')
  const seen = await say(carol, channel_id, 'I was there at six. **Two kingfishers** at the old weir, and a heron.')
  await say(carol, channel_id, 'They come back every ten minutes or so.')
  const reply = { content: 'Pictures, please!', reply_to_id: seen.id }
  await bob.post(`/api/channels/${channel_id}/messages`, reply)
  const bytes = new Uint8Array(await Bun.file(join(import.meta.dir, 'kingfisher.webp')).arrayBuffer())
  const file = await upload(carol, 'kingfisher.webp', 'image/webp', bytes)
  const notes = await upload(
    carol,
    'sightings.csv',
    'application/octet-stream',
    new TextEncoder().encode('6:10;kingfisher\n'.repeat(90)),
  )
  await carol.post(`/api/channels/${channel_id}/messages`, { content: 'Here', file_ids: [file.id, notes.id] })
  await say(
    alice,
    channel_id,
    `Wonderful, <@${carol.id}>! What we bring on Sunday:\n- telescope\n- tea\n- \`field guide\``,
  )
  await say(alice, channel_id, '> They come back every ten minutes\nI timed it: https://example.org/kingfisher')
}

/** Untranslated names in the scene: people, channels, servers, files and topics. */
export async function namesAround(who: Person, server_id: number): Promise<string[]> {
  const paths = [`/api/servers/${server_id}/members`, `/api/servers/${server_id}/channels`, '/api/servers']
  const me = (await who.get('/api/auth/me')).body
  const lists = await Promise.all(paths.map((path) => who.get(path)))
  const names = [me, ...lists.flatMap(({ body }) => body)].flatMap(({ name, username, email, display_name, user }) =>
    [name, username, email, display_name, user?.display_name].filter((each) => typeof each === 'string'),
  )
  return [...names, 'Wardens', 'What flew by today. Pictures welcome.', 'kingfisher.webp', 'sightings.csv']
}
