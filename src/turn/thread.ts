import { readFileSync, statSync } from 'node:fs'
import { createSecureContext } from 'node:tls'
import { Worker } from 'node:worker_threads'
import type { Bus } from '../events/bus.ts'
import { errorFields } from '../core/log.ts'
import type { Parts } from '../parts.ts'
import { RefusesToBoot } from '../core/errors.ts'
import type { Environment } from '../environment.ts'
import type { TurnAddress } from './credentials.ts'
import { countTurn } from './metrics.ts'
import type { Certificate } from './server/streams.ts'
import { newTally, type Tally } from './server/tally.ts'
import type { Order, Report } from './worker.ts'

/** The server does not wait longer for its relay, neither when it starts nor when it stops. */
const START_SECONDS_MAX = 5
const STOP_SECONDS_MAX = 1
const COUNT_SECONDS_MAX = 1
/** After so long it is tried again: a port may become free; and a thread that broke is replaced. */
const RETRY_SECONDS = 10
const REPLACE_SECONDS = 1
const CERTIFICATE_CHECK_SECONDS = 2

/** The relay as the rest of the server knows it. */
export interface Turn {
  /** Where it listens; undefined while it does not. */
  address(): TurnAddress | undefined
  /** `ok`, `off`, `starting`, or why it does not run. */
  state(): string
  /** The SFU's announced addresses: packets may be relayed to exactly these, though they are on this host. */
  allowSfu(addresses: { ip: string; port: number }[]): void
  /** What it has done so far. */
  count(): Promise<Tally>
  /** Resolves when it runs, or is known not to. */
  started: Promise<void>
  stop(): Promise<void>
}

type ThreadParts = Pick<Parts, 'environment' | 'secrets' | 'log' | 'bus'>

const OFF: Turn = {
  address: () => undefined,
  state: () => 'off',
  allowSfu: () => {},
  count: async () => newTally(),
  started: Promise.resolve(),
  stop: async () => {},
}

/**
 * Starts the relay in a thread of this process, unless TURN_PORT is `off`.
 * @throws RefusesToBoot when its certificate is not usable
 */
export function openTurn(parts: ThreadParts & Pick<Parts, 'metrics'>): Turn {
  const { TURN_PORT } = parts.environment
  const turn = TURN_PORT === 'off' ? OFF : new Thread(parts, TURN_PORT)
  countTurn(parts.metrics.registry, turn)
  return turn
}

class Thread implements Turn {
  private readonly starting = Promise.withResolvers<void>()
  readonly started = Promise.race([this.starting.promise, Bun.sleep(START_SECONDS_MAX * 1000)])
  private worker: Worker | undefined
  private listening: { port: number; tls_port: number | undefined } | undefined
  private says = 'starting'
  private stopping: PromiseWithResolvers<void> | undefined
  private counting: PromiseWithResolvers<Tally> | undefined
  private tally = newTally()
  private sfu: { ip: string; port: number }[] = []
  private readonly files: CertificateFiles | undefined
  private readonly timer: Timer | undefined

  constructor(
    private readonly parts: ThreadParts,
    private readonly port: number,
  ) {
    this.files = certificateFiles(parts.environment)
    if (this.files) this.timer = setInterval(() => this.renew(), CERTIFICATE_CHECK_SECONDS * 1000)
    this.forgetUsers(parts.bus)
    this.start()
  }

  address(): TurnAddress | undefined {
    const { environment } = this.parts
    return this.listening && { ...this.listening, secret: this.secret, host: environment.TURN_ANNOUNCED_ADDRESS[0] }
  }

  state = (): string => this.says

  allowSfu(addresses: { ip: string; port: number }[]): void {
    this.sfu = addresses
    this.order({ kind: 'sfu', addresses })
  }

  async count(): Promise<Tally> {
    if (!this.listening) return this.tally
    this.counting ??= Promise.withResolvers()
    this.order({ kind: 'count' })
    return Promise.race([this.counting.promise, Bun.sleep(COUNT_SECONDS_MAX * 1000).then(() => this.tally)])
  }

  async stop(): Promise<void> {
    clearInterval(this.timer)
    this.stopping = Promise.withResolvers()
    if (this.listening) {
      this.order({ kind: 'stop' })
      await Promise.race([this.stopping.promise, Bun.sleep(STOP_SECONDS_MAX * 1000)])
    }
    this.worker?.terminate()
  }

