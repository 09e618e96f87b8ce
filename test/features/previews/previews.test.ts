import { afterAll, describe, expect, test } from 'bun:test'
import { Destinations } from '../../../src/features/previews/destinations.ts'
import { PreviewPages } from '../../../src/features/previews/pages.ts'
import { WebFetcher } from '../../../src/features/previews/web-fetcher.ts'
import { addBot, botOf } from '../../support/bots.ts'
import { boot, type Person, newServer, say, stop, until } from '../../support/harness.ts'
import { befriend, passersBy, write } from '../../support/people.ts'
import { connect } from '../../support/socket.ts'
import { png } from '../../support/uploads.ts'
import { page, response, WebHost } from '../../support/web-host.ts'
import { post, webhook } from '../../support/webhooks.ts'

const parley = await boot({ LINK_PREVIEWS: 'on', PREVIEW_ALLOWED_ADDRESSES: '127.0.0.1' })
const { sql } = parley.parts
const web = await new WebHost().listen()
afterAll(async () => {
  await stop(parley)
  web.close()
})
const [alice, bob, carol] = (await passersBy(parley, 'alice', 'bob', 'carol')) as [Person, Person, Person]
const { server_id, channel_id } = await newServer(alice, bob, carol)

let pages = 0
/** A separate page that nobody has requested yet. */
const fresh = (html: string) => web.on(`/page${++pages}`, page(html))
const bird = () => fresh(`<title>Kingfisher ${pages}</title><meta name="description" content="A blue bird">`)
const get = async (who: Person, id: number) => (await who.get(`/api/messages/${id}`)).body
const suppress = (who: Person, id: number, suppressed = true) =>
  who.put(`/api/messages/${id}/embeds/suppressed`, { suppressed })
/** Sends a message, and waits until its links have been processed. @returns its id */
async function sent(who: Person, content: string): Promise<number> {
  const { id } = await say(who, channel_id, content)
  await parley.sweep()
  return id
}

