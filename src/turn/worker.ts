import { parentPort } from 'node:worker_threads'
import { errorFields } from '../core/log.ts'
import { type Certificate, PortTaken } from './server/streams.ts'
import type { OldestSessions } from './server/oldest-sessions.ts'
import { type TurnConfig, TurnServer } from './server/server.ts'
import type { TurnCounters } from './server/counters.ts'

// The TURN server runs in a separate thread, so that work on the main thread delays no packets.

/** Messages from the main thread to this worker. */
export type WorkerCommand =
  | { kind: 'start'; config: TurnConfig; certificate: Certificate | undefined }
  | { kind: 'set_certificate'; certificate: Certificate }
  | { kind: 'sessions'; sessions: OldestSessions }
  | { kind: 'revoke'; user_id: number }
  | { kind: 'sfu'; addresses: { ip: string; port: number }[] }
  | { kind: 'count' }
  | { kind: 'stop' }

/** Messages from this worker to the main thread. */
export type WorkerEvent =
  | { kind: 'ready'; port: number; tls_port: number | undefined }
  | { kind: 'failed'; reason: string; error?: Record<string, unknown> }
  | { kind: 'crashed'; error: Record<string, unknown> }
  | { kind: 'certificate_refused'; error: Record<string, unknown> }
  | { kind: 'fault'; error: Record<string, unknown> }
  | { kind: 'counted'; counters: TurnCounters }
  | { kind: 'stopped' }

const send = (event: WorkerEvent) => parentPort?.postMessage(event)

let server: TurnServer | undefined
/** Commands that arrived before the server was open. */
const pending: WorkerCommand[] = []

async function start(command: Extract<WorkerCommand, { kind: 'start' }>): Promise<void> {
  try {
    server = await TurnServer.open(command.config, command.certificate, (error) =>
      send({ kind: 'fault', error: errorFields(error) }),
    )
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return send({ kind: 'failed', reason, ...(error instanceof PortTaken ? {} : { error: errorFields(error) }) })
  }
  for (const command of pending.splice(0)) execute(command)
  // The main thread does the same after its start.
  Bun.gc(true)
  Bun.shrink()
  send({ kind: 'ready', port: server.port, tls_port: server.tls_port })
  await server.run()
  send({ kind: 'stopped' })
}

/** Closes the sockets: they belong to the process, and the next worker needs the port. */
function crash(error: unknown): void {
  server?.close()
  send({ kind: 'crashed', error: errorFields(error) })
}
process.on('uncaughtException', crash)
process.on('unhandledRejection', crash)

function setCertificate(to: TurnServer, certificate: Certificate): void {
  try {
    to.setCertificate(certificate)
  } catch (error) {
    send({ kind: 'certificate_refused', error: errorFields(error) })
  }
}

function execute(command: WorkerCommand): void {
  if (command.kind === 'start') void start(command).catch(crash)
  else if (!server) pending.push(command)
  else if (command.kind === 'set_certificate') setCertificate(server, command.certificate)
  else if (command.kind === 'sessions') server.setSessions(command.sessions)
  else if (command.kind === 'revoke') server.revoke(command.user_id)
  else if (command.kind === 'sfu') server.allowSfu(command.addresses)
  else if (command.kind === 'count') send({ kind: 'counted', counters: server.count() })
  else server.stop()
}

parentPort?.on('message', (command: WorkerCommand) => {
  try {
    execute(command)
  } catch (error) {
    crash(error)
  }
})
