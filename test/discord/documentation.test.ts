import { afterAll, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { absentRoutes } from '../../src/discord/rest/absent.ts'
import { discordRoutes } from '../../src/discord/rest/routes.ts'
import { addBot, botOf } from '../support/bots.ts'
import { debianPython } from '../support/debian.ts'
import { boot, newServer, person, say, stop, until } from '../support/harness.ts'

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

/** Runs a program of the document against this server until it has answered `!ping`. */
async function answersPing(command: string[], code: string): Promise<void> {
  const bot = await botOf(alice, 'Pinger')
  await addBot(alice, home.server_id, bot)
  const { host } = new URL(parley.url)
  const here = code
    .replaceAll('https://chat.example.org', parley.url)
    .replaceAll('wss://chat.example.org', `ws://${host}`)
  expect(here).not.toBe(code)
  const program = Bun.spawn([...command, here], {
    cwd: root,
    env: { ...process.env, TOKEN: bot.token },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  try {
    await until(async () => {
      await say(alice, home.channel_id, '!ping')
      await Bun.sleep(500)
      const page = (await alice.get(`/api/channels/${home.channel_id}/messages?limit=5`)).body
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

const python = debianPython('discord', 'python3-discord')
test.skipIf(!python)('the bot of docs/discord.md for discord.py answers', () =>
  answersPing([python ?? '', '-c'], codeUnder('discord.py 2', 'python')),
)
