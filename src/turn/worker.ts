import { parentPort } from 'node:worker_threads'
import { errorFields } from '../core/log.ts'
import { type Certificate, PortTaken } from './server/streams.ts'
import { type TurnConfig, TurnServer } from './server/server.ts'
import type { Tally } from './server/tally.ts'

// The relay has a thread of its own: what the main thread does for 8 ms at a time delays no packet.

/** What the main thread tells the relay. */
export type Order =
  | { kind: 'start'; config: TurnConfig; certificate: Certificate | undefined }
  | { kind: 'certify'; certificate: Certificate }
  | { kind: 'forget'; user_id: number }
  | { kind: 'sfu'; addresses: { ip: string; port: number }[] }
  | { kind: 'count' }
  | { kind: 'stop' }

/** What the relay tells the main thread. */
export type Report =
  | { kind: 'ready'; port: number; tls_port: number | undefined }
  | { kind: 'failed'; reason: string; error?: Record<string, unknown> }
  | { kind: 'broke'; error: Record<string, unknown> }
  | { kind: 'not_certified'; error: Record<string, unknown> }
  | { kind: 'fault'; error: Record<string, unknown> }
  | { kind: 'counted'; tally: Tally }
  | { kind: 'stopped' }

const tell = (report: Report) => parentPort?.postMessage(report)

let server: TurnServer | undefined
/** What came before there was a server to do it. */
const early: Order[] = []

async function start(order: Extract<Order, { kind: 'start' }>): Promise<void> {
  try {
    server = await TurnServer.open(order.config, order.certificate, (error) =>
      tell({ kind: 'fault', error: errorFields(error) }),
    )
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return tell({ kind: 'failed', reason, ...(error instanceof PortTaken ? {} : { error: errorFields(error) }) })
  }
  for (const waited of early.splice(0)) obey(waited)
  tell({ kind: 'ready', port: server.port, tls_port: server.tls_port })
  await server.run()
  tell({ kind: 'stopped' })
}

/** The thread ends, but what it has opened is the process's: it is closed, or its successor finds the port taken. */
function broke(error: unknown): void {
  server?.close()
  tell({ kind: 'broke', error: errorFields(error) })
}
process.on('uncaughtException', broke)
process.on('unhandledRejection', broke)

function certify(to: TurnServer, certificate: Certificate): void {
  try {
    to.certify(certificate)
  } catch (error) {
    tell({ kind: 'not_certified', error: errorFields(error) })
  }
}

function obey(order: Order): void {
  if (order.kind === 'start') void start(order).catch(broke)
  else if (!server) early.push(order)
  else if (order.kind === 'certify') certify(server, order.certificate)
  else if (order.kind === 'forget') server.forget(order.user_id)
  else if (order.kind === 'sfu') server.allowSfu(order.addresses)
  else if (order.kind === 'count') tell({ kind: 'counted', tally: server.count() })
  else server.stop()
}

parentPort?.on('message', (order: Order) => {
  try {
    obey(order)
  } catch (error) {
    broke(error)
  }
})
