import { expect } from 'bun:test'
import { LARGE_MEMBERS } from '../../src/web/state/member-lists.ts'
import { person, say, standard } from '../support/harness.ts'
import { faultsOf } from '../support/browser/axe.ts'
import { shoot, shootThemes } from '../support/browser/shots.ts'
import { browserTest, openBrowser, Visitor } from '../support/browser/visitor.ts'
import { passersBy } from '../support/people.ts'
import { place } from '../support/places.ts'
import { connect } from '../support/socket.ts'
import { until } from '../support/until.ts'

const browser = await openBrowser()
const parley = await standard()
const { sql } = parley.parts

/** More than two pages of the list, and more than fit on a screen. */
const ONLINE = 230
/** Few: a window of rows, with what stands above and below it. */
const ROWS_MAX = 70

const nameOf = (nth: number) => `Person ${String(nth).padStart(3, '0')}`

/** A server of more members than a page loads; some are online. */
async function largeServer() {
  const owner = await person(parley, 'olga')
  const online = await passersBy(parley, ...Array.from({ length: ONLINE }, (_, nth) => nameOf(nth + 1)))
  const there = await place(owner, ...online)
  await sql`with added as (
      insert into users (username, email, password_hash, display_name)
      select 'sleeper-' || n, 'sleeper-' || n || '@example.org', 'none', 'Sleeper ' || n
      from generate_series(1, ${LARGE_MEMBERS}::int) n returning id)
    insert into members (server_id, user_id) select ${there.server_id}, id from added`
  return { ...there, owner, online }
}

browserTest(
  browser,
  'a large server lists who is online by the rows on the screen, and finds others by their names',
  async (chromium) => {
    const { owner, online, server_id, channel_id } = await largeServer()
    const [first] = online
    if (!first) throw new Error('Nobody is online')
    await sql`update members set nickname = 'Zoltan' where server_id = ${server_id} and user_id = ${first.id}`
    await say(first, channel_id, 'Good morning')
    const sockets = await Promise.all(online.slice(1).map((who) => connect(who)))
    const visitor = await Visitor.as(chromium, owner, `/c/${channel_id}`)
    const { page } = visitor
    const requests: string[] = []
    page.on('request', (request) => requests.push(new URL(request.url()).pathname + new URL(request.url()).search))
    await visitor.sees('Zoltan')
    const list = page.getByRole('complementary', { name: 'Members' })
    await visitor.sees(list.getByRole('heading', { name: `Online · ${ONLINE}` }))
    await visitor.sees(list.getByRole('heading', { name: `Offline · ${LARGE_MEMBERS + 1}` }))
    await visitor.sees(list.getByRole('button', { name: nameOf(2) }))
    expect(await list.getByRole('listitem').count()).toBeLessThan(ROWS_MAX)
    expect(await faultsOf(visitor)).toEqual([])
    await shootThemes(visitor, 'large-server')
    await list.evaluate((element) => element.scrollTo(0, element.scrollHeight))
    await visitor.sees(list.getByRole('button', { name: nameOf(ONLINE) }))
    expect(await list.getByRole('listitem').count()).toBeLessThan(ROWS_MAX)
    await shoot(visitor, 'large-server-end')
    // Only pages of who is online, and single members: never the whole list.
    const whole = requests.filter((path) => path.includes('/members?') && !/[?&](ids|q)=/.test(path))
    expect(whole).toEqual([])
    await page.getByRole('textbox', { name: /^Message/ }).pressSequentially('@sleeper 77')
    await visitor.sees(page.getByRole('option', { name: 'Sleeper 77', exact: true }))
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    const sent = async () => (await owner.get(`/api/channels/${channel_id}/messages`)).body
    const [{ id }] = await sql<[{ id: number }]>`select id from users where username = 'sleeper-77'`
    await until(async () => (await sent()).some(({ content }: { content: string }) => content.trim() === `<@${id}>`))
    for (const socket of sockets) socket.close()
    await visitor.leave()
  },
)