describe('previews in servers', () => {
  test('come after the message, in an event to those who see it, without an edit', async () => {
    const picture = await png(1200, 600)
    web.on('/large.png', response(200, { 'content-type': 'image/png' }, picture))
    const link = fresh(`<title>Kingfishers</title><meta property="og:description" content="They dive">
      <meta property="og:site_name" content="Birds"><meta property="og:image" content="/large.png">
      <meta name="twitter:card" content="summary_large_image"><meta name="theme-color" content="#3af">`)
    const socket = await connect(bob)
    const before = await say(alice, channel_id, `Look: ${link}.`)
    expect(before.embeds).toEqual([])
    const { d } = await socket.next('message.updated', (frame) => frame.d.id === before.id, 15_000)
    expect(d.edited_at).toBeNull()
    expect(d.embeds).toEqual([
      {
        type: 'link',
        url: link,
        title: 'Kingfishers',
        description: 'They dive',
        color: '#33aaff',
        site_name: 'Birds',
        author: null,
        fields: [],
        image: { url: expect.stringMatching(/^\/media\/previews\/[0-9a-f]{32}\.webp$/), width: 512, height: 256 },
        thumbnail: null,
        footer: null,
        timestamp: null,
      },
    ])
    expect((await get(carol, before.id)).embeds).toEqual(d.embeds)
    const served = await fetch(parley.url + d.embeds[0].image.url)
    expect([served.status, served.headers.get('content-type')]).toEqual([200, 'image/webp'])
    expect(served.headers.get('cache-control')).toContain('immutable')
    expect(served.headers.get('x-content-type-options')).toBe('nosniff')
    expect(await new Bun.Image(await served.bytes()).metadata()).toMatchObject({ width: 512, height: 256 })
    // An object without a record.
    const name = `${'0'.repeat(32)}.webp`
    await parley.parts.objects.put(`previews/${name}`, picture, 'image/webp')
    expect((await fetch(`${parley.url}/media/previews/${name}`)).status).toBe(404)
    expect((await fetch(`${parley.url}/media/previews/..%2ffiles`)).status).toBe(404)
  })

  test('a page is fetched once for everybody, for any number of concurrent links', async () => {
    const link = bird()
    const ids = await Promise.all([alice, bob, carol].map(async (who) => (await say(who, channel_id, link)).id))
    await until(async () => {
      await parley.sweep()
      const all = await Promise.all(ids.map((id) => get(alice, id)))
      return all.every(({ embeds }) => embeds.length === 1)
    })
    await sent(bob, `${link}#part`)
    expect(web.count(new URL(link).pathname)).toBe(1)
    await sql`update preview_pages set fetched_at = now() - interval '61 minutes'`
    await sent(bob, link)
    expect(web.count(new URL(link).pathname)).toBe(2)
  })

  test('a page with nothing to show is not fetched again within the hour', async () => {
    const link = fresh('<p>nothing')
    for (let n = 0; n < 3; n++) expect((await get(alice, await sent(alice, link))).embeds).toEqual([])
    expect(web.count(new URL(link).pathname)).toBe(1)
  })

  test('five links get previews; those in code and in <…> do not', async () => {
    const links = Array.from({ length: 7 }, bird)
    const id = await sent(alice, `<${links[0]}> \`${links[1]}\` ${links.slice(1).join(' ')}`)
    expect((await get(alice, id)).embeds.map((embed: { url: string }) => embed.url)).toEqual(links.slice(1, 6))
    expect(web.count(new URL(links[0] ?? '').pathname)).toBe(0)
    expect(web.count(new URL(links[6] ?? '').pathname)).toBe(0)
  })

  test('a link to a picture shows it; one that lies, is too large or counts visits shows nothing', async () => {
    const type = (mime: string) => ({ 'content-type': mime })
    const pictureUrl = web.on('/bird.png', response(200, type('image/png'), await png(300, 200)))
    const [embed] = (await get(alice, await sent(alice, pictureUrl))).embeds
    expect(embed).toMatchObject({ type: 'image', url: pictureUrl, title: null, image: { width: 300, height: 200 } })
    const others = [
      web.on('/lying.png', response(200, type('image/png'), '<title>no</title>')),
      web.on('/other.gif', response(200, type('image/gif'), await png(300, 200))),
      web.on('/vector.svg', response(200, type('image/svg+xml'), '<svg xmlns="http://www.w3.org/2000/svg"/>')),
      web.on('/counter.png', response(200, type('image/png'), await png(1, 1))),
      web.on('/huge.png', response(200, type('image/png'), Buffer.alloc(8 * 1024 * 1024 + 1))),
      web.on('/cut.png', response(200, type('image/png'), (await png(300, 200)).subarray(0, 100))),
      web.on('/page.png', response(200, type('text/html'), await png(300, 200))),
    ]
    for (const link of others) expect([link, (await get(alice, await sent(alice, link))).embeds]).toEqual([link, []])
  })

  test('a picture that cannot be fetched leaves the preview without one', async () => {
    web.on('/not-there.png', response(404, {}))
    for (const image of [
      '/not-there.png',
      'http://10.0.0.1/x.png',
      'file:///etc/passwd',
      'data:image/png;base64,AAAA',
    ]) {
      const link = fresh(`<title>Bird</title><meta property="og:image" content="${image}">`)
      const [embed] = (await get(alice, await sent(alice, link))).embeds
      expect(embed).toMatchObject({ title: 'Bird', image: null, thumbnail: null })
    }
  })
})

