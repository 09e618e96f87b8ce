import { openApi } from './api.ts'
import type { Client } from './client.ts'
import type { Matter } from './judge.ts'
import { settles } from './patience.ts'
import { SERVERS } from './plan.ts'

/** Limit for calls to settle: a seat whose client is gone lasts 30 s. */
const CALLS_MS_MAX = 40_000
const AGAIN_MS = 500
const PAGE = 100
const DIARY_SHOWN = 15

/** Every acknowledged direct message exists once, and both clients have its last version. */
export async function judgeDirects({ clients, around: { ledger } }: Matter): Promise<void> {
  const { violations } = ledger
  const pairs = Map.groupBy(ledger.directs, ({ from, to }) => (from < to ? `${from} ${to}` : `${to} ${from}`))
  for (const sent of pairs.values()) {
    const [{ from, to }] = sent as [(typeof sent)[number]]
    const [one, other] = [clients[from], clients[to]]
    if (!one || !other) continue
    const { body } = await one.get(`/api/dm/${other.id}/messages?limit=${PAGE}`)
    for (const { nonce, id, content, edited, deleted } of sent) {
      const found = body.filter((row: { nonce: string }) => row.nonce === nonce)
      if (found.length > 1) violations.push(`${nonce} exists ${found.length} times`)
      if (deleted === 'yes' && found.length > 0) violations.push(`${nonce} was deleted and exists`)
      if (id === undefined || deleted) continue
      if (found[0]?.id !== id) violations.push(`${nonce} was acknowledged as ${id}, and is ${found[0]?.id} now`)
      else if (edited !== 'maybe' && found[0].content !== content) violations.push(`${nonce} is not as it was left`)
      for (const client of [one, other])
        if (client.model.messages.get(id)?.content !== found[0]?.content)
          violations.push(`client ${client.n} does not hold ${nonce} (${id}) as it is`)
    }
  }
  const acknowledged = ledger.directs.filter(({ id, deleted }) => id !== undefined && !deleted).length
  console.log(`  ${acknowledged} direct messages that both people have to hold`)
}

/**
 * Every living node, and every client, shows exactly the wanted members of each call. And each member
 * of a call is connected to the others: an offer to each is answered, by signalling, since no media flow here.
 */
export async function judgeCalls(matter: Matter): Promise<void> {
  let wrong: string[] = []
  const allRight = async () => {
    for (const { caller } of matter.clients) caller.offer()
    await Bun.sleep(AGAIN_MS)
    wrong = [...(await wrongInCalls(matter)), ...unheard(matter)]
    return wrong.length === 0
  }
  await settles(allRight, CALLS_MS_MAX, () => wrong.length)
  matter.around.ledger.violations.push(...wrong)
  const talking = matter.clients.filter(({ caller }) => caller.wants !== undefined).length
  const pairs = matter.clients.reduce((sum, { caller }) => sum + caller.company().audible.length, 0)
  console.log(`  ${talking} clients in calls at the end, who have answered ${pairs} offers of each other`)
}

/** A client's last commands and events of calls and connections. */
const callsOf = ({ diary }: Client): string =>
  diary
    .filter((line) => / (ready|synced|voice\.\w+) /.test(line))
    .slice(-DIARY_SHOWN)
    .map((line) => `\n      ${line}`)
    .join('')

/** Members of a call who do not know it, or whose peers are not exactly the others that want to be there. */
function unheard({ clients }: Matter): string[] {
  const calls = Map.groupBy(clients, ({ caller }) => caller.wants)
  return clients.flatMap(({ n, id, caller }) => {
    const others = (caller.wants === undefined ? [] : (calls.get(caller.wants) ?? [])).filter((one) => one.id !== id)
    const should = sorted(others.map((one) => one.id))
    const { peers, audible } = caller.company()
    if (sorted(peers) !== should) return `client ${n} is told of ${sorted(peers)} in its call, not ${should}`
    return sorted(audible) === should ? [] : `client ${n} hears ${sorted(audible)} in its call, not ${should}`
  })
}

const sorted = (ids: number[]): string => ids.toSorted((a, b) => a - b).join(' ')

async function wrongInCalls({ clients, world, cluster, around: { ledger } }: Matter): Promise<string[]> {
  const wrong = clients
    .filter(({ caller }) => !caller.isSettled())
    .map(({ n, caller }) => `client ${n} wants to be in ${caller.wants ?? 'no call'}, and is not there`)
  for (let server = 0; server < SERVERS; server++) {
    const lounge = world.places[server]?.channels.lounge ?? 0
    const there = sorted(clients.filter(({ caller }) => caller.wants === lounge).map(({ id }) => id))
    for (const { at, url } of cluster.living()) {
      const { status, body } = await openApi(url ?? '').call(
        clients[server]?.token ?? '',
        'GET',
        `/api/channels/${lounge}/voice-states`,
      )
      if (status !== 200) wrong.push(`node ${at} answers ${status} for the call of server ${server}`)
      else if (body.some((state: { reconnecting: boolean }) => state.reconnecting))
        wrong.push(`node ${at} shows somebody reconnecting in the call of server ${server}`)
      else {
        const ids: number[] = body.map((state: { user: { id: number } }) => state.user.id)
        if (sorted(ids) !== there)
          wrong.push(`node ${at} shows ${sorted(ids)} in the call of server ${server}, not ${there}`)
        for (const client of clients)
          if ((client.caller.wants === lounge) !== ids.includes(client.id))
            wrong.push(`client ${client.n} of this call was told:${callsOf(client)}`)
      }
    }
    for (const { n, caller } of clients) {
      const canSee = ledger.spans(n, server, 'lounge').at(-1)?.to === Infinity
      if (!canSee || caller.entered.has(world.places[server]?.server_id ?? 0)) continue
      const visibleCalls = sorted(
        [...caller.visibleCalls].flatMap(([id, channelId]) => (channelId === lounge ? [id] : [])),
      )
      if (visibleCalls !== there)
        wrong.push(`client ${n} is shown ${visibleCalls} in the call of server ${server}, not ${there}`)
    }
  }
  return wrong
}
