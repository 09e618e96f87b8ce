import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { createConnection, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addBot, botOf } from '../../support/bots.ts'
import { type Person, standard, until } from '../../support/harness.ts'
import { INSTALL_MS_MAX, packClient, runProgram, runtimeCommand, RUNTIMES } from '../../support/packed-client.ts'
import { passersBy } from '../../support/people.ts'
import { place } from '../../support/places.ts'

const parley = await standard()
const [alice] = await passersBy(parley, 'alice')
const folder = mkdtempSync(join(tmpdir(), 'parley-reconnecting-'))
/** A half-open attempt ends after 15 s, and the next one follows within seconds; the machine may be busy. */
const RECONNECT_MS_MAX = 90_000
const TEST_MS_MAX = 4 * RECONNECT_MS_MAX

/** Ways in which an attempt to connect fails. */
type Fault = 'refused port' | '502' | 'half-open'
const FAULTS: Fault[] = ['refused port', '502', 'half-open']

/** A proxy to the server that can be broken; programs connect through it. */
class Door {
  #listener: Server | undefined
  #port = 0
  #fault: Fault | undefined
  readonly #sockets = new Set<Socket>()
  /** Connections that arrived while it was broken. */
  failures = 0

  get url(): string {
    return `http://127.0.0.1:${this.#port}`
  }

