import { beforeAll, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { launchChromium } from '../../support/browser/chromium.ts'
import { addBot, botOf } from '../../support/bots.ts'
import { person, newServer, standard } from '../../support/harness.ts'
import { emptyFolder, INSTALL_MS_MAX, packClient, runProgram } from '../../support/packed-client.ts'

const parley = await standard()
const root = join(import.meta.dir, '../../..')
const directory = mkdtempSync(join(tmpdir(), 'parley-package-'))

/** The packages that a folder has. */
const installed = (folder: string) => readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.'))

let tarball = ''
beforeAll(async () => void (tarball = await packClient(directory)), INSTALL_MS_MAX)

const CONSUMER = `import { Bot } from 'parley/bot'
import { ApiError, openClient } from 'parley/client'
import { VoiceCall, voiceGateway } from 'parley/voice'
const [, , base, token, channel_id, bot_token] = process.argv
const client = openClient({ base, token })
const { username } = await client.call('GET /api/auth/me')
const refused = await client.call('POST /api/servers', {}, { name: '' }).catch((error) => error)
const online = new Promise((resolve) => client.gateway.watch((state) => state === 'online' && resolve(state)))
client.gateway.connect()
const state = await online
const heard = new Promise((resolve) => client.gateway.listen(({ t, d }) => t === 'message.created' && resolve(d)))
client.outbox.send({ channel_id: Number(channel_id) }, { content: 'A kingfisher!', file_ids: [], reply_to_id: null })
const { content } = await heard
const bot = new Bot({ base, token: bot_token, intents: [] })
bot.command('ping', 'Says that it is there', (i) => i.reply('Pong!'))
await bot.start()
const answered = new Promise((resolve) => client.gateway.listen(({ t, d }) => t === 'message.created' && resolve(d)))
const place = { channel_id: Number(channel_id) }
const [ping] = await client.call('GET /api/channels/:channel_id/commands', place)
await client.call('POST /api/interactions', {}, { kind: 'command', ...place, command_id: ping.id, options: {} })
const { content: answer } = await answered
bot.stop()
client.gateway.disconnect()
const call = [typeof VoiceCall.join, typeof voiceGateway(client.gateway).command].join()
const { code } = refused instanceof ApiError ? refused : {}
console.log(JSON.stringify({ username, refused: code, state, content, answer, call }))
process.exit(0)
`

async function consume(folder: string, ...program: string[]) {
  writeFileSync(join(folder, 'consumer.mjs'), CONSUMER)
  const alice = await person(parley, 'alice')
  const { server_id, channel_id } = await newServer(alice)
  const bot = await botOf(alice, 'Pinger')
  await addBot(alice, server_id, bot)
  const args = [parley.url, alice.token, String(channel_id), bot.token]
  const output = await runProgram(folder, ...program, 'consumer.mjs', ...args)
  expect(JSON.parse(output)).toEqual({
    username: expect.stringMatching(/^alice/),
    refused: 'validation_failed',
    state: 'online',
    content: 'A kingfisher!',
    answer: 'Pong!',
    call: 'function,function',
  })
}

const TYPED_CONSUMER = `import { Bot, type Interaction } from 'parley/bot'
import { type AnswerOf, ApiError, type EventFrame, openClient } from 'parley/client'
import { VoiceCall, voiceGateway } from 'parley/voice'
const client = openClient({ base: 'https://chat.example.org', token: 'secret' })
export const me: Promise<AnswerOf<'GET /api/auth/me'>> = client.call('GET /api/auth/me')
export const send = (channel_id: number) =>
  client.call('POST /api/channels/:channel_id/messages', { channel_id }, { content: 'A kingfisher!' })
client.gateway.listen((frame: EventFrame) => frame.t === 'message.created' && console.log(frame.d.author.display_name))
export const join = (channel_id: number) => VoiceCall.join({ gateway: voiceGateway(client.gateway), channel_id })
export const isGone = (error: unknown) => error instanceof ApiError && error.code === 'not_found'
const reply = (i: Interaction) => i.reply({ content: String(i.options.sides), ephemeral: true })
const sides = { name: 'sides', description: 'Sides', type: 'integer' } as const
export const bot = new Bot({ base: 'https://chat.example.org', token: 'secret', intents: ['messages'] })
  .command('roll', { description: 'Rolls a die', options: [sides] }, reply)
  .component('again', (i) => i.update({ content: 'Again', components: [] }))
// @ts-expect-error: there is no such intent
export const odd = new Bot({ base: 'https://chat.example.org', token: 'secret', intents: ['birds'] })
// @ts-expect-error: a server needs a name
export const wrong = client.call('POST /api/servers', {}, { description: 'Everything with feathers' })
`

test('the packed manifest has no dependencies; what its types name are optional peers', async () => {
  const folder = join(directory, 'manifest')
  mkdirSync(folder)
  await runProgram(folder, 'tar', 'xzf', tarball)
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const manifest = JSON.parse(readFileSync(join(folder, 'package/package.json'), 'utf8'))
  expect(Object.keys(manifest)).not.toContain('dependencies')
  expect(manifest.peerDependencies).toEqual({
    zod: `^${dependencies.zod}`,
    'mediasoup-client': `^${dependencies['mediasoup-client']}`,
  })
  expect(manifest.peerDependenciesMeta).toEqual({ zod: { optional: true }, 'mediasoup-client': { optional: true } })
})

test(
  'the packed project adds nothing else to an empty folder, runs under Bun and types its consumer',
  async () => {
    const folder = emptyFolder(directory, 'bun')
    await runProgram(folder, process.execPath, 'add', '--no-save', tarball)
    expect(installed(folder)).toEqual(['parley'])
    await consume(folder, process.execPath)
    // The types import these, so TypeScript projects install them.
    for (const name of ['zod', 'mediasoup-client'])
      symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name))
    const guide = readFileSync(join(root, 'docs/clients.md'), 'utf8')
    const programs = [TYPED_CONSUMER, ...[...guide.matchAll(/```ts\n(.*?)```/gs)].map(([, program = '']) => program)]
    expect(programs).toHaveLength(3)
    const files = programs.map((_, at) => `consumer-${at}.ts`)
    for (const [at, program] of programs.entries()) writeFileSync(join(folder, `consumer-${at}.ts`), program)
    const tsc = join(root, 'node_modules/typescript/bin/tsc')
    for (const [module, moduleResolution] of [
      ['nodenext', 'nodenext'],
      ['esnext', 'bundler'],
    ]) {
      const compilerOptions = { module, moduleResolution, target: 'esnext', strict: true, noEmit: true, types: [] }
      writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }))
      await runProgram(folder, process.execPath, tsc, '-p', '.')
    }
  },
  INSTALL_MS_MAX,
)

