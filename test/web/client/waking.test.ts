import { expect, test } from 'bun:test'
import { openClient } from '../../../src/web/client/client.ts'
import { Line } from '../../support/browser/line.ts'
import { standard, until } from '../../support/harness.ts'
import { passersBy } from '../../support/people.ts'
import { stopwatch } from '../../support/stopwatch.ts'

const parley = await standard()
const [alice] = await passersBy(parley, 'alice')
/** Less than a connection that nobody woke takes to notice: it pings every 20 s, and waits 10 s for the answer. */
const NOTICED_MS_MAX = 9_000

test('a device that wakes up leaves a connection that died in its sleep, and keeps one that lives', async () => {
  const line = await Line.to(parley.url)
  const { gateway } = openClient({ base: line.url, token: alice.token, intents: [] })
  const states: string[] = []
  gateway.watch((state) => states.push(state))
  gateway.connect()
  await until(() => gateway.state === 'online')
  gateway.wake()
  await Bun.sleep(4_500)
  expect(states).toEqual(['connecting', 'online'])
  line.stall()
  gateway.wake()
  const passed = stopwatch()
  await until(() => states.length >= 5)
  expect(passed()).toBeLessThan(NOTICED_MS_MAX)
  expect(states).toEqual(['connecting', 'online', 'waiting', 'connecting', 'online'])
  gateway.disconnect()
  line.cut()
})
