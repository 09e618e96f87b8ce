import { expect, test } from 'bun:test'
import { person, newServer, standard } from '../../support/harness.ts'

import { Page } from '../../support/page.ts'

const parley = await standard()

test('an invite to a server with nobody online shows only its number of members', async () => {
  const ann = await person(parley, 'ann')
  const { server_id } = await newServer(ann)
  const { body } = await ann.post('/api/invites', { server_id, expires_in: 0 })
  const guest = await Page.stranger(parley, `/invite/${body.code}`)
  await guest.sees('1 member')
  expect(await guest.locator('.counts').textContent()).toBe('1 member')
  await guest.leave()
})