describe('previews after edits and deletions', () => {
  test('an edit removes previews of removed links at once, and adds those of new ones', async () => {
    const [first, second] = [bird(), bird()]
    const id = await sent(alice, `${first} and`)
    expect((await alice.put(`/api/messages/${id}`, { content: `${first} or ${second}` })).body.embeds).toHaveLength(1)
    await parley.sweep()
    expect((await get(alice, id)).embeds.map(({ url }: { url: string }) => url)).toEqual([first, second])
    expect((await alice.put(`/api/messages/${id}`, { content: second })).body.embeds).toMatchObject([{ url: second }])
    expect((await alice.put(`/api/messages/${id}`, { content: 'none' })).body.embeds).toEqual([])
    await parley.sweep()
    expect((await get(alice, id)).embeds).toEqual([])
    expect(await sql`select * from preview_jobs`).toHaveLength(0)
  })

  test('a fetch for an outdated version is dropped', async () => {
    let release = () => {}
    const slow = web.on('/slow', async (socket) => {
      await new Promise<void>((resolve) => (release = resolve))
      socket.end(page('<title>Late</title>'))
    })
    const { id } = await say(alice, channel_id, slow)
    const deleted = await say(bob, channel_id, slow)
    const swept = parley.sweep()
    await until(() => web.count('/slow') === 1)
    await alice.put(`/api/messages/${id}`, { content: `changed ${slow}x` })
    await bob.delete(`/api/messages/${deleted.id}`)
    release()
    await swept
    await parley.sweep()
    expect((await get(alice, id)).embeds).toEqual([])
    expect(await sql`select * from preview_jobs where message_id = any(${[id, deleted.id]})`).toHaveLength(0)
  })

  test('the author and moderators hide them, and the audit log names moderators; others may not', async () => {
    const id = await sent(bob, bird())
    expect((await suppress(carol, id)).body.code).toBe('missing_permission')
    const socket = await connect(carol)
    expect((await suppress(bob, id)).body).toMatchObject({ embeds: [], embeds_suppressed: true, edited_at: null })
    const update = (await socket.next('message.updated', ({ d }) => d.id === id)).d
    expect(update).toMatchObject({ embeds: [], embeds_suppressed: true })
    const message = (await suppress(bob, id, false)).body
    expect(message.embeds).toHaveLength(1)
    expect('embeds_suppressed' in message).toBe(false)
    expect((await suppress(alice, id)).body.embeds).toEqual([])
    const entries = (await alice.get(`/api/servers/${server_id}/audit-log`)).body
    expect(entries[0]).toMatchObject({
      action: 'message.embeds_suppressed',
      target_id: id,
      changes: { author_id: { after: bob.id }, suppressed: { after: true } },
    })
    expect(entries.filter(({ action }: { action: string }) => action === 'message.embeds_suppressed')).toHaveLength(1)
    // An edit of a message whose previews are hidden fetches nothing.
    const link = bird()
    await bob.put(`/api/messages/${id}`, { content: link })
    await parley.sweep()
    expect(web.count(new URL(link).pathname)).toBe(0)
    // Once previews are shown again, the new link is processed.
    await suppress(bob, id, false)
    await parley.sweep()
    expect((await get(bob, id)).embeds).toMatchObject([{ url: link }])
  })

  test('hiding needs the same rights as an edit, and hiding again is announced to nobody', async () => {
    const id = await sent(bob, bird())
    const socket = await connect(carol)
    for (const who of [bob, bob, alice]) expect((await suppress(who, id)).body).toMatchObject({ id, embeds: [] })
    await suppress(bob, id, false)
    await socket.next('message.updated', ({ d }) => d.id === id && d.embeds.length === 1)
    expect(socket.of('message.updated').filter(({ d }) => d.id === id)).toHaveLength(2)
    const timeout = (timed_out_until: string | null) =>
      alice.put(`/api/servers/${server_id}/members/${bob.id}`, { timed_out_until })
    await timeout(new Date(Date.now() + 600_000).toISOString())
    expect((await suppress(bob, id)).body.code).toBe('missing_permission')
    await timeout(null)
    const direct = await write(carol, bob, 'https://birds.example/')
    expect((await suppress(carol, direct.id)).body).toMatchObject({ id: direct.id, sender_id: carol.id })
    await bob.post(`/api/friends/${carol.id}/block`)
    expect((await suppress(carol, direct.id, false)).body.code).toBe('cannot_contact')
    await bob.post(`/api/friends/${carol.id}/unblock`)
  })

  test('a deleted message takes along its pictures, unless another message shows them', async () => {
    web.on('/shared.png', response(200, { 'content-type': 'image/png' }, await png(200, 200)))
    const link = fresh('<title>Bird</title><meta property="og:image" content="/shared.png">')
    const ids = [await sent(alice, link), await sent(alice, link)]
    const { url } = (await get(alice, ids[0] ?? 0)).embeds[0].thumbnail
    const served = async () => (await fetch(parley.url + url)).status
    const later = async () => {
      await sql`update preview_pictures set created_at = now() - interval '3 hours'`
      await sql`update preview_picture_checks set due_at = now()`
      await parley.sweep()
      await parley.sweep()
    }
    await alice.delete(`/api/messages/${ids[0]}`)
    await later()
    expect(await served()).toBe(200)
    await alice.delete(`/api/messages/${ids[1]}`)
    await later()
    expect(await served()).toBe(404)
  })
})

