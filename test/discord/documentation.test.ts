import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { absentRoutes } from '../../src/discord/rest/absent.ts'
import { discordRoutes } from '../../src/discord/rest/routes.ts'
import { addBot, botOf } from '../support/bots.ts'
import { expectListed } from '../support/discord-calls.ts'
import { debianGo, debianPython } from '../support/debian.ts'
import { boot, newServer, person, say, stop, until } from '../support/harness.ts'
import { tlsFront } from '../support/tls-front.ts'

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
  const tls = await tlsFront()
  const { port } = tls
  const secured = await boot({ PUBLIC_URL: `https://localhost:${port}` })
  tls.behind = Number(new URL(secured.url).port)
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

const go = debianGo('github.com/bwmarrin/discordgo', 'golang-github-bwmarrin-discordgo-dev')
test.skipIf(!go)('the bot of docs/discord.md for discordgo answers', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'go-'))
  const [source, program] = [join(folder, 'main.go'), join(folder, 'bot')]
  writeFileSync(source, toThisServer(codeUnder('discordgo', 'go')))
  const { program: compiler = '', variables = {} } = go ?? {}
  const env = { ...process.env, ...variables, GOCACHE: join(folder, 'cache') }
  const build = Bun.spawnSync([compiler, 'build', '-o', program, source], { env, stderr: 'inherit' })
  expect(build.exitCode).toBe(0)
  await answersPing([program], '')
})

test('docs/discord.md has a paragraph for each library, and names each call that their bots made', async () => {
  const headings = [...document.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading ?? '')
  for (const library of [
    'discord.js 14',
    'Sapphire',
    '@discordjs/core',
    'oceanic.js 1',
    'discord.py 2',
    'eris',
    'discordgo',
    'JDA',
    'serenity',
  ])
    expect(headings).toContain(library)
  await expectListed(parley)
})
