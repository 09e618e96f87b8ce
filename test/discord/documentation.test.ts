import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, readFileSync } from 'node:fs'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer } from 'node:tls'
import { absentRoutes } from '../../src/discord/rest/absent.ts'
import { discordRoutes } from '../../src/discord/rest/routes.ts'
import { addBot, botOf } from '../support/bots.ts'
import { debianPython } from '../support/debian.ts'
import { boot, newServer, person, say, stop, until } from '../support/harness.ts'
import { selfSigned } from '../support/turn-client.ts'

const root = join(import.meta.dir, '../..')
const document = readFileSync(join(root, 'docs/discord.md'), 'utf8')
const parley = await boot()
const alice = await person(parley, 'alice')
const home = await newServer(alice)
afterAll(() => stop(parley))

/** The first block of code in a language below a heading. */
function codeUnder(heading: string, language: string): string {
  const [, section = ''] = document.split(`## ${heading}\n`)
  const [, code = ''] = new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``).exec(section) ?? []
  expect(code).not.toBe('')
  return code
}

const toThisServer = (code: string) =>
  code
    .replaceAll('https://chat.example.org', parley.url)
    .replaceAll('wss://chat.example.org', parley.url.replace('http', 'ws'))

/** Runs a program of the document, with the address of a server, until it has answered `!ping`. */
async function answersPing(
  command: string[],
  code: string,
  { withAddress = toThisServer, owner = alice, variables = {} } = {},
): Promise<void> {
  const bot = await botOf(owner, 'Pinger')
  const place = owner === alice ? home : await newServer(owner)
  await addBot(owner, place.server_id, bot)
  const program = Bun.spawn([...command, withAddress(code)], {
    cwd: root,
    env: { ...process.env, TOKEN: bot.token, ...variables },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  try {
    await until(async () => {
      await say(owner, place.channel_id, '!ping')
      await Bun.sleep(500)
      const page = (await owner.get(`/api/channels/${place.channel_id}/messages?limit=5`)).body
      return page.some(({ author, content }: any) => author.id === bot.id && content === 'Pong!')
    })
  } finally {
    program.kill()
    await program.exited
  }
}

const node = Bun.which('node')
const javaScript = node ? [node, '--input-type=module', '-e'] : [process.execPath, '-e']

test('the bot of docs/discord.md for discord.js answers', () =>
  answersPing(javaScript, codeUnder('discord.js 14', 'js')))

test('the bot of docs/discord.md for oceanic.js answers', () =>
  answersPing(javaScript, codeUnder('oceanic.js 1', 'js')))

test('the bot of docs/discord.md for Sapphire answers', () => answersPing(javaScript, codeUnder('Sapphire', 'js')))

test('the bot of docs/discord.md for @discordjs/core answers', () =>
  answersPing(javaScript, codeUnder('@discordjs/core', 'js')))

test('docs/discord.md has each call of the door, and says which of them do nothing', () => {
  const rows = [...document.matchAll(/^\| `([A-Z]+ \S+)` \| (works|differs|not) \|/gm)]
  const listed = rows.map(([, name = '']) => name)
  // The routes are only listed, so nothing answers.
  const routes = discordRoutes(undefined as never).map(({ method, pattern }) => `${method} ${pattern}`)
  expect(listed.toSorted()).toEqual(routes.toSorted())
  const absent = absentRoutes.map(({ method, pattern }) => `${method} ${pattern}`)
  const works = rows.flatMap(([, name = '', state]) => (state === 'works' ? name : []))
  expect(works.filter((name) => absent.includes(name))).toEqual([])
})

test('the bot of docs/discord.md for eris answers over TLS', async () => {
  const paths = selfSigned(mkdtempSync(join(tmpdir(), 'tls-')), 'localhost')
  const certificate = { cert: readFileSync(paths.TURN_TLS_CERT), key: readFileSync(paths.TURN_TLS_KEY) }
  let behind = 0
  const tls = createServer(certificate, (client) => {
    const upstream = connect(behind, '127.0.0.1')
    for (const socket of [client, upstream]) socket.on('error', () => client.destroy())
    client.pipe(upstream).pipe(client)
  })
  await new Promise<void>((resolve) => tls.listen(0, '127.0.0.1', resolve))
  const { port } = tls.address() as AddressInfo
  const secured = await boot({ PUBLIC_URL: `https://localhost:${port}` })
  behind = Number(new URL(secured.url).port)
  // The port and the certificate are those of this test.
  const agent = `agent: new (await import('node:https')).Agent({ port: ${port} }), domain: 'localhost'`
  await answersPing(javaScript, codeUnder('eris', 'js'), {
    withAddress: (code) => code.replace("domain: 'chat.example.org'", agent),
    owner: await person(secured, 'alice'),
    variables: { NODE_TLS_REJECT_UNAUTHORIZED: '0' },
  })
  tls.close()
  await stop(secured)
})

const python = debianPython('discord', 'python3-discord')
test.skipIf(!python)('the bot of docs/discord.md for discord.py answers', () =>
  answersPing([python ?? '', '-c'], codeUnder('discord.py 2', 'python')),
)
