import { Worker } from 'node:worker_threads'
import { CertificateFiles } from '../core/certificate-files.ts'
import { errorFields } from '../core/log.ts'
import { threadFile } from '../core/program.ts'
import type { Database } from '../database/database.ts'
import type { Bus } from '../events/bus.ts'
import type { Parts } from '../parts.ts'
import type { TurnAddress } from './credentials.ts'
import { registerTurnMetrics } from './metrics.ts'
import { newCounters, type TurnCounters } from './server/counters.ts'
import type { OldestSessions } from './server/oldest-sessions.ts'
import type { WorkerCommand, WorkerEvent } from './worker.ts'

/** Longest wait for the TURN server to start, stop or report its counters. */
const START_SECONDS_MAX = 5
const STOP_SECONDS_MAX = 1
const COUNT_SECONDS_MAX = 1
/** Delay before retrying a failed start, for example because the port is in use. */
const RETRY_SECONDS = 10
/** Delay before a crashed thread is replaced. */
const REPLACE_SECONDS = 1
const CERTIFICATE_CHECK_SECONDS = 2
/** Sessions are read in pages, so that a large number does not block the event loop. */
const SESSIONS_PER_PAGE = 5_000

/** The TURN server's interface for the rest of the process. */
export interface Turn {
  /** Address of the TURN server; undefined while it does not run. */
  address(): TurnAddress | undefined
  /** `ok`, `off`, `starting`, or the reason why it does not run. */
  state(): string
  /** Allows relaying to exactly these announced addresses of the SFU, which are on this host. */
  allowSfu(addresses: { ip: string; port: number }[]): void
  /** The counters of the current thread. */
  count(): Promise<TurnCounters>
  /** Resolves when the TURN server runs, has failed to start, or START_SECONDS_MAX have passed. */
  started: Promise<void>
  stop(): Promise<void>
}

type ThreadParts = Pick<Parts, 'environment' | 'secrets' | 'log' | 'bus' | 'sql'>

const OFF: Turn = {
  address: () => undefined,
  state: () => 'off',
  allowSfu: () => {},
  count: async () => newCounters(),
  started: Promise.resolve(),
  stop: async () => {},
}

/**
 * Starts the TURN server in a thread of this process, unless TURN_PORT is `off`.
 * @throws RefusesToBoot if the certificate is unusable
 */
export function openTurn(parts: ThreadParts & Pick<Parts, 'metrics'>): Turn {
  const { TURN_PORT } = parts.environment
  const turn = TURN_PORT === 'off' ? OFF : new TurnThread(parts, TURN_PORT)
  registerTurnMetrics(parts.metrics.registry, () => turn.count())
  return turn
}

class TurnThread implements Turn {
  private readonly starting = Promise.withResolvers<void>()
  readonly started = Promise.race([this.starting.promise, Bun.sleep(START_SECONDS_MAX * 1000)])
  private worker: Worker | undefined
  private listening: { port: number; tls_port: number | undefined } | undefined
  private status = 'starting'
  private stopping: PromiseWithResolvers<void> | undefined
  private counting: PromiseWithResolvers<TurnCounters> | undefined
  private counters = newCounters()
  private sfu: { ip: string; port: number }[] = []
  private readonly files: CertificateFiles | undefined
  private readonly timer: Timer | undefined

  constructor(
    private readonly parts: ThreadParts,
    private readonly port: number,
  ) {
    const { TURN_TLS_CERT, TURN_TLS_KEY } = parts.environment
    this.files = CertificateFiles.open(TURN_TLS_CERT, TURN_TLS_KEY, 'TURN_TLS_CERT with TURN_TLS_KEY')
    if (this.files) this.timer = setInterval(() => this.renewCertificate(), CERTIFICATE_CHECK_SECONDS * 1000)
    this.revokeOnNotice(parts.bus)
    this.start()
  }

  address(): TurnAddress | undefined {
    const { environment } = this.parts
    return this.listening && { ...this.listening, secret: this.secret, host: environment.TURN_ANNOUNCED_ADDRESS[0] }
  }

  state = (): string => this.status

  allowSfu(addresses: { ip: string; port: number }[]): void {
    this.sfu = addresses
    this.send({ kind: 'sfu', addresses })
  }

  async count(): Promise<TurnCounters> {
    if (!this.listening) return this.counters
    this.counting ??= Promise.withResolvers()
    this.send({ kind: 'count' })
    return Promise.race([this.counting.promise, Bun.sleep(COUNT_SECONDS_MAX * 1000).then(() => this.counters)])
  }

