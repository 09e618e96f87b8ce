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
  private kept: { state: Promise<'ok' | 'away'>; at_ms: number } | undefined

  constructor(private readonly ask: () => Promise<unknown>) {}

  state(): Promise<'ok' | 'away'> {
    if (!this.kept || performance.now() - this.kept.at_ms > KEPT_MS)
      this.kept = { state: this.probe(), at_ms: performance.now() }
    return this.kept.state
  }

  private async probe(): Promise<'ok' | 'away'> {
    const late = Promise.withResolvers<'away'>()
    const timer = setTimeout(() => late.resolve('away'), ANSWER_MS_MAX)
    const answer = this.ask().then(
      () => 'ok' as const,
      () => 'away' as const,
    )
    return Promise.race([answer, late.promise]).finally(() => clearTimeout(timer))
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