const node = Bun.which('node')
const npm = Bun.which('npm')
test.skipIf(node === null || npm === null)(
  'npm installs the packed project and nothing else into an empty folder, and it runs under Node',
  async () => {
    if (node === null || npm === null) throw new Error('There is no Node')
    const folder = emptyFolder(directory, 'node')
    await runProgram(folder, npm, 'install', '--no-audit', '--no-fund', tarball)
    expect(installed(folder)).toEqual(['parley'])
    const [major = 0] = (await runProgram(folder, node, '-p', 'process.versions.node')).split('.').map(Number)
    await consume(folder, node, ...(major < 22 ? ['--experimental-websocket'] : []))
  },
  INSTALL_MS_MAX,
)

test(
  'a browser loads the built modules unchanged, under the policy of Parley’s own page',
  async () => {
    const folder = join(directory, 'modules')
    mkdirSync(folder)
    await runProgram(folder, 'tar', 'xzf', tarball)
    const dist = join(folder, 'package/dist')
    const alice = await person(parley, 'alice')
    const robot = await botOf(alice, 'Browsing')
    const browser = await launchChromium()
    const page = await browser.newPage()
    await page.route('**/dist/*', (route) =>
      route.fulfill({ path: join(dist, basename(route.request().url())), contentType: 'text/javascript' }),
    )
    await page.goto(parley.url)
    const result = await page.evaluate(`(async () => {
      const { openClient } = await import('/dist/client.js')
      const { VoiceCall } = await import('/dist/voice.js')
      const { call, gateway } = openClient({ token: '${alice.token}' })
      const online = new Promise((resolve) => gateway.watch((state) => state === 'online' && resolve(state)))
      gateway.connect()
      const { Bot } = await import('/dist/bot.js')
      const bot = new Bot({ base: location.origin, token: '${robot.token}' })
      await bot.start()
      const { id } = await bot.client.call('GET /api/auth/me')
      bot.stop()
      return [(await call('GET /api/auth/me')).id, await online, typeof VoiceCall.join, id]
    })()`)
    expect(result).toEqual([alice.id, 'online', 'function', robot.id])
    const modules = readdirSync(dist).filter((name) => name.endsWith('.js'))
    const scan = new Bun.Transpiler({ loader: 'js' })
    const imports = modules.flatMap((name) => scan.scanImports(readFileSync(join(dist, name), 'utf8')))
    for (const { path } of imports) expect(modules).toContain(path.replace('./', ''))
    await browser.close()
  },
  INSTALL_MS_MAX,
)
