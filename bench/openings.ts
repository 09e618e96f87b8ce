import { cpuMicroseconds, openChild, postgresMicroseconds, postmasterOf } from './processes.ts'
import { targetOf } from './http-connections.ts'
import { atLeast, atMost, type Figure, median } from './report.ts'
import { seed } from './seed.ts'
import { withServer } from './server.ts'
import { framesOf, kbOf, OF_BARE_MIN } from './sockets.ts'

/** Half of the accounts are in as many servers as an account can be, the others in ten. */
const ACCOUNTS = 400
const [MANY, FEW] = [100, 10]
const CHANNELS = 20
const ROUNDS = 7

const KB_MAX = 20
const OF_FEW_MAX = 2

const WHOLE = '&compress=deflate'
const LAZY = `${WHOLE}&servers=recent`

/** The last two: bare Bun that writes the bytes of the kind named. */
const KINDS = ['few whole', 'few lazy', 'many whole', 'many lazy', 'bare few whole', 'bare many lazy'] as const
type Kind = (typeof KINDS)[number]

const perKind = <T>(valueOf: (kind: Kind) => T) =>
  Object.fromEntries(KINDS.map((kind) => [kind, valueOf(kind)])) as Record<Kind, T>

/**
 * Openings of accounts in 10 and in 100 servers: all of them, or only the last used ones, against bare Bun that writes
 * the same bytes. By turns, in one process.
 */
export const openings = (): Promise<Figure[]> =>
  withServer(async (bench) => {
    const { sql, url } = bench
    const people = await seed(bench, {
      users: ACCOUNTS,
      servers: ACCOUNTS,
      servers_per_user: MANY,
      channels_per_server: CHANNELS,
    })
    // Odd accounts keep ten servers. In each channel something was said; each account has read four of five.
    await sql`delete from members m
      where user_id % 2 = 1 and (server_id - user_id + ${ACCOUNTS}) % ${ACCOUNTS} >= ${FEW}`
    await sql`insert into messages (channel_id, author_id, content)
      select c.id, 1, 'Owl ' || c.id from channels c order by random()`
    await sql`insert into read_marks (user_id, channel_id, message_id)
      select m.user_id, c.id, said.id from members m join channels c using (server_id)
      join messages said on said.channel_id = c.id where c.position % 5 > 0`
    await sql`vacuum analyze`
    const load = openChild('socket-load.ts')
    const bare = openChild('bare-server.ts')
    const [target, bareTarget] = [targetOf(url), targetOf(await bare.ask<string>('url'))]
    const paths = perKind((kind) =>
      people
        .filter(({ id }) => (id % 2 === 0) === kind.includes('many'))
        .map(({ token }) => `/ws?token=${token}${kind.includes('lazy') ? LAZY : WHOLE}`),
    )
    const frames = perKind<Awaited<ReturnType<typeof framesOf>>>(() => [])
    for (const kind of KINDS) frames[kind] = await framesOf(url, paths[kind][0] ?? '')
    const kb = perKind((kind) => [kbOf(frames[kind])])
    const ms = perKind<number[]>(() => [])
    const cpuMs = perKind<{ server: number; postgres: number }[]>(() => [])
    const used = () => ({
      server: cpuMicroseconds(bench.process.pid),
      postgres: postgresMicroseconds(postmasterOf(bench.data)),
    })
    // The first round reads the servers and compresses them.
    for (let round = 0; round <= ROUNDS; round++)
      for (const kind of round % 2 === 0 ? KINDS : KINDS.toReversed()) {
        const isBare = kind.startsWith('bare')
        if (isBare) await bare.ask('set_opening', frames[kind])
        const command = { target: isBare ? bareTarget : target, paths: paths[kind], synced: true }
        const before = used()
        const { took_s } = await load.ask<{ took_s: number }>('open', command)
        const after = used()
        const perOpening = (us: number) => us / 1000 / paths[kind].length
        if (round > 0) {
          ms[kind].push((took_s * 1000) / paths[kind].length)
          cpuMs[kind].push({
            server: perOpening(after.server - before.server),
            postgres: perOpening(after.postgres - before.postgres),
          })
        }
        await load.ask('close')
      }
    await load.stop()
    await bare.stop()
    return [...judge(kb, ms), ...judgeCpu(cpuMs)]
  })

function judge(kb: Record<Kind, number[]>, ms: Record<Kind, number[]>): Figure[] {
  const bytes = (kind: Kind, other: Kind, name: string, target: Figure['target']): Figure => ({
    name,
    unit: 'KB',
    parley: kb[kind],
    reference: { name: 'all servers', values: kb[other] },
    target,
  })
  const time = (kind: Kind, other: Kind, name: string, target: Figure['target'], reference: string): Figure => ({
    name,
    unit: 'ms',
    parley: ms[kind],
    reference: { name: reference, values: ms[other] },
    target,
  })
  const rates = (kind: Kind) => ms[kind].map((each) => 1000 / each)
  const againstBare = (kind: 'few whole' | 'many lazy', name: string): Figure => ({
    name,
    unit: 'sockets/s',
    parley: rates(kind),
    reference: { name: 'bare Bun that writes the same bytes', values: rates(`bare ${kind}`) },
    target: atLeast(OF_BARE_MIN, rates(kind), rates(`bare ${kind}`)),
  })
  const [many, few] = [median(kb['many lazy']), median(ms['many lazy']) / median(ms['few whole'])]
  return [
    bytes('few lazy', 'few whole', `bytes of an opening in ${FEW} servers, the last used ones`, undefined),
    bytes('many lazy', 'many whole', `the same in ${MANY} servers`, atMost(KB_MAX, many, `≤ ${KB_MAX} KB`)),
    time('few lazy', 'few whole', `an opening in ${FEW} servers, the last used ones`, undefined, 'all servers'),
    time('many lazy', 'many whole', `the same in ${MANY} servers`, undefined, 'all servers'),
    time(
      'many lazy',
      'few whole',
      `the same, against all of ${FEW} servers`,
      atMost(OF_FEW_MAX, few, `≤ ${OF_FEW_MAX} × of it`),
      `all of ${FEW} servers`,
    ),
    againstBare('few whole', `openings in ${FEW} servers, all of them`),
    againstBare('many lazy', `openings in ${MANY} servers, the last used ones`),
  ]
}

/** Processor time, which other work on the machine changes less than the time until all sockets are open. */
function judgeCpu(cpuMs: Record<Kind, { server: number; postgres: number }[]>): Figure[] {
  const [few, many] = [cpuMs['few whole'], cpuMs['many lazy']]
  const sum = (rounds: typeof few) => rounds.map(({ server, postgres }) => server + postgres)
  const reference = `all of ${FEW} servers`
  const figure = (name: string, of: (rounds: typeof few) => number[], target?: Figure['target']): Figure => ({
    name: `an opening in ${MANY} servers, processor time${name}`,
    unit: 'ms',
    parley: of(many),
    reference: { name: reference, values: of(few) },
    target,
  })
  const ratio = median(sum(many)) / median(sum(few))
  return [
    figure(' of the server and PostgreSQL', sum, atMost(OF_FEW_MAX, ratio, `≤ ${OF_FEW_MAX} × of it`)),
    figure(' of the server', (rounds) => rounds.map(({ server }) => server)),
    figure(' of PostgreSQL', (rounds) => rounds.map(({ postgres }) => postgres)),
  ]
}
