import { createWriteStream, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { end, track } from './processes.ts'
import { atMost, type Figure } from './report.ts'
import { seed } from './seed.ts'
import { type BenchServer, withServer } from './server.ts'

const MESSAGES = Number(process.env.IMPORT_MESSAGES ?? 1_000_000)
const CHANNELS = 20
const PEOPLE = 500
const MEMORY_MB_MAX = 512
const SAMPLE_MS = 200

const words = 'kingfisher heron reed marsh nest dawn water bank grebe rail bittern swift willow'.split(' ')

/** A message in DiscordChatExporter's format: with its author's roles, some replies, mentions and reactions. */
function message(nth: number, first: bigint): object {
  const user = (id: number) => ({
    id: String(830_000_000_000_000_000n + BigInt(id)),
    name: `person${id}`,
    discriminator: '0000',
    nickname: `Person ${id}`,
    color: '#3A7BD5',
    isBot: false,
    roles: [{ id: '820000000000000001', name: 'Wardens', color: '#3A7BD5', position: 3 }],
    avatarUrl: `https://cdn.discordapp.com/avatars/${id}/0.png?size=512`,
  })
  const id = first + BigInt(nth)
  const isReply = nth % 5 === 4
  const sentence = Array.from({ length: 4 + (nth % 20) }, (_, at) => words[(nth * 7 + at * 3) % words.length]).join(' ')
  const emoji = { id: '', name: '👍', code: 'thumbsup', isAnimated: false, imageUrl: 'https://example.org/1f44d.svg' }
  return {
    id: String(id),
    type: isReply ? 'Reply' : 'Default',
    timestamp: new Date(Date.UTC(2020, 0, 1) + nth * 1000).toISOString().replace('Z', '+00:00'),
    timestampEdited: null,
    callEndedTimestamp: null,
    isPinned: false,
    content: sentence,
    author: user(nth % PEOPLE),
    attachments: [],
    embeds: [],
    stickers: [],
    reactions: nth % 10 === 0 ? [{ emoji, count: 2, users: [user(1), user(2)] }] : [],
    mentions: isReply ? [user((nth + 1) % PEOPLE)] : [],
    ...(isReply ? { reference: { messageId: String(id - 3n), channelId: '1', guildId: '1' } } : {}),
    inlineEmojis: [],
  }
}

/** Writes an export. @returns its size in bytes */
async function writeExport(folder: string): Promise<number> {
  let bytes = 0
  for (let channel = 0; channel < CHANNELS; channel++) {
    const path = join(folder, `channel-${channel}.json`)
    const file = createWriteStream(path)
    const head = {
      guild: { id: '811111111111111111', name: 'Birds', iconUrl: 'https://example.org/icon.png' },
      channel: { id: String(860_000_000_000_000_000n + BigInt(channel)), type: 'GuildTextChat', name: `c${channel}` },
    }
    file.write(`${JSON.stringify(head, null, 2).slice(0, -2)},\n  "messages": [`)
    const first = 900_000_000_000_000_000n + BigInt(channel) * 10_000_000n
    for (let nth = 0; nth < MESSAGES / CHANNELS; nth++) {
      const written = `${nth > 0 ? ',' : ''}\n${JSON.stringify(message(nth, first), null, 2)}`
      if (!file.write(written)) await once(file, 'drain')
    }
    file.end('\n  ]\n}')
    await once(file, 'close')
    bytes += statSync(path).size
  }
  return bytes
}

/** Runs the import next to the running server. @returns seconds, and the peak memory of the process in MB */
async function importInto({ data }: BenchServer, folder: string): Promise<{ seconds: number; memory: number }> {
  const program = join(import.meta.dir, '../src/cli/import.ts')
  const started = performance.now()
  const child = track(
    Bun.spawn([process.execPath, program, 'discord', folder, '--owner', '1'], {
      env: { ...process.env, DATA_DIR: data },
      stdio: ['ignore', 'ignore', 'inherit'],
    }),
  )
  let memory = 0
  const timer = setInterval(() => {
    try {
      const peak = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]
      memory = Math.max(memory, Number(peak ?? 0) / 1000)
    } catch {
      // The process has just ended.
    }
  }, SAMPLE_MS)
  const code = await child.exited
  clearInterval(timer)
  const seconds = (performance.now() - started) / 1000
  await end(child)
  if (code !== 0) throw new Error(`The import ended with ${code}`)
  return { seconds, memory }
}

/** Imports an export of Discord next to a running server: both passes. */
export const imports = (): Promise<Figure[]> =>
  withServer(async (bench) => {
    await seed(bench, { users: 1, servers: 0, servers_per_user: 0, channels_per_server: 0 })
    const folder = mkdtempSync(join(tmpdir(), 'parley-export-'))
    try {
      const bytes = await writeExport(folder)
      const { seconds, memory } = await importInto(bench, folder)
      const [row] = await bench.sql<[{ count: number }]>`select count(*) as count from messages`
      if (row.count !== MESSAGES) throw new Error(`${row.count} messages are there`)
      const megabytes = Math.round(bytes / 1e6).toLocaleString('en')
      const size = `${MESSAGES.toLocaleString('en')} messages, ${megabytes} MB of JSON`
      return [
        { name: `import of ${size}`, unit: 'messages/s', parley: [MESSAGES / seconds] },
        {
          name: 'the most memory that the import takes',
          unit: 'MB',
          parley: [memory],
          target: atMost(MEMORY_MB_MAX, memory),
        },
      ]
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
