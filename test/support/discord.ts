import { Client, Events, GatewayIntentBits, Options, Partials } from 'discord.js'
import { snowflake } from '../../src/discord/snowflake.ts'
import type { Parley } from '../../src/parley.ts'
import { type Person, until } from './harness.ts'

/** The one line by which a bot made for Discord finds its way here. */
export const apiOf = ({ url }: Pick<Parley, 'url'>) => `${url}/discord/api`

/** Intents of bots that read everything. */
export const ALL = [
  GatewayIntentBits.Guilds,
  GatewayIntentBits.GuildMembers,
  GatewayIntentBits.GuildMessages,
  GatewayIntentBits.GuildMessageReactions,
  GatewayIntentBits.GuildMessageTyping,
  GatewayIntentBits.GuildPresences,
  GatewayIntentBits.GuildExpressions,
  GatewayIntentBits.DirectMessages,
  GatewayIntentBits.MessageContent,
]

/** An unmodified client of discord.js. */
export const discordClient = (parley: Pick<Parley, 'url'>, intents = ALL): Client =>
  new Client({
    intents,
    partials: [Partials.Channel, Partials.Message, Partials.Reaction],
    rest: { api: apiOf(parley), retries: 0 },
    makeCache: Options.cacheEverything(),
  })

/** Logs a bot in, and waits until it has its servers. */
export async function loggedIn(parley: Pick<Parley, 'url'>, bot: Person, client = discordClient(parley)) {
  const ready = new Promise<Client<true>>((resolve) => client.once(Events.ClientReady, resolve))
  await client.login(bot.token)
  return ready
}

/** The Discord id of a row. */
export const snowflakeOf = ({ id, created_at }: { id: number; created_at: string }) =>
  snowflake(id, Date.parse(created_at))

/** The contents of the frames of one type that a bot gets from now on, as they come over the wire. */
export function framesOf(of: Client, type: string): any[] {
  const frames: any[] = []
  of.setMaxListeners(50)
  of.on(Events.Raw as never, (frame: { t: string; d: unknown }) => {
    if (frame.t === type) frames.push(frame.d)
  })
  return frames
}

/** Waits for the next of these frames, and takes it. */
export async function nextOf(frames: any[]): Promise<any> {
  await until(() => frames.length > 0)
  return frames.shift()
}
