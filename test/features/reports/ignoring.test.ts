import { expect, test } from 'bun:test'
import { permissions } from '../../../src/core/permissions.ts'
import { say, standard } from '../../support/harness.ts'
import { passersBy } from '../../support/people.ts'
import { place, rank } from '../../support/places.ts'
import { report, reportsOf } from '../../support/reports.ts'
import { connect } from '../../support/socket.ts'

const parley = await standard()
const { sql } = parley.parts

test('a moderator does not see reports by an ignored account, others do, and it ends by itself', async () => {
  const [alice, mod, bob, dan, eve] = await passersBy(parley, 'alice', 'mod', 'bob', 'dan', 'eve')
  const { server_id, channel_id } = await place(alice, mod, bob, dan, eve)
  await rank(parley, server_id, permissions('moderate_members'), mod)
  const path = `/api/servers/${server_id}/ignored-reporters`
  expect((await mod.put(`${path}/${bob.id}`)).status).toBe(404)
  await report(bob, (await say(eve, channel_id, 'First')).id)
  expect((await mod.put(`${path}/${mod.id}`)).body.code).toBe('cannot_target_self')
  expect((await bob.put(`${path}/${bob.id}`)).status).toBe(403)
  const [row] = await reportsOf(mod, server_id)
  expect((await mod.put(`${path}/${bob.id}`)).status).toBe(204)
  expect((await mod.get(path)).body).toMatchObject([{ user: { id: bob.id } }])
  expect(await reportsOf(mod, server_id)).toEqual([])
  expect((await mod.get(`/api/reports/${row.id}`)).status).toBe(404)
  expect(await reportsOf(alice, server_id)).toHaveLength(1)

  const live = await connect(mod)
  const second = await say(eve, channel_id, 'Second')
  await report(bob, second.id)
  expect(await reportsOf(mod, server_id)).toEqual([])
  // Once somebody else reports it too, it is seen.
  await report(dan, second.id)
  await live.next('report.updated')
  expect(live.of('report.created')).toEqual([])
  expect(await reportsOf(mod, server_id)).toHaveLength(1)
  expect((await mod.delete(`${path}/${bob.id}`)).status).toBe(204)
  expect((await mod.delete(`${path}/${bob.id}`)).status).toBe(404)
  expect(await reportsOf(mod, server_id)).toHaveLength(2)
  await mod.put(`${path}/${bob.id}`)
  await sql`update ignored_reporters set until = now() - interval '1 second' where moderator_id = ${mod.id}`
  expect(await reportsOf(mod, server_id)).toHaveLength(2)
  await parley.sweep()
  expect(await sql`select 1 from ignored_reporters where moderator_id = ${mod.id}`).toHaveLength(0)
  live.close()
})
