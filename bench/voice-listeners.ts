import type { Joined } from '../src/voice/model.ts'
import { compile, lines } from './load.ts'
import { end, track } from './processes.ts'
import { openGateway } from './voice-gateway.ts'

const CAPABILITIES = {
  codecs: [
    {
      kind: 'audio',
      mimeType: 'audio/opus',
      clockRate: 48_000,
      channels: 2,
      preferredPayloadType: 100,
      rtcpFeedback: [{ type: 'nack', parameter: '' }],
    },
  ],
  headerExtensions: [],
}

interface Candidate {
  ip: string
  port: number
  protocol: string
}

interface Count {
  packets: number
  lost: number
  /** Transports that have received something. */
  hearing: number
}

/** The program voice-listen.c: many members who only receive, for little processor time. */
export interface Listeners {
  pid: number
  /** Of the certificate of all of them. */
  fingerprint: string
  open(candidate: Candidate, ufrag: string, password: string): void
  count(): Promise<Count>
  stop(): Promise<void>
}

/** Builds and starts it. @throws Error without a C compiler, or without the headers of OpenSSL */
export async function openListeners(): Promise<Listeners> {
  const { program, remove } = compile('voice-listen.c', 'ssl', 'crypto')
  const child = track(Bun.spawn([program], { stdio: ['pipe', 'pipe', 'inherit'] }))
  const output = lines(child.stdout)
  const [, fingerprint = ''] = `${(await output.next()).value}`.split(' ')
  const counts: PromiseWithResolvers<Count>[] = []
  const reading = (async () => {
    for await (const line of output) {
      const [word, packets, lost, hearing] = line.split(' ')
      if (word === 'packets')
        counts.shift()?.resolve({ packets: Number(packets), lost: Number(lost), hearing: Number(hearing) })
    }
  })()
  const write = (line: string) => {
    void child.stdin.write(`${line}\n`)
    void child.stdin.flush()
  }
  return {
    pid: child.pid,
    fingerprint,
    open: ({ ip, port }, ufrag, password) => write(`open ${ip} ${port} ${ufrag} ${password}`),
    count() {
      const answer = Promise.withResolvers<Count>()
      counts.push(answer)
      write('count')
      return answer.promise
    },
    async stop() {
      await end(child)
      await reading
      remove()
    },
  }
}

/** A member who only receives. */
export class Listener {
  /** The port of the worker from which it receives. */
  port = 0

  private constructor(
    private readonly gateway: Awaited<ReturnType<typeof openGateway>>,
    private readonly load: Listeners,
  ) {}

  /** Joins, and receives everything that the others send, also after a worker has died. */
  static async join(url: string, channel_id: number, load: Listeners): Promise<Listener> {
    const gateway = await openGateway(url)
    const listener = new Listener(gateway, load)
    const routed = Promise.withResolvers<Pick<Joined, 'producers'>>()
    gateway.onEvent(({ t, d }) => {
      if (t === 'voice.route' && d.route === 'sfu') routed.resolve(d)
      else if (t === 'voice.sfu.producer_new') void routed.promise.then(() => listener.#consume(d.producer_id))
      else if (t === 'voice.sfu.reset') void listener.#receive(d)
    })
    const joined = await gateway.command('voice.join', { channel_id, self_mute: true, self_deaf: false })
    if (joined.route === 'sfu') routed.resolve(joined)
    await listener.#receive(await routed.promise)
    return listener
  }

  leave = () => this.gateway.command('voice.leave', {})

  async #receive({ producers }: Pick<Joined, 'producers'>): Promise<void> {
    const { fingerprint } = this.load
    const offer = await this.gateway.command('voice.sfu.create_transport', { direction: 'recv' })
    const dtls_parameters = { role: 'client' as const, fingerprints: [{ algorithm: 'sha-256', value: fingerprint }] }
    await this.gateway.command('voice.sfu.connect', { transport_id: offer.transport_id, dtls_parameters })
    const candidates = offer.ice_candidates as unknown as Candidate[]
    const candidate = candidates.find(({ protocol, ip }) => protocol === 'udp' && !ip.includes(':'))
    if (!candidate) throw new Error('the SFU offers no UDP over IPv4')
    this.port = candidate.port
    const { usernameFragment, password } = offer.ice_parameters as { usernameFragment: string; password: string }
    this.load.open(candidate, usernameFragment, password)
    for (const { producer_id } of producers) await this.#consume(producer_id)
  }

  async #consume(producer_id: string): Promise<void> {
    const consuming = { producer_id, rtp_capabilities: CAPABILITIES }
    const { consumer_id } = await this.gateway.command('voice.sfu.consume', consuming)
    await this.gateway.command('voice.sfu.resume_consumer', { consumer_id })
  }
}
