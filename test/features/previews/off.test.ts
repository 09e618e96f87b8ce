import { expect, test } from 'bun:test'
import { person, newServer, say, standard } from '../../support/harness.ts'

// test/outside.test.ts runs this and counts every packet and every resolved name.
test('with LINK_PREVIEWS=off a link causes no request to a site or a name server', async () => {
  const parley = await standard()
  const alice = await person(parley, 'alice')
  const { channel_id } = await newServer(alice)
  const sent = await say(alice, channel_id, 'https://birds.example/ http://203.0.113.9/ http://cats.example/')
  await parley.sweep()
  expect((await alice.get(`/api/messages/${sent.id}`)).body.embeds).toEqual([])
  expect(await parley.parts.sql`select 1 from preview_jobs where message_id = ${sent.id}`).toHaveLength(0)
})
