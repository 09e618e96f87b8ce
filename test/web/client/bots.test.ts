import { afterAll, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { createConnection, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Bot } from '../../../src/web/client/bot.ts'
import { addBot, botOf, unhurried } from '../../support/bots.ts'
import { boot, type Person, say, stop, until } from '../../support/harness.ts'
import { passersBy } from '../../support/people.ts'
import { place } from '../../support/places.ts'
import { connect, type Gateway } from '../../support/socket.ts'

const parley = await boot()
await unhurried(parley)
const [alice] = await passersBy(parley, 'alice')
const root = join(import.meta.dir, '../../..')
const folder = mkdtempSync(join(tmpdir(), 'parley-bots-'))
const guide = readFileSync(join(root, 'docs/bots.md'), 'utf8')
const programs = [...guide.matchAll(/```js\n(.*?)```/gs)].map(([, program = '']) => program)
const running: Bun.Subprocess[] = []

// The module as it is in the package, at the path where programs import it by name.
const home = join(folder, 'node_modules/parley')
mkdirSync(home, { recursive: true })
writeFileSync(join(home, 'package.json'), '{"name":"parley","type":"module","exports":{"./bot":"./bot.js"}}')
const built = await Bun.build({ entrypoints: [join(root, 'src/web/client/bot.ts')], target: 'browser', format: 'esm' })
const [module] = built.outputs
writeFileSync(join(home, 'bot.js'), (await module?.text()) ?? '')
programs.forEach((program, at) => writeFileSync(join(folder, `bot-${at}.mjs`), program))

afterAll(async () => {
  running.forEach((program) => program.kill())
  await stop(parley)
})

const node = Bun.which('node')
const major =
  node === null ? 0 : Number(Bun.spawnSync([node, '-p', 'parseInt(process.versions.node)']).stdout.toString())
const runtimes: [string, string[]][] = [
  ['Bun', [process.execPath]],
  ...(node === null
    ? []
    : [['Node', [node, ...(major < 22 ? ['--experimental-websocket'] : [])]] as [string, string[]]]),
]

interface Stage {
  bot: Person
  channel_id: number
  live: Gateway
  use: (name: string, options?: object, draft?: object) => Promise<number>
}

/** Runs a program of the guide until it is online, in a server with alice. */
async function run(command: string[], at: number): Promise<Stage> {
  const { server_id, channel_id } = await place(alice)
  const bot = await botOf(alice, 'Dice')
  await addBot(alice, server_id, bot)
  const program = Bun.spawn([...command, `bot-${at}.mjs`, parley.url, bot.token], {
    cwd: folder,
    stdout: 'pipe',
    stderr: 'inherit',
  })
  running.push(program)
  let output = ''
  for await (const chunk of program.stdout) {
    output += new TextDecoder().decode(chunk)
    if (output.includes('online')) break
  }
  const live = await connect(alice)
  const commands = (await alice.get(`/api/channels/${channel_id}/commands`)).body
  const use = async (name: string, options: object = {}, draft: object = { kind: 'command' }) => {
    const command_id = commands.find((each: any) => each.name === name).id
    const begun = await alice.post('/api/interactions', { channel_id, command_id, options, ...draft })
    expect([begun.status, begun.body.errors]).toEqual([201, undefined])
    return begun.body.id
  }
  return { bot, channel_id, live, use }
}

const written = async ({ live }: Stage, pattern: RegExp) =>
  (await live.next('message.created', ({ d }) => pattern.test(d.content))).d
const nextAnswer = async ({ live }: Stage, id: number, kind: string) =>
  (await live.next('interaction.answered', ({ d }) => d.interaction_id === id && d.kind === kind)).d

test('docs/bots.md has three programs, and the first bot is one of fifteen lines', () => {
  // The third is run in test/features/interactions/interaction-posts.test.ts.
  expect(programs.length).toBe(3)
  expect(programs[0]?.trimEnd().split('\n').length).toBeLessThanOrEqual(15)
})

test('a bot that is started without arguments says what it needs', () => {
  const program = Bun.spawnSync([process.execPath, 'bot-0.mjs'], { cwd: folder, stdout: 'pipe', stderr: 'pipe' })
  expect(program.exitCode).toBe(1)
  expect(program.stderr.toString()).toContain('A bot needs { base, token }: the address of the server')
})

test('a bot comes online by an address that ends in a slash', async () => {
  const { server_id, channel_id } = await place(alice)
  const account = await botOf(alice, 'Slashes')
  await addBot(alice, server_id, account)
  const bot = new Bot({ base: `${parley.url}/`, token: account.token, intents: [] })
  await bot.command('ping', 'Says that it is there', (i) => i.reply('Pong!')).start()
  bot.stop()
  const commands = (await alice.get(`/api/channels/${channel_id}/commands`)).body
  expect(commands.map((each: any) => [each.application_id, each.name])).toEqual([[account.id, 'ping']])
})

/** A network between a program and the server, which can be interrupted. */
async function networkTo(url: string) {
  const sockets = new Set<Socket>()
  let isAway = false
  const server = createServer((near) => {
    if (isAway) return void near.destroy()
    const far = createConnection(Number(new URL(url).port), '127.0.0.1')
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one)
      one.on('error', () => {})
      one.on('close', () => {
        sockets.delete(one)
        other.destroy()
      })
      one.pipe(other)
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const setAway = (isAbsent: boolean) => {
    isAway = isAbsent
    if (isAbsent) for (const socket of sockets) socket.destroy()
  }
  const close = () => {
    setAway(true)
    server.close()
  }
  return { url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`, setAway, close }
}

test('a bot whose network was away reconnects by itself, and receives what it missed', async () => {
  const { server_id, channel_id } = await place(alice)
  const account = await botOf(alice, 'Listener')
  await addBot(alice, server_id, account)
  const network = await networkTo(parley.url)
  const bot = new Bot({ base: network.url, token: account.token, intents: ['messages', 'content'] })
  const soundStates: [string, boolean][] = []
  const { gateway } = bot.client
  gateway.listen(({ t, d, replayed }) => {
    if (t === 'message.created') soundStates.push([d.content, replayed === true])
  })
  await bot.command('ping', 'Says that it is there', (i) => i.reply('Pong!')).start()
  await say(alice, channel_id, 'Before')
  await until(() => soundStates.length === 1)
  network.setAway(true)
  await until(() => gateway.state !== 'online')
  await say(alice, channel_id, 'Meanwhile')
  network.setAway(false)
  await until(() => gateway.state === 'online')
  await say(alice, channel_id, 'After')
  await until(() => soundStates.some(([content]) => content === 'After'))
  // Delivery is at least once.
  expect(soundStates).toContainEqual(['Meanwhile', true])
  expect(soundStates[0]).toEqual(['Before', false])
  bot.stop()
  network.close()
})

for (const [name, command] of runtimes) {
  test(`the first bot of docs/bots.md answers under ${name}`, async () => {
    const stage = await run(command, 0)
    await stage.use('ping')
    expect((await written(stage, /^Pong!$/)).author.id).toBe(stage.bot.id)
    await stage.use('roll', { sides: 2 })
    expect((await written(stage, /rolled [12]\.$/)).data.answering).toEqual({ name: 'roll', user_id: alice.id })
    stage.live.close()
  })

  test(`the second bot of docs/bots.md defers, whispers, updates, asks and suggests under ${name}`, async () => {
    const stage = await run(command, 1)
    const report = await stage.use('report')
    await nextAnswer(stage, report, 'deferred')
    await written(stage, /^There are 42\.$/)
    expect((await nextAnswer(stage, report, 'ephemeral')).content).toBe('Only you see this.')
    await stage.use('count')
    const { id: message_id } = await written(stage, /^1$/)
    expect((await alice.post('/api/interactions', { kind: 'component', message_id, custom_id: 'again' })).status).toBe(
      201,
    )
    await stage.live.next('message.updated', ({ d }) => d.id === message_id && d.content === '2')
    const poll = await stage.use('poll')
    await nextAnswer(stage, poll, 'modal')
    const filled = { kind: 'modal', interaction_id: poll, custom_id: 'poll', values: { question: 'Owls?' } }
    expect((await alice.post('/api/interactions', filled)).status).toBe(201)
    await written(stage, /asks: Owls\?$/)
    const typed = await stage.use('bird', { bird: 'k' }, { kind: 'autocomplete', focused: 'bird' })
    expect((await nextAnswer(stage, typed, 'choices')).choices).toEqual([{ name: 'kingfisher', value: 'kingfisher' }])
    stage.live.close()
  })
}