  async stop(): Promise<void> {
    clearInterval(this.timer)
    this.stopping = Promise.withResolvers()
    if (this.listening) {
      this.send({ kind: 'stop' })
      await Promise.race([this.stopping.promise, Bun.sleep(STOP_SECONDS_MAX * 1000)])
    }
    this.worker?.terminate()
  }

  private get secret(): string {
    return this.parts.environment.TURN_SECRET ?? this.parts.secrets.turn
  }

  private send(command: WorkerCommand): void {
    this.worker?.postMessage(command)
  }

  private start(): void {
    const worker = new Worker(threadFile('turn/worker'))
    this.worker = worker
    worker.unref()
    // Events of a replaced worker are ignored.
    const onEvent = (event: WorkerEvent) => void (this.worker === worker && this.onEvent(event))
    worker.on('message', onEvent)
    worker.on('error', (error: unknown) => onEvent({ kind: 'crashed', error: errorFields(error) }))
    // Sessions that end during this read are not missed: the thread queues revocations until it has started.
    readOldestSessions(this.parts.sql).then(
      (sessions) => {
        if (this.worker !== worker || this.stopping) return
        this.send({ kind: 'sessions', sessions })
        this.startThread()
      },
      (error: unknown) => onEvent({ kind: 'failed', reason: 'the sessions cannot be read', error: errorFields(error) }),
    )
  }

  private startThread(): void {
    const { environment } = this.parts
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
    this.send({ kind: 'start', config, certificate: this.files?.current })
  }

  private onEvent(event: WorkerEvent): void {
    if (event.kind === 'ready') {
      const { port, tls_port } = event
      this.listening = { port, tls_port }
      this.status = 'ok'
      this.send({ kind: 'sfu', addresses: this.sfu })
      this.parts.log('info', 'turn.ready', this.listening)
      this.starting.resolve()
    } else if (event.kind === 'failed') this.handleFailure(event.reason, event.error)
    else if (event.kind === 'crashed') this.handleFailure('the thread of the relay broke', event.error, REPLACE_SECONDS)
    else if (event.kind === 'certificate_refused') this.parts.log('warn', 'turn.certificate', event.error)
    else if (event.kind === 'fault') this.parts.log('error', 'turn.fault', event.error)
    else if (event.kind === 'counted') {
      this.counters = event.counters
      this.counting?.resolve(event.counters)
      this.counting = undefined
    } else this.stopping?.resolve()
  }

  private handleFailure(reason: string, fields: Record<string, unknown> = {}, retryS = RETRY_SECONDS): void {
    this.worker?.terminate()
    this.worker = undefined
    this.listening = undefined
    if (this.status !== reason) this.parts.log('error', 'turn.failed', { reason, ...fields })
    this.status = reason
    this.starting.resolve()
    setTimeout(() => this.stopping ?? this.start(), retryS * 1000).unref()
  }

  private revokeOnNotice(bus: Bus): void {
    bus.onNotice((notice) => {
      if (notice.kind === 'user_gone') this.send({ kind: 'revoke', user_id: notice.user_id })
    })
  }

  /** Replaces the certificate if its files have changed. Keeps the old one while the new one is unusable. */
  private renewCertificate(): void {
    try {
      const certificate = this.files?.readIfChanged()
      if (!certificate) return
      this.send({ kind: 'set_certificate', certificate })
      this.parts.log('info', 'turn.certificate', {})
    } catch (error) {
      this.parts.log('warn', 'turn.certificate', errorFields(error))
    }
  }
}

/** The oldest current session of each account, from the database. */
async function readOldestSessions(sql: Database): Promise<OldestSessions> {
  const read_s = Math.floor(Date.now() / 1000)
  const userIds: number[] = []
  const sinceS: number[] = []
  const pages = sql<{ user_id: number; since_s: number }[]>`
    select user_id, extract(epoch from min(created_at))::float8 as since_s from sessions
    where expires_at > now() group by user_id order by user_id`.cursor(SESSIONS_PER_PAGE)
  for await (const page of pages) {
    userIds.push(...page.map((row) => row.user_id))
    sinceS.push(...page.map((row) => row.since_s))
  }
  return { read_s, user_ids: Float64Array.from(userIds), since_s: Float64Array.from(sinceS) }
}
