import { expect, test } from 'bun:test'
import { copyFileSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect as connectTls } from 'node:tls'
import { isAlive, dataDirectory, launch, postmasterOf, SPAWN_MS } from '../support/spawned.ts'
import { until } from '../support/until.ts'

const directory = mkdtempSync(join(tmpdir(), 'certificates-'))
const [TLS_CERT, TLS_KEY] = [join(directory, 'cert.pem'), join(directory, 'key.pem')]

/** Makes a certificate, and puts it into the server's files as a renewal does. */
function renew(name: string): void {
  const command = 'openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 30 -subj'
  const [cert, key] = [join(directory, `${name}.crt`), join(directory, `${name}.key`)]
  const { exitCode } = Bun.spawnSync([...command.split(' '), `/CN=${name}`, '-keyout', key, '-out', cert])
  expect(exitCode).toBe(0)
  copyFileSync(key, TLS_KEY)
  copyFileSync(cert, TLS_CERT)
}

/** The name in the certificate of a new connection; undefined if the server is just being replaced. */
const nameAt = (url: string): Promise<string> =>
  new Promise((resolve) => {
    const { hostname: host, port } = new URL(url)
    const socket = connectTls({ host, port: Number(port), rejectUnauthorized: false }, () => {
      resolve(String(socket.getPeerCertificate().subject.CN))
      socket.end()
    })
    socket.on('error', () => resolve(''))
  })

const tls = { rejectUnauthorized: false }
const post = async (url: string, path: string, body: object, token?: string) => {
  const headers = { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) }
  const answer = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body), tls, keepalive: false })
  return (await answer.json()) as any
}

/** A socket of the account, and the types of the events that it received. */
async function live(url: string, token: string) {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/ws?token=${token}`, { tls } as any)
  const got: string[] = []
  socket.onmessage = ({ data }) => void got.push(JSON.parse(data).t)
  socket.onclose = ({ code }) => void got.push(`closed ${code}`)
  await until(() => got.includes('synced'))
  return { socket, got }
}

test(
  'a renewed certificate is loaded on SIGHUP while every connection goes on',
  async () => {
    renew('first')
    const data = dataDirectory()
    const child = launch(data, { TLS_CERT, TLS_KEY })
    // A SIGHUP during the start must not end the server; its PostgreSQL is running by then.
    const early = until(() => postmasterOf(data) !== undefined, SPAWN_MS).then(() => child.kill('SIGHUP'))
    let output = ''
    for await (const chunk of child.stdout.pipeThrough(new TextDecoderStream()))
      if ((output += chunk).includes('\n')) break
    await early
    const url = /listens on (https:\S+)/.exec(output)?.[1] ?? ''
    expect(await nameAt(url)).toBe('first')
    const account = { username: 'alice', email: 'alice@example.org', password: 'Correct-Horse-7!' }
    const { token } = await post(url, '/api/auth/register', account)
    const older = await live(url, token)

    renew('second')
    child.kill('SIGHUP')
    await until(async () => (await nameAt(url)) === 'second')
    renew('third')
    await until(async () => (await nameAt(url)) === 'third')
    const newer = await live(url, token)
    await post(url, '/api/servers', { name: 'Birdwatchers' }, token)
    await until(() => [older, newer].every(({ got }) => got.includes('server.snapshot')))

    // Files that are no pair, or missing, change nothing.
    copyFileSync(join(directory, 'first.key'), TLS_KEY)
    for (let n = 0; n < 5; n++) child.kill('SIGHUP')
    writeFileSync(TLS_CERT, 'not a certificate')
    child.kill('SIGHUP')
    await Bun.sleep(2_500)
    expect(await nameAt(url)).toBe('third')

    for (const name of ['fourth', 'fifth', 'sixth']) {
      renew(name)
      child.kill('SIGHUP')
      await until(async () => (await nameAt(url)) === name)
    }
    // Beyond four servers the oldest is closed, with a code after which clients resume.
    await until(() => older.got.some((event) => event.startsWith('closed')))
    expect(newer.got.some((event) => event.startsWith('closed'))).toBeFalse()
    expect(child.exitCode).toBeNull()

    const postmaster = postmasterOf(data) ?? 0
    child.kill('SIGTERM')
    expect(await child.exited).toBe(0)
    expect(isAlive(postmaster)).toBeFalse()
  },
  SPAWN_MS,
)
