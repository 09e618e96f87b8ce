import { expect } from 'bun:test'
import { person, newServer, standard } from '../support/harness.ts'

import { browserTest, openBrowser, Visitor } from '../support/browser/visitor.ts'

const parley = await standard()
const browser = await openBrowser()

browserTest(
  browser,
  'a page whose browser has logged in to another account loads anew for that account once it reconnects',
  async (chromium) => {
    const [alice, bob] = [await person(parley, 'alice'), await person(parley, 'bob')]
    const { server_id, channel_id } = await newServer(alice)
    const visitor = await Visitor.as(chromium, alice)
    const connections: { close(): Promise<void> }[] = []
    await visitor.page.routeWebSocket(/\/ws\?/, (socket) => {
      socket.connectToServer()
      connections.push(socket)
    })
    await visitor.page.goto(`${parley.url}/app/servers/${server_id}/channels/${channel_id}`)
    await visitor.sees(visitor.composer())
    await visitor.page.context().addCookies([{ name: 'session', value: bob.token, url: parley.url, httpOnly: true }])
    const loaded = visitor.page.waitForEvent('load')
    for (const connection of connections) await connection.close()
    await loaded
    await visitor.misses(visitor.composer())
    await visitor.sees(visitor.page.getByText(bob.display_name).first())
    expect(await visitor.page.getByText(alice.display_name).count()).toBe(0)
    await visitor.leave()
  },
)