describe('direct messages and groups', () => {
  test('get previews only while everybody there wants them', async () => {
    await befriend(alice, bob)
    const link = bird()
    const setting = (who: Person, link_previews: boolean) => who.put('/api/auth/privacy', { link_previews })
    expect((await alice.get('/api/auth/privacy')).body.link_previews).toBe(false)
    const previewOf = async () => {
      const { id } = await write(alice, bob, link)
      await parley.sweep()
      return (await get(bob, id)).embeds.length
    }
    expect(await previewOf()).toBe(0)
    expect((await setting(alice, true)).body.link_previews).toBe(true)
    expect(await previewOf()).toBe(0)
    expect(web.count(new URL(link).pathname)).toBe(0)
    await setting(bob, true)
    const socket = await connect(bob)
    expect(await previewOf()).toBe(1)
    expect((await socket.next('message.updated')).d).toMatchObject({
      edited_at: null,
      sender_id: alice.id,
      read_at: null,
    })
    await befriend(alice, carol)
    const group = (await alice.post('/api/channels/direct', { recipient_ids: [bob.id, carol.id] })).body
    const inGroup = async () => {
      const { id } = await say(alice, group.id, link)
      await parley.sweep()
      return (await get(bob, id)).embeds.length
    }
    expect(await inGroup()).toBe(0)
    await setting(carol, true)
    expect(await inGroup()).toBe(1)
    await setting(bob, false)
    expect([await inGroup(), await previewOf()]).toEqual([0, 0])
  })
})

describe('bounds', () => {
  test('an account has a share of the queue and of the pages of an hour', async () => {
    const [mallory] = (await passersBy(parley, 'mallory')) as [Person]
    const own = await newServer(mallory)
    await sql`insert into preview_pages (hash, asked_by) select sha256(n::text::bytea), ${mallory.id}
      from generate_series(1, 199) n`
    const links = [bird(), bird()]
    for (const link of links) {
      await say(mallory, own.channel_id, link)
      await parley.sweep()
    }
    expect(links.map((link) => web.count(new URL(link).pathname))).toEqual([1, 0])
    const link = bird()
    expect((await get(alice, await sent(alice, link))).embeds).toHaveLength(1)
    // Bots count towards their owner's share.
    const bot = await botOf(mallory, 'Spider')
    await addBot(mallory, own.server_id, bot)
    const webhooks = [await webhook(mallory, own.channel_id), await webhook(mallory, own.channel_id)]
    await sql`update webhooks set creator_id = ${bot.id} where id = ${webhooks[1]?.id ?? 0}`
    const more = [bird(), bird(), bird()]
    await say(bot, own.channel_id, more[0] ?? '')
    for (const [at, { url }] of webhooks.entries())
      expect((await post(mallory, url, { content: more[at + 1] })).status).toBe(204)
    await parley.sweep()
    expect(more.map((each) => web.count(new URL(each).pathname))).toEqual([0, 0, 0])
  })

  test('a hostile page of any speed leaves no preview and no connection', async () => {
    const drip = web.on('/drip', async (socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<title>')
      while (!socket.destroyed) {
        socket.write('x')
        await Bun.sleep(20)
      }
    })
    const fetcher = new WebFetcher(
      new Destinations({ ...parley.parts.environment, PREVIEW_ALLOWED_ADDRESSES: ['127.0.0.1'] }),
    )
    const hurried = new PreviewPages(parley.parts, fetcher, 400)
    expect(await hurried.preview(drip, alice.id)).toBeUndefined()
    await until(() => web.open === 0)
  })
})
