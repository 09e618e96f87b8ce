import { z } from 'zod'
import { numberIn, parseBody } from './bodies.ts'
import type { Call, Reply } from './call.ts'
import { reasonOf } from './reasons.ts'
import { route } from './router.ts'

// The removal of inactive members. Parley keeps no record of who was online, so a member counts as inactive who joined
// earlier than the given number of days ago, and has never written in the server.

const DAY_MS = 86_400_000
const DAYS_DEFAULT = 7
const EARLIEST = '2015-01-01T00:00:00.000Z'

const PruneBody = z.object({
  days: z.int().min(1).max(30).nullish(),
  compute_prune_count: z.boolean().nullish(),
})

const prunePath = async (call: Call): Promise<string> =>
  `/api/servers/${await call.id('server', 'guild')}/members/prune`

/** A dry run of the removal. Members with roles are never removed. */
const tryPrune = async (call: Call, days: number): Promise<{ count: number; token: string }> =>
  call.own('POST', await prunePath(call), {
    dry_run: true,
    action: 'kick',
    joined_after: EARLIEST,
    joined_before: new Date(Date.now() - days * DAY_MS).toISOString(),
    never_wrote: true,
    ...reasonOf(call),
  })

async function count(call: Call): Promise<Reply> {
  const { days } = parseBody(PruneBody, { days: numberIn(call.query, 'days', 1000) })
  return { pruned: (await tryPrune(call, days ?? DAYS_DEFAULT)).count }
}

async function prune(call: Call): Promise<Reply> {
  const { days, compute_prune_count } = parseBody(PruneBody, call.body)
  const { count: pruned, token } = await tryPrune(call, days ?? DAYS_DEFAULT)
  await call.own('POST', await prunePath(call), { dry_run: false, token })
  return { pruned: compute_prune_count === false ? null : pruned }
}

export const pruneRoutes = [
  route('GET', '/guilds/:guild/prune', 'server', count),
  route('POST', '/guilds/:guild/prune', 'server', prune),
]
