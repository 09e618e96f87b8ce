import { standard } from '../../support/harness.ts'
import { test } from 'bun:test'
import { LARGE_MEMBERS } from '../../../src/web/state/member-lists.ts'
import { Page } from '../../support/page.ts'
import { passersBy } from '../../support/people.ts'
import { place } from '../../support/places.ts'

const parley = await standard()
const { sql } = parley.parts

test('in a large server, the search suggests and understands people that the page does not know', async () => {
  const [olga] = await passersBy(parley, 'olga')
  const { server_id, channel_id } = await place(olga)
  const [first, second] = await Promise.all(
    ['first', 'second'].map((name) => olga.post(`/api/servers/${server_id}/channels`, { name, type: 'text' })),
  )
  await sql`with added as (
      insert into users (username, email, password_hash, display_name)
      select 'dozer-' || n, 'dozer-' || n || '@example.org', 'none', 'Dozer-' || n
      from generate_series(1, ${LARGE_MEMBERS}::int) n returning id)
    insert into members (server_id, user_id) select ${server_id}, id from added`
  // In different channels, or each would be shown as the context of the other.
  await sql`insert into messages (channel_id, author_id, content)
    select case username when 'dozer-77' then ${first?.body.id}::bigint else ${second?.body.id}::bigint end, id,
      'Snoring of ' || display_name from users where username in ('dozer-77', 'dozer-801')`
  await sql`delete from search_progress`
  await parley.sweep()
  const page = await Page.as(olga, `/c/${channel_id}`)
  await page.button('Search messages').click()
  const field = page.getByRole('combobox', { name: 'Search messages' })
  await field.pressSequentially('from:dozer-80')
  await page.getByRole('option', { name: 'Dozer-801' }).click()
  await page.sees('Snoring of Dozer-801')
  await page.misses(page.getByText('Snoring of Dozer-77'))
  // Typed as a whole, without a choice.
  await field.fill('snoring from:@dozer-77 ')
  await page.sees('Snoring of Dozer-77')
  await page.misses(page.getByText('Snoring of Dozer-801'))
  await page.leave()
})
