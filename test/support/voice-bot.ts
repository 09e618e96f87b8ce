import { mkdtempSync, readFileSync } from 'node:fs'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer } from 'node:tls'
import { selfSigned } from './turn-client.ts'
import { until } from './until.ts'

/**
 * A bot of discord.js and @discordjs/voice, both as npm has them, in a process of its own. Each line of its input is a
 * step; it prints its state after each change.
 */
const PROGRAM = `
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { Client, GatewayIntentBits } from 'discord.js'
import * as voice from '@discordjs/voice'
import OpusScript from 'opusscript'

const state = { ready: false, statuses: [], players: [], packets: 0, energy: 0, errors: [], voices: [], playedMs: 0 }
let lastLine = ''
const tell = () => {
  state.playedMs = player.state.resource?.playbackDuration ?? 0
  const text = JSON.stringify(state)
  if (text !== lastLine) console.log(text)
  lastLine = text
}
const client = new Client({
  intents: [GatewayIntentBits.Guilds, GatewayIntentBits.GuildVoiceStates],
  rest: { api: process.env.API },
})
client.on('error', (error) => state.errors.push(error.message))
client.on('voiceStateUpdate', (_, { id, channelId }) => state.voices.push([id, channelId]))
client.once('clientReady', () => (state.ready = true))
let connection
const player = voice.createAudioPlayer({ behaviors: { noSubscriber: voice.NoSubscriberBehavior.Pause } })
player.on('stateChange', (_, { status }) => state.players.push(status))
player.on('error', (error) => state.errors.push(error.message))
setInterval(tell, 100)
const steps = {
  join({ guild, channel, ...options }) {
    const { voiceAdapterCreator: adapterCreator } = client.guilds.cache.get(guild)
    connection = voice.joinVoiceChannel({ guildId: guild, channelId: channel, adapterCreator, ...options })
    connection.on('stateChange', (_, { status, closeCode }) => {
      // Later states still have the code.
      state.statuses.push(status === 'disconnected' ? (closeCode ?? status) : status)
    })
    connection.on('error', (error) => state.errors.push(error.message))
    if (process.env.DEBUG_VOICE) connection.on('debug', (text) => console.error(text))
    connection.subscribe(player)
  },
  play({ path }) {
    const file = createReadStream(path)
    player.play(voice.createAudioResource(file, { inputType: voice.StreamType.OggOpus }))
  },
  record({ user }) {
    const decoder = new OpusScript(48000, 2)
    connection.receiver.subscribe(user).on('data', (packet) => {
      state.packets++
      const samples = decoder.decode(packet)
      for (let at = 0; at < samples.length; at += 2) state.energy += (samples.readInt16LE(at) / 32768) ** 2
    })
  },
  rejoin: (options) => connection.rejoin(options),
  leave: () => connection.destroy(),
  // The network between the library and the voice gateway fails.
  breakVoice: () => connection.state.networking.state.ws.ws.terminate(),
}
createInterface({ input: process.stdin }).on('line', (line) => {
  const { step, ...d } = JSON.parse(line)
  steps[step](d)
})
await client.login(process.env.TOKEN)
`

export interface BotState {
  ready: boolean
  /** The states of the voice connection, in their order; numbers are close codes. */
  statuses: (string | number)[]
  players: string[]
  packets: number
  energy: number
  errors: string[]
  voices: [userId: string, channelId: string | null][]
  /** How much of the file was played, ms. */
  playedMs: number
}

export class VoiceBot {
  state: BotState = {
    ready: false,
    statuses: [],
    players: [],
    packets: 0,
    energy: 0,
    errors: [],
    voices: [],
    playedMs: 0,
  }
  #process: Bun.Subprocess<'pipe', 'pipe', 'inherit'>

  private constructor(url: string, token: string) {
    this.#process = Bun.spawn([Bun.which('node') ?? process.execPath, '--input-type=module', '-e', PROGRAM], {
      cwd: join(import.meta.dir, '../..'),
      env: {
        ...process.env,
        NODE_NO_WARNINGS: '1',
        API: `${url}/discord/api`,
        TOKEN: token,
        NODE_TLS_REJECT_UNAUTHORIZED: '0',
      },
      stdin: 'pipe',
      stdout: 'pipe',
      stderr: 'inherit',
    })
    void this.#read()
  }

  static async start(url: string, token: string): Promise<VoiceBot> {
    const bot = new VoiceBot(url, token)
    await until(() => bot.state.ready)
    return bot
  }

  do(step: string, d: object = {}): void {
    this.#process.stdin.write(`${JSON.stringify({ step, ...d })}\n`)
    void this.#process.stdin.flush()
  }

  get status() {
    return this.state.statuses.at(-1)
  }

  /** Ends the process as a crash does. */
  async kill(): Promise<void> {
    this.#process.kill('SIGKILL')
    await this.#process.exited
  }

  async #read(): Promise<void> {
    let rest = ''
    for await (const chunk of this.#process.stdout.pipeThrough(new TextDecoderStream())) {
      const lines = (rest + chunk).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) this.state = JSON.parse(line)
    }
  }
}

/** A TLS proxy in front of a server, since libraries for voice speak only TLS. */
export async function tlsFront() {
  const paths = selfSigned(mkdtempSync(join(tmpdir(), 'tls-')), 'localhost')
  const clients = new Set<Socket>()
  const front = {
    url: '',
    /** The port of the server behind it. */
    port: 0,
    /** The port of the server for connections to the voice gateway, if it is another one. */
    voicePort: undefined as number | undefined,
    cut: () => clients.forEach((client) => client.destroy()),
    close: () => {
      tls.close()
      front.cut()
    },
  }
  const certificate = { cert: readFileSync(paths.TURN_TLS_CERT), key: readFileSync(paths.TURN_TLS_KEY) }
  const tls = createServer(certificate, (client) => {
    clients.add(client)
    client.on('close', () => clients.delete(client))
    client.on('error', () => client.destroy())
    client.once('data', (first: Buffer) => {
      const isVoice = first.toString('latin1').startsWith('GET /discord/voice')
      const upstream = connect((isVoice ? front.voicePort : undefined) ?? front.port, '127.0.0.1')
      client.on('close', () => upstream.destroy())
      upstream.on('error', () => client.destroy())
      upstream.on('close', () => client.end())
      upstream.write(first)
      client.pipe(upstream).pipe(client)
    })
  })
  await new Promise<void>((resolve) => tls.listen(0, '127.0.0.1', resolve))
  front.url = `https://localhost:${(tls.address() as AddressInfo).port}`
  return front
}
