import type { Serve, Server } from 'bun'
import type { Certificate, CertificateFiles } from '../core/certificate-files.ts'
import { errorFields, type Log } from '../core/log.ts'
import type { AnyData } from '../gateway/socket.ts'

const CERTIFICATE_CHECK_SECONDS = 2
/** Beyond this many servers the oldest closes its connections; its clients resume. */
const SERVERS_MAX = 4

/** Settings of the first server that its replacements must copy. */
interface Certain {
  port?: number
  tls?: Certificate
}

/**
 * The HTTP server. Bun cannot change a server's certificate, so a renewed certificate starts a replacement. The old
 * server stops listening, and serves its connections until they end.
 */
export class Listener {
  /** Only the last one listens. */
  private servers: Server<AnyData>[] = []
  private attach: (server: Server<AnyData>) => void = () => {}
  private isListening = true
  private isStopped = false
  private readonly timer: Timer | undefined
  readonly url: URL
  private readonly port: number | undefined

  constructor(
    private readonly options: (more: Certain) => Serve.Options<AnyData>,
    private readonly files: CertificateFiles | undefined,
    private readonly log: Log,
  ) {
    const server = this.serve(files?.current)
    this.servers.push(server)
    this.url = server.url
    this.port = server.port
    if (files) this.timer = setInterval(() => this.renewCertificate(), CERTIFICATE_CHECK_SECONDS * 1000)
    this.timer?.unref()
  }

  /** @param attach called with the current server and with each replacement */
  onServer(attach: (server: Server<AnyData>) => void): void {
    this.attach = attach
    for (const server of this.servers) attach(server)
  }

  /** Loads the certificate's files if they have changed. Logs unusable files and keeps the old certificate. */
  renewCertificate(): void {
    if (this.isStopped) return
    try {
      const before = this.files?.current
      const certificate = this.files?.readIfChanged()
      if (!certificate && this.isListening) return
      this.replace(certificate ?? before, before)
      this.log('info', 'tls.certificate', {})
    } catch (error) {
      this.log('warn', 'tls.certificate', errorFields(error))
    }
  }

  /** Stops listening, and resolves when the connections have ended. @param isForced also closes the connections */
  async stop(isForced = false): Promise<void> {
    this.isStopped = true
    clearInterval(this.timer)
    await Promise.all(this.servers.map((server) => server.stop(isForced)))
  }

  private serve(certificate: Certificate | undefined, port?: number): Server<AnyData> {
    return Bun.serve(this.options({ ...(certificate && { tls: certificate }), ...(port !== undefined && { port }) }))
  }

  private replace(certificate: Certificate | undefined, before: Certificate | undefined): void {
    // No await between the two, so that only connections being opened at this moment are reset. Idle ones are closed.
    void this.servers.at(-1)?.stop()
    this.isListening = false
    const { port } = this
    try {
      this.take(this.serve(certificate, port))
    } catch (error) {
      this.take(this.serve(before, port))
      throw error
    }
  }

  private take(server: Server<AnyData>): void {
    this.isListening = true
    this.servers.push(server)
    this.attach(server)
    while (this.servers.length > SERVERS_MAX) void this.servers.shift()?.stop(true)
  }
}
