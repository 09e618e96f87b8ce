import { expect, test } from 'bun:test'
import { newServer, type Person, person, standard } from '../../support/harness.ts'
import { Page } from '../../support/page.ts'
import { promote } from '../../support/ranks.ts'

const parley = await standard()

async function stage() {
  const people = await Promise.all(['ann', 'ben', 'cleo', 'dora'].map((name) => person(parley, name)))
  const [ann, ben, cleo, dora] = people as [Person, Person, Person, Person]
  const { server_id, channel_id } = await newServer(ann, ben, cleo, dora)
  await promote(dora, server_id, { position: 6, bits: [] })
  await promote(ben, server_id, { position: 5, bits: ['moderate_members', 'kick_members', 'view_audit_log'] })
  const path = `/app/servers/${server_id}/channels/${channel_id}`
  const open = async (who: Person) => {
    const page = await Page.as(who, path)
    await page.inServerMenu('Server settings')
    await page.locator('dialog nav button', { hasText: /^Members$/ }).click()
    await page.sees(page.field(`Select ${cleo.display_name}`))
    return page
  }
  return { ann, ben, cleo, dora, server_id, open }
}

test('a moderator kicks the selected members with one reason, and reads who was refused', async () => {
  const { ben, cleo, dora, server_id, open } = await stage()
  const page = await open(ben)
  await page.field(`Select ${cleo.display_name}`).check()
  await page.field(`Select ${dora.display_name}`).check()
  await page.sees('2 selected')
  expect(await page.button('Ban').count()).toBe(0)
  await page.button('Kick').click()
  await page.field(/^Reason/).fill('Flooding')
  await page.locator('dialog .footer .danger').click()
  await page.sees('Done for 1 member.')
  await page.sees('Refused for these members:')
  await page.button('Close').last().click()
  await page.misses(page.field(`Select ${cleo.display_name}`))
  const [entry] = (await ben.get(`/api/servers/${server_id}/audit-log?limit=1`)).body
  expect([entry.action, entry.target_id, entry.changes.reason.after]).toEqual(['member.kicked', cleo.id, 'Flooding'])
})

test('the owner filters members by name, gives the found ones a role, and opens their cases', async () => {
  const { ann, ben, cleo, server_id, open } = await stage()
  const path = `/api/servers/${server_id}`
  await ann.post(`${path}/roles`, { name: 'Warden', color: '#112233', permissions: 0 })
  await ann.post(`${path}/members/${cleo.id}/warnings`, { reason: 'Owl' })
  const page = await open(ann)
  await page.field('Name').fill(cleo.display_name)
  await page.misses(page.field(`Select ${ben.display_name}`))
  await page.button('Select all shown').click()
  await page.button('Give a role').click()
  await page.field('Role').last().selectOption('Warden')
  await page.locator('dialog .footer .danger').click()
  await page.sees(/Warden/)
  await page.until(async () => (await ann.get(`${path}/members/${cleo.id}/roles`)).body.length === 2)
  await page.button('1 case').click()
  await page.sees('Owl')
})
