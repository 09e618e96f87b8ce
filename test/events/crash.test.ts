import { expect, test } from 'bun:test'
import type { Parley } from '../../src/parley.ts'
import { type Answer, Person, person, newServer } from '../support/harness.ts'
import { connect, newestS } from '../support/socket.ts'
import { until } from '../support/until.ts'
import { dataDirectory, isAlive, postmasterOf, spawnParley, SPAWN_MS } from '../support/spawned.ts'

/** Sends with nonces, several at once, until the server is gone. Adds the ids of the 201 answers, by nonce. */
async function sendUntilDeath(
  who: Person,
  channel_id: number,
  alive: () => boolean,
  answered: Map<string, number>,
): Promise<void> {
  let next = 0
  const sender = async () => {
    while (alive()) {
      const nonce = `${who.username}-${next++}`
      const sent: Answer | undefined = await who
        .post(`/api/channels/${channel_id}/messages`, { content: nonce, nonce })
        .catch(() => undefined)
      if (sent?.status === 201) answered.set(nonce, sent.body.id)
    }
  }
  await Promise.all(Array.from({ length: 8 }, sender))
}

/** Every message of the channel, by nonce; fails for a duplicate. */
async function everything(who: Person, channel_id: number): Promise<Map<string, number>> {
  const found = new Map<string, number>()
  for (let path: string | undefined = `/api/channels/${channel_id}/messages?limit=100`; path;) {
    const { body, headers }: Answer = await who.get(path)
    for (const { nonce, id } of body) {
      expect(found.has(nonce)).toBe(false)
      found.set(nonce, id)
    }
    path = /<[^>]*?(\/api\/[^>]+)>/.exec(headers.get('link') ?? '')?.[1]
  }
  return found
}

/** The same account at the replacement of the killed server. */
const at = (parley: Parley, { id, username, email, display_name, token }: Person): Person =>
  new Person(parley, id, username, email, display_name, token)

test(
  'a killed server keeps every message that it acknowledged, once, and its events are replayed',
  async () => {
    const data = dataDirectory()
    let { parley, child } = await spawnParley(data)
    const [alice, bob] = [await person(parley, 'alice'), await person(parley, 'bob')]
    const { channel_id } = await newServer(alice, bob)
    const acknowledged = new Map<string, number>()
    const seen = new Set<number>()
    let s: number | undefined
    for (let kill = 0; kill < 3; kill++) {
      const live = await connect(at(parley, bob), s === undefined ? '' : `&s=${s}`)
      const burst = sendUntilDeath(
        at(parley, alice),
        channel_id,
        () => child.exitCode === null && child.signalCode === null,
        acknowledged,
      )
      // Kills during a series of sends, on a machine of any speed.
      const enough = acknowledged.size + 15
      await until(() => acknowledged.size >= enough, SPAWN_MS)
      const postmaster = postmasterOf(data) as number
      child.kill('SIGKILL')
      await child.exited
      expect((await live.closed).code).toBe(1006)
      await burst
      for (const frame of live.of('message.created')) seen.add(frame.d.id)
      s = newestS(live)
      ;({ parley, child } = await spawnParley(data))
      expect(isAlive(postmaster)).toBe(false)
    }
    const stored = await everything(at(parley, bob), channel_id)
    expect(acknowledged.size).toBeGreaterThan(30)
    for (const [nonce, id] of acknowledged) expect([nonce, stored.get(nonce)]).toEqual([nonce, id])
    const live = await connect(at(parley, bob), `&s=${s}`)
    expect(live.frames[0]?.d.resumed).toBe(true)
    for (const frame of live.of('message.created')) seen.add(frame.d.id)
    expect([...stored.values()].filter((id) => !seen.has(id))).toEqual([])
    // An unanswered send can be repeated with its nonce: the message exists once.
    const [nonce, id] = [...stored].at(-1) as [string, number]
    const again = await at(parley, alice).post(`/api/channels/${channel_id}/messages`, { content: nonce, nonce })
    expect([again.status, again.body.id]).toEqual([200, id])
    live.close()
    child.kill('SIGTERM')
    expect(await child.exited).toBe(0)
  },
  SPAWN_MS,
)
