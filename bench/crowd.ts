import { obey } from './children.ts'
import { textFrame } from './frames.ts'
import { openLane, type Target } from './lanes.ts'
import { openPeer, type Peer } from './peers.ts'

// A program: a crowd of clients on one server, ordered about by a figure.
const OPENING_AT_ONCE = 32
const DELIVERY_SECONDS_MAX = 30
const PING = textFrame('{"op":"ping","id":1}')

const peers: Peer[] = []
const lost: string[] = []
/** How many have received the message of that number. */
let counts: number[] = []
let onLast: (message: number) => void = () => {}
const pinged = new Map<Peer, number>()
let pings_ms: number[] = []

const listener = {
  message(peer: Peer) {
    const message = peer.received++
    const count = (counts[message] ?? 0) + 1
    counts[message] = count
    if (count === peers.length) onLast(message)
  },
  answer(peer: Peer) {
    pings_ms.push(performance.now() - (pinged.get(peer) ?? 0))
    pinged.delete(peer)
  },
  lost: (why: string) => void lost.push(why),
}

interface Opening {
  target: Target
  paths: string[]
  /** Whether the server says when a beginning is over. */
  synced: boolean
}

async function open({ target, paths, synced }: Opening) {
  const started = performance.now()
  const left = [...paths]
  await Promise.all(
    Array.from({ length: OPENING_AT_ONCE }, async () => {
      for (let path = left.pop(); path !== undefined; path = left.pop()) {
        const peer = await openPeer(target, path, listener)
        peers.push(peer)
        if (synced) await peer.synced
      }
    }),
  )
  return { took_s: (performance.now() - started) / 1000 }
}

interface Sending {
  target: Target
  request: string
  messages: number
}

/** Waits until every client has received as many messages; when each was complete. */
function receive(messages: number): Promise<number[]> {
  counts = []
  for (const peer of peers) peer.received = 0
  const completed: number[] = []
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error(`${completed.length} of ${messages} messages reached everyone; ${lost[0] ?? ''}`)),
      DELIVERY_SECONDS_MAX * 1000,
    )
    onLast = (message) => {
      completed[message] = performance.now()
      if (message !== messages - 1) return
      clearTimeout(timer)
      resolve(completed)
    }
  })
}

async function post(lane: { send(request: string): Promise<number> }, request: string): Promise<void> {
  const status = await lane.send(request)
  if (status !== 201) throw new Error(`A POST was answered with ${status}`)
}

/** As many messages as fast as so many POSTs in flight carry them. */
async function flood({ target, request, messages, in_flight }: Sending & { in_flight: number }) {
  const lanes = await Promise.all(Array.from({ length: in_flight }, () => openLane(target)))
  const received = receive(messages)
  const started = performance.now()
  let left = messages
  const senders = lanes.map(async (lane) => {
    while (left-- > 0) await post(lane, request)
  })
  const [completed] = await Promise.all([received, ...senders])
  for (const lane of lanes) lane.close()
  const took_s = ((completed as number[])[messages - 1] as number) / 1000 - started / 1000
  return { deliveries_per_s: (messages * peers.length) / took_s }
}

/** Messages at a steady rate: milliseconds from each POST to its last delivery. */
async function paced({ target, request, messages, per_s }: Sending & { per_s: number }) {
  const lanes = await Promise.all(Array.from({ length: 8 }, () => openLane(target)))
  const received = receive(messages)
  const sent: number[] = []
  const started = performance.now()
  const answers: Promise<void>[] = []
  for (let n = 0; n < messages; n++) {
    const wait = started + (n * 1000) / per_s - performance.now()
    if (wait > 0) await Bun.sleep(wait)
    const lane = lanes[n % lanes.length]
    sent[n] = performance.now()
    if (lane) answers.push((answers[n - lanes.length] ?? Promise.resolve()).then(() => post(lane, request)))
  }
  const [completed] = await Promise.all([received, ...answers])
  for (const lane of lanes) lane.close()
  return { ms: (completed as number[]).map((at, n) => at - (sent[n] as number)) }
}

/** Every client sends a ping a second, spread evenly: milliseconds until the answers. */
async function ping({ seconds }: { seconds: number }) {
  pings_ms = []
  const started = performance.now()
  const total = peers.length * seconds
  for (let sent = 0; sent < total;) {
    const due = Math.min(total, Math.ceil(((performance.now() - started) / 1000) * peers.length))
    for (; sent < due; sent++) {
      const peer = peers[sent % peers.length]
      if (!peer || pinged.has(peer)) continue
      pinged.set(peer, performance.now())
      peer.write(PING)
    }
    await Bun.sleep(2)
  }
  await Bun.sleep(1000)
  const unanswered = pinged.size
  pinged.clear()
  return { ms: pings_ms, unanswered }
}

obey({
  open,
  flood,
  paced,
  ping,
  lost: () => lost,
  close() {
    for (const peer of peers.splice(0)) peer.close()
  },
})
