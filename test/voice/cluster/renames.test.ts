import { describe, expect, test } from 'bun:test'
import { RedisNodes } from '../../../src/cluster/redis-nodes.ts'
import { openLog } from '../../../src/core/log.ts'
import type { PublicUser } from '../../../src/core/schema.ts'
import { on } from '../../../src/voice/cluster/model.ts'
import { Renames } from '../../../src/voice/cluster/renames.ts'
import { until } from '../../support/harness.ts'
import { linkTo, redisProgram, redisServer } from '../../support/redis.ts'

const named = (id: number, display_name: string): PublicUser => ({
  id,
  display_name,
  avatar_file_id: null,
  kind: 'person',
})

/** Two processes that reach each other. */
async function twoNodes() {
  const redis = await redisServer()
  const links = [await linkTo(redis.url), await linkTo(redis.url)] as const
  const [own, owner] = [new RedisNodes(links[0], openLog('silent')), new RedisNodes(links[1], openLog('silent'))]
  let isReached = false
  owner.onMessage('ping', () => void (isReached = true))
  await until(() => {
    own.send(owner.id, 'ping', {})
    return isReached
  })
  const end = () => {
    for (const nodes of [own, owner]) nodes.stop()
    for (const link of links) link.stop()
  }
  return { redis, links, own, owner, end }
}

describe.if(redisProgram !== undefined)('new names of members whose call another process owns', () => {
  test('a name that Redis loses is sent until the call shows it, the newest one last; and then no more', async () => {
    const { redis, links, own, owner, end } = await twoNodes()
    const profiles = new Map([
      [1, named(1, 'Ann')],
      [2, named(2, 'Ben')],
    ])
    const names: string[] = []
    on(owner, 'voice.renamed', (_from, { user }) => {
      names.push(user.display_name)
      // The second account's seat has a reason to show another name.
      if (user.id === 1) profiles.set(user.id, user)
    })
    let isOpen = true
    const renames = new Renames({
      nodes: own,
      ownersOf: (userId) => (profiles.has(userId) ? [owner.id] : []),
      shownOf: (userId) => profiles.get(userId),
      isOpen: () => isOpen,
    })
    await redis.kill()
    await until(() => !links[0].isReady() && !links[1].isReady())
    isOpen = false
    renames.add(named(1, 'Anna'))
    renames.add({ ...named(1, 'Annabel'), created_at: 'x' } as PublicUser)
    renames.add(named(3, 'Cat'))
    // Attempts count only while messages get through.
    for (let beats = 0; beats < 100; beats++) renames.resend()
    await redis.restart()
    await until(() => links[0].isReady() && links[1].isReady())
    isOpen = true
    await until(() => {
      renames.resend()
      return profiles.get(1)?.display_name === 'Annabel'
    })
    expect(new Set(names)).toEqual(new Set(['Annabel']))
    renames.resend()
    renames.add(named(2, 'Benny'))
    for (let beats = 0; beats < 100; beats++) renames.resend()
    // Messages to one process arrive in order.
    renames.add(named(1, 'Ann'))
    await until(() => names.at(-1) === 'Ann')
    expect(names.filter((name) => name === 'Benny')).toHaveLength(21)
    expect(names.lastIndexOf('Annabel')).toBeLessThan(names.indexOf('Benny'))
    end()
  })

  test('a name is sent once for all events about it, and not again after its account has left the call', async () => {
    const { own, owner, end } = await twoNodes()
    let profile: PublicUser | undefined = named(1, 'Ann')
    let owners = [owner.id]
    const names: string[] = []
    on(owner, 'voice.renamed', (_from, { user }) => void names.push(user.display_name))
    const renames = new Renames({ nodes: own, ownersOf: () => owners, shownOf: () => profile, isOpen: () => true })
    for (let servers = 0; servers < 100; servers++) renames.add(named(1, 'Anna'))
    // The account leaves, gets another name, and is back with that one before the next beat.
    owners = []
    renames.add(named(1, 'Annabel'))
    owners = [owner.id]
    profile = named(1, 'Annabel')
    renames.resend()
    // Events that come late.
    renames.add(named(1, 'Annabel'))
    // Back to the earlier name, which the call still shows: the message with the other one is on its way.
    renames.add(named(1, 'Anne'))
    renames.add(named(1, 'Annabel'))
    renames.add(named(2, 'Ben'))
    await until(() => names.at(-1) === 'Ben')
    expect(names).toEqual(['Anna', 'Anne', 'Annabel', 'Ben'])
    end()
  })
})