  private get secret(): string {
    return this.parts.environment.TURN_SECRET ?? this.parts.secrets.turn
  }

  private order(order: Order): void {
    this.worker?.postMessage(order)
  }

  private start(): void {
    const { environment } = this.parts
    const worker = new Worker(new URL('./worker.ts', import.meta.url))
    this.worker = worker
    worker.unref()
    // What one that has been given up says is not about its successor.
    const hear = (report: Report) => void (this.worker === worker && this.hear(report))
    worker.on('message', hear)
    worker.on('error', (error: unknown) => hear({ kind: 'broke', error: errorFields(error) }))
    const config = {
      port: this.port,
      tls_port: environment.TURN_TLS_PORT,
      relay_ports: environment.TURN_RELAY_PORTS,
      announced: environment.TURN_ANNOUNCED_ADDRESS,
      allowed_peers: environment.TURN_ALLOWED_PEERS,
      secret: this.secret,
      limits: {
        allocations: environment.TURN_QUOTA_ALLOCATIONS,
        bytes_per_s: environment.TURN_QUOTA_BYTES_PER_SECOND,
      },
    }
    this.order({ kind: 'start', config, certificate: this.files?.current() })
  }

  private hear(report: Report): void {
    if (report.kind === 'ready') {
      const { port, tls_port } = report
      this.listening = { port, tls_port }
      this.says = 'ok'
      this.order({ kind: 'sfu', addresses: this.sfu })
      this.parts.log('info', 'turn.ready', this.listening)
      this.starting.resolve()
    } else if (report.kind === 'failed') this.failed(report.reason, report.error)
    else if (report.kind === 'broke') this.failed('the thread of the relay broke', report.error, REPLACE_SECONDS)
    else if (report.kind === 'not_certified') this.parts.log('warn', 'turn.certificate', report.error)
    else if (report.kind === 'fault') this.parts.log('error', 'turn.fault', report.error)
    else if (report.kind === 'counted') {
      this.tally = report.tally
      this.counting?.resolve(report.tally)
      this.counting = undefined
    } else this.stopping?.resolve()
  }

  private failed(reason: string, fields: Record<string, unknown> = {}, retry_s = RETRY_SECONDS): void {
    this.worker?.terminate()
    this.worker = undefined
    this.listening = undefined
    if (this.says !== reason) this.parts.log('error', 'turn.failed', { reason, ...fields })
    this.says = reason
    this.starting.resolve()
    setTimeout(() => this.stopping ?? this.start(), retry_s * 1000).unref()
  }

  private forgetUsers(bus: Bus): void {
    bus.onNotice((notice) => {
      if (notice.kind === 'user_gone') this.order({ kind: 'forget', user_id: notice.user_id })
    })
  }

  /** Goes on with another certificate when its files have changed; with the old one while the new one is unusable. */
  private renew(): void {
    try {
      const certificate = this.files?.changed()
      if (!certificate) return
      this.order({ kind: 'certify', certificate })
      this.parts.log('info', 'turn.certificate', {})
    } catch (error) {
      this.parts.log('warn', 'turn.certificate', errorFields(error))
    }
  }
}

type CertificateFiles = NonNullable<ReturnType<typeof certificateFiles>>

/** Reads the certificate of the environment, and again when it has changed. */
function certificateFiles({ TURN_TLS_CERT, TURN_TLS_KEY }: Environment) {
  if (TURN_TLS_CERT === undefined || TURN_TLS_KEY === undefined) return undefined
  const paths = [TURN_TLS_CERT, TURN_TLS_KEY] as const
  const stamp = () => paths.map((path) => statSync(path).mtimeMs).join()
  const read = (): Certificate => {
    const [cert = '', key = ''] = paths.map((path) => readFileSync(path, 'utf8'))
    createSecureContext({ cert, key })
    return { cert, key }
  }
  try {
    let [seen, current] = [stamp(), read()]
    return {
      current: () => current,
      /** @throws when the files are not usable; once for each change */
      changed(): Certificate | undefined {
        const now = stamp()
        if (now === seen) return undefined
        seen = now
        current = read()
        return current
      },
    }
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new RefusesToBoot(`TURN_TLS_CERT with TURN_TLS_KEY is not usable: ${why}.`)
  }
}
