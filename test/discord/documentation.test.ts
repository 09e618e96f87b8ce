import { afterAll, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { addBot, botOf } from '../support/bots.ts'
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
  const here = code.replaceAll('https://chat.example.org', parley.url)
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

test('the bot of docs/discord.md for discord.js answers', async () => {
  const node = Bun.which('node')
  const command = node ? [node, '--input-type=module', '-e'] : [process.execPath, '-e']
  await answersPing(command, codeUnder('discord.js 14', 'js'))
})
