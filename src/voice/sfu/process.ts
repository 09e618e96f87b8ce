import type { types } from 'mediasoup'

const CLOSE_SECONDS_MAX = 2

/** There is no SFU now: not yet, no longer, or not on this server. The message gives the reason in one sentence. */
export class MediaUnavailable extends Error {}

/** Another process has too much to do to answer; what it carries already goes on. */
export class Busy extends Error {}

/** An address of the SFU on this machine. */
export interface Endpoint {
  protocol: 'udp' | 'tcp'
  address: string
  port: number
}

/** A running worker of mediasoup, which is a process, with its ports. Its routers and transports end with it. */
export interface SfuWorker {
  pid: number
  server: types.WebRtcServer
  endpoints: Endpoint[]
  openRouter(options: types.RouterOptions): Promise<types.Router>
  /** Its routers, transports, producers and consumers, links included: processor time grows with them. */
  load(): number
  /** True if it ended unexpectedly. */
  died(): boolean
  /** Resolves with `died()` when the process has ended. */
  ended: Promise<boolean>
  close(): Promise<void>
}

/** Asks a worker to end, and kills it after 2 s. Resolves when its process has ended. */
export async function endWorker(worker: types.Worker): Promise<void> {
  worker.close()
  if (worker.subprocessClosed) return
  const subprocessEnd = new Promise<void>((resolve) => worker.once('subprocessclose', resolve))
  const timer = setTimeout(() => process.kill(worker.pid, 'SIGKILL'), CLOSE_SECONDS_MAX * 1000)
  await subprocessEnd
  clearTimeout(timer)
}

/** Counts what a worker carries, from now on. */
function countLoad(worker: types.Worker): () => number {
  let count = 0
  /** @returns the listener of its end */
  const begin = () => {
    count++
    return () => void count--
  }
  worker.observer.on('newrouter', (router) => {
    router.observer.once('close', begin())
    router.observer.on('newtransport', (transport) => {
      transport.observer.once('close', begin())
      transport.observer.on('newproducer', (producer) => producer.observer.once('close', begin()))
      transport.observer.on('newconsumer', (consumer) => consumer.observer.once('close', begin()))
    })
  })
  return () => count
}

/**
 * Starts a worker and makes it listen.
 * @param binary path of a worker that has passed its self-test
 * @throws Error if it does not start or a port is taken; its process has then ended
 */
export async function startWorker(binary: string, listenInfos: types.TransportListenInfo[]): Promise<SfuWorker> {
  const { createWorker } = await import('mediasoup')
  const worker = await createWorker({ workerBin: binary, logLevel: 'error' })
  const { promise: ended, resolve } = Promise.withResolvers<boolean>()
  // The worker ends by itself, by `close`, or by mediasoup when this process gets a signal to end.
  worker.observer.on('close', () => resolve(worker.died))
  const close = () => endWorker(worker)
  try {
    const server = await worker.createWebRtcServer({ listenInfos })
    const { udpSockets, tcpServers } = await server.dump()
    const endpoint = (protocol: 'udp' | 'tcp') => (socket: { ip: string; port: number }) => ({
      protocol,
      address: socket.ip,
      port: socket.port,
    })
    const endpoints = [...udpSockets.map(endpoint('udp')), ...tcpServers.map(endpoint('tcp'))]
    const load = countLoad(worker)
    const openRouter = (options: types.RouterOptions) => worker.createRouter(options)
    return { pid: worker.pid, server, endpoints, openRouter, load, died: () => worker.died, ended, close }
  } catch (error) {
    await close()
    throw error
  }
}
