import type { Environment } from '../../environment.ts'
import { sendsMail } from '../mail/outbox.ts'
import { openTransport } from '../mail/transport.ts'
import { discover, offersOidc } from '../oidc/provider.ts'

/** Cache a result for this time. */
const KEPT_MS = 30_000
/** A server that takes longer counts as away. */
const ANSWER_MS_MAX = 5_000

/** Checks whether an external server answers. Callers at the same time share one check. */
class Probe {
  private cached: { state: Promise<'ok' | 'away'>; atMs: number } | undefined

  constructor(private readonly ask: () => Promise<unknown>) {}

  state(): Promise<'ok' | 'away'> {
    if (!this.cached || performance.now() - this.cached.atMs > KEPT_MS)
      this.cached = { state: this.probe(), atMs: performance.now() }
    return this.cached.state
  }

  private async probe(): Promise<'ok' | 'away'> {
    const timeout = Promise.withResolvers<'away'>()
    const timer = setTimeout(() => timeout.resolve('away'), ANSWER_MS_MAX)
    const answer = this.ask().then(
      () => 'ok' as const,
      () => 'away' as const,
    )
    return Promise.race([answer, timeout.promise]).finally(() => clearTimeout(timer))
  }
}

/** External servers that this installation uses: the SMTP server and the identity provider. */
export class OutsideServers {
  private readonly mail: Probe
  private readonly provider: Probe

  constructor(private readonly environment: Environment) {
    this.mail = new Probe(async () => (await openTransport(environment)).probe())
    this.provider = new Probe(() => discover(environment))
  }

  /** Connects and logs in without sending a mail. */
  async mailState(): Promise<'off' | 'ok' | 'away'> {
    return sendsMail(this.environment) ? this.mail.state() : 'off'
  }

  async providerState(): Promise<'off' | 'ok' | 'away'> {
    return offersOidc(this.environment) ? this.provider.state() : 'off'
  }
}
