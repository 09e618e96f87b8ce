import { expect, test } from 'bun:test'
import { newServer, type Person, standard } from '../../support/harness.ts'
import { passersBy } from '../../support/people.ts'
import { addRule, wordsRule } from '../../support/automod.ts'
import { publicPlace } from '../../support/public-pages.ts'
import { connect } from '../../support/socket.ts'
import { png, upload } from '../../support/uploads.ts'

const parley = await standard()
const picture = await png(8, 8)
/** How many messages a search finds. */
async function finds(who: Person, q: string): Promise<number> {
  await parley.sweep()
  return (await who.get(`/api/search?q=${q}`)).body.messages.length
}

test('only the uploader describes a file, also once it is sent; others read it, and the search finds it', async () => {
  const [alice, bob] = await passersBy(parley, 'alice', 'bob')
  const { channel_id } = await newServer(alice, bob)
  const file = await upload(alice, 'bird.png', 'image/png', picture)
  expect(file.alt).toBeNull()
  const path = `/api/files/${file.id}`
  expect((await bob.put(path, { alt: 'Mine' })).status).toBe(404)
  const described = await alice.put(path, { alt: '  A kingfisher on a branch\u202e ' })
  expect([described.status, described.body.alt]).toEqual([200, 'A kingfisher on a branch'])
  const his = await connect(bob)
  const sent = (await alice.post(`/api/channels/${channel_id}/messages`, { content: 'Look', file_ids: [file.id] })).body
  expect((await his.next('message.created')).d.files[0].alt).toBe('A kingfisher on a branch')
  expect((await bob.put(path, { alt: 'His' })).body.code).toBe('forbidden')
  expect(await finds(bob, 'kingfisher')).toBe(1)
  expect((await alice.put(path, { alt: 'An auk' })).status).toBe(200)
  const updated = await his.next('message.updated')
  expect([updated.d.id, updated.d.files[0].alt, updated.d.edited_at]).toEqual([sent.id, 'An auk', null])
  expect(await finds(bob, 'auk')).toBe(1)
  expect(await finds(bob, 'kingfisher')).toBe(0)
  expect((await alice.put(path, { alt: '' })).body.alt).toBeNull()
  expect((await alice.put(path, { alt: 'x'.repeat(1001) })).body.code).toBe('validation_failed')
  his.close()
})

test('a description is judged by AutoMod when its message is sent, and when it changes', async () => {
  const [alice, bob] = await passersBy(parley, 'alice', 'bob')
  const { server_id, channel_id } = await newServer(alice, bob)
  await addRule(alice, server_id, wordsRule(['heron']))
  const file = await upload(bob, 'bird.png', 'image/png', picture)
  const path = `/api/files/${file.id}`
  await bob.put(path, { alt: 'A heron' })
  const send = () => bob.post(`/api/channels/${channel_id}/messages`, { content: 'Look', file_ids: [file.id] })
  expect((await send()).body.code).toBe('automod_blocked')
  await bob.put(path, { alt: 'A bird' })
  expect((await send()).status).toBe(201)
  expect((await bob.put(path, { alt: 'A heron' })).body.code).toBe('automod_blocked')
  expect((await bob.get(path)).body.alt).toBe('A bird')
})

test('a public page describes a picture by the text that its uploader gave it, or else by its name', async () => {
  const [alice] = await passersBy(parley, 'alice')
  const { server_id, open_id } = await publicPlace(alice)
  const file_ids: number[] = []
  for (const name of ['auk.png', 'dsc_0815.png']) file_ids.push((await upload(alice, name, 'image/png', picture)).id)
  expect((await alice.post(`/api/channels/${open_id}/messages`, { content: '', file_ids })).status).toBe(201)
  const path = `/p/${server_id}/${open_id}`
  const descriptions = async () => {
    const html = await (await fetch(parley.url + path)).text()
    const { messages } = (await (await fetch(`${parley.url}${path}.json`)).json()) as any
    const alts = [...html.matchAll(/ alt="([^"]*)"/g)].map(([, alt]) => alt)
    expect(messages[0].files.map(({ alt }: any) => alt)).toEqual(alts)
    return alts
  }
  expect(await descriptions()).toEqual(['auk.png', 'dsc_0815.png'])
  expect((await alice.put(`/api/files/${file_ids[1]}`, { alt: 'A kingfisher' })).status).toBe(200)
  expect(await descriptions()).toEqual(['auk.png', 'A kingfisher'])
})
