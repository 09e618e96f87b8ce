import { end, pin, track } from './processes.ts'

/** A running TURN server. */
export interface TurnServer {
  port: number
  pid: number
}

const READY_MS = 1500

/** Starts coturn with one relay thread, like Parley's. */
export async function startCoturn(port: number, secret: string, processor: number) {
  const flags =
    '-n --no-cli --no-tls --no-dtls --allow-loopback-peers --log-file /dev/null --simple-log --pidfile /dev/null' +
    ` -L 127.0.0.1 -E 127.0.0.1 -p ${port} -m 1 --min-port 23000 --max-port 23999` +
    ` --use-auth-secret --static-auth-secret=${secret} --realm parley`
  const child = track(Bun.spawn(['turnserver', ...flags.split(' ')], { stdio: ['ignore', 'ignore', 'ignore'] }))
  await Bun.sleep(READY_MS)
  if (child.exitCode !== null) throw new Error(`coturn ended with ${child.exitCode}`)
  pin(child.pid, processor)
  return { port, pid: child.pid, stop: () => end(child) }
}

/** Environment variables of a server whose TURN may relay to loopback, without quotas. */
export const relayVariables = (port: number, secret: string) => ({
  TURN_PORT: `${port}`,
  TURN_SECRET: secret,
  TURN_ANNOUNCED_ADDRESS: '127.0.0.1',
  TURN_ALLOWED_PEERS: '127.0.0.0/8',
  TURN_QUOTA_ALLOCATIONS: '1000',
  TURN_QUOTA_BYTES_PER_SECOND: '1000000000000',
})