  async open(): Promise<this> {
    this.#fault = undefined
    this.#end()
    if (!this.#listener) await this.#listen()
    return this
  }

  async breakBy(fault: Fault): Promise<void> {
    this.#fault = fault
    if (fault === 'refused port') {
      const closed = new Promise((resolve) => this.#listener?.close(resolve))
      this.#end()
      await closed
      this.#listener = undefined
    } else this.#end()
  }

  close(): void {
    this.#listener?.close()
    this.#end()
  }

  #end(): void {
    for (const socket of this.#sockets) socket.destroy()
  }

  async #listen(): Promise<void> {
    const listener = createServer((near) => this.#accept(near))
    await new Promise<void>((resolve) => listener.listen(this.#port, '127.0.0.1', resolve))
    const address = listener.address()
    if (typeof address === 'object') this.#port = address?.port ?? 0
    this.#listener = listener
  }

  #accept(near: Socket): void {
    this.#keep(near)
    if (this.#fault === undefined) {
      const far = this.#keep(createConnection(Number(new URL(parley.url).port), '127.0.0.1'))
      near.pipe(far).pipe(near)
      near.on('close', () => far.destroy())
      far.on('close', () => near.destroy())
      return
    }
    this.failures++
    near.resume()
    if (this.#fault === '502')
      near.once('data', () => near.end('HTTP/1.1 502 Bad Gateway\r\ncontent-length: 0\r\nconnection: close\r\n\r\n'))
  }

  #keep(socket: Socket): Socket {
    this.#sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => this.#sockets.delete(socket))
    return socket
  }
}

const CLIENT = `import { openClient } from 'parley/client'
const [, , base, token] = process.argv
const { gateway } = openClient({ base, token, intents: [] })
gateway.watch((state) => console.log(state))
gateway.connect()
`
const BOT = `import { Bot } from 'parley/bot'
const [, , base, token] = process.argv
const bot = new Bot({ base, token, intents: [] })
bot.command('ping', 'Says that it is there', (i) => i.reply('Pong!'))
bot.client.gateway.watch((state) => console.log(state))
await bot.start()
`

/** A running program, and the states of its connection that it printed. */
class Program {
  readonly states: string[] = []
  readonly child: Bun.Subprocess<'ignore', 'pipe', 'pipe'>

  constructor(command: string[], name: string, url: string, token: string) {
    this.child = Bun.spawn([...command, name, url, token], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    void this.#read()
  }

  async #read(): Promise<void> {
    let text = ''
    for await (const chunk of this.child.stdout) {
      text += new TextDecoder().decode(chunk)
      this.states.splice(0, Infinity, ...text.split('\n').filter(Boolean))
    }
  }

  count = (state: string): number => this.states.filter((each) => each === state).length

  /** Waits, and fails at once when the program has ended. */
  async until(isSo: () => boolean): Promise<void> {
    await until(() => isSo() || this.child.exitCode !== null, RECONNECT_MS_MAX)
    const { exitCode } = this.child
    expect([exitCode, exitCode === null ? '' : await new Response(this.child.stderr).text()]).toEqual([null, ''])
  }
}

const doors: Door[] = []
const programs: Program[] = []
const commands = new Map<string, string[]>()
beforeAll(async () => {
  const tarball = await packClient(folder)
  mkdirSync(join(folder, 'node_modules/parley'), { recursive: true })
  await runProgram(folder, 'tar', 'xzf', tarball, '-C', 'node_modules/parley', '--strip-components=1')
  writeFileSync(join(folder, 'client.mjs'), CLIENT)
  writeFileSync(join(folder, 'bot.mjs'), BOT)
  for (const runtime of RUNTIMES) commands.set(runtime, await runtimeCommand(runtime))
}, INSTALL_MS_MAX)
afterAll(() => {
  for (const { child } of programs) child.kill()
  for (const door of doors) door.close()
})

async function openDoor(): Promise<Door> {
  const door = await new Door().open()
  doors.push(door)
  return door
}

function start(...args: ConstructorParameters<typeof Program>): Program {
  const program = new Program(...args)
  programs.push(program)
  return program
}

/** A bot whose owner has no other: an account may have a few. */
async function ownBot(): Promise<{ owner: Person; account: Person }> {
  const [owner] = await passersBy(parley, 'owner')
  const { server_id } = await place(owner)
  const account = await botOf(owner, 'Lasting')
  await addBot(owner, server_id, account)
  return { owner, account }
}

/** Breaks the proxy, lets an attempt fail, repairs it, and waits until the program is online again. */
async function survives(program: Program, door: Door, fault: Fault): Promise<void> {
  const [onlines, failures] = [program.count('online'), door.failures]
  await program.until(() => program.states.at(-1) === 'online')
  await door.breakBy(fault)
  await program.until(() => program.states.at(-1) === 'waiting')
  const waits = program.count('waiting')
  await program.until(() => program.count('waiting') > waits)
  if (fault !== 'refused port') expect(door.failures).toBeGreaterThan(failures)
  await door.open()
  await program.until(() => program.count('online') > Math.max(1, onlines))
}

// Concurrent, because each waits for a half-open attempt to end.
for (const runtime of RUNTIMES)
  describe.concurrent(`the packed client under ${runtime}`, () => {
    const command = () => commands.get(runtime) ?? []

    test(
      'reconnects after attempts that met a refused port, a 502 and a half-open connection',
      async () => {
        const trials = FAULTS.map(async (fault) => {
          const door = await openDoor()
          const program = start(command(), 'client.mjs', door.url, alice.token)
          await survives(program, door, fault)
        })
        await Promise.all(trials)
      },
      TEST_MS_MAX,
    )

    test(
      'lets a bot reconnect after such attempts, and ends it with an error when its token is revoked',
      async () => {
        const bots = FAULTS.map(async (fault) => {
          const [door, { owner, account }] = await Promise.all([openDoor(), ownBot()])
          const program = start(command(), 'bot.mjs', door.url, account.token)
          await survives(program, door, fault)
          await owner.post(`/api/applications/${account.id}/token`)
          const code = await program.child.exited
          return [code, (await new Response(program.child.stderr).text()).includes('rejects this token')]
        })
        expect(await Promise.all(bots)).toEqual(FAULTS.map(() => [1, true]))
      },
      TEST_MS_MAX,
    )

    test(
      'ends a bot with an error when the server is away at its start, or refuses its token',
      async () => {
        const door = await openDoor()
        const wrong = start(command(), 'bot.mjs', door.url, 'no-token')
        expect(await wrong.child.exited).toBe(1)
        await door.breakBy('refused port')
        const early = start(command(), 'bot.mjs', door.url, 'no-token')
        expect(await early.child.exited).toBe(1)
        expect(await new Response(early.child.stderr).text()).toContain('The server cannot be reached')
      },
      TEST_MS_MAX,
    )
  })
