import { z } from 'zod'
import { messageOf, RefusesToBoot } from '../../core/errors.ts'
import { ALL_PERMISSIONS } from '../../core/permissions.ts'
import { EMOJI_BYTES_MAX } from '../emoji/model.ts'
import { DiscordOnboarding } from './discord-community.ts'
import { Snowflake } from './discord-format.ts'
import { cleanName } from './names.ts'

const BYTES_MAX = 32 * 1024 ** 2
const LIST_MAX = 10_000
const MEMBERS_AT_ONCE = 1_000
/** Discord allows a bot about this many members without verification. */
const MEMBERS_MAX = 250_000
const NAME_MAX = 100
const ANSWER_SECONDS_MAX = 60
const PICTURE_SECONDS_MAX = 20
const TRIES_MAX = 6
const PAUSE_SECONDS_MAX = 300
const AGENT = 'DiscordBot (parley, 1)'

const name = z.string().max(4_096)

/** Discord's permission bits, translated to the bits that mean the same here. */
const Bits = z
  .string()
  .regex(/^\d{1,40}$/, 'Must be a sum of permissions')
  .transform((sum) => Number(BigInt(sum) & BigInt(ALL_PERMISSIONS)))

// https://discord.com/developers/docs/topics/permissions#role-object
const Role = z.object({
  id: Snowflake,
  name,
  color: z.int().min(0).max(0xffffff).default(0),
  hoist: z.boolean().default(false),
  mentionable: z.boolean().default(false),
  position: z.int().default(0),
  permissions: Bits,
  icon: z
    .string()
    .regex(/^\w{1,64}$/)
    .nullish()
    .catch(null),
})

/** For a role (type 0) or a person (type 1). */
const Overwrite = z.object({ id: Snowflake, type: z.int(), allow: Bits, deny: Bits })

// https://discord.com/developers/docs/resources/channel#channel-object
const Channel = z.object({
  id: Snowflake,
  name: name.nullish(),
  permission_overwrites: z.array(Overwrite).max(LIST_MAX).default([]),
})

// https://discord.com/developers/docs/resources/guild#guild-member-object
const Member = z.object({
  user: z.object({ id: Snowflake, username: name, global_name: name.nullish() }),
  nick: name.nullish(),
  roles: z.array(Snowflake).max(LIST_MAX),
  joined_at: z.iso.datetime({ offset: true }).nullish(),
})
type Member = z.infer<typeof Member>

// https://discord.com/developers/docs/resources/sticker#sticker-object
const Sticker = z.object({ id: Snowflake, description: name.nullish() })

/** Members, roles, permissions and stickers of a Discord server. */
export interface GuildAccess {
  roles: z.infer<typeof Role>[]
  channels: Map<string, z.infer<typeof Channel>>
  members: Member[]
  /** Automod rules, each still to be read; undefined if the bot may not see them. */
  automod: unknown[] | undefined
  /** Undefined if the bot may not see it. */
  onboarding: DiscordOnboarding | undefined
  stickers: z.infer<typeof Sticker>[]
}

/** Discord's REST API, read with a bot's token, which is sent only in the Authorization header. */
export class DiscordRest {
  /**
   * @param at base URLs without a trailing slash: of the API with its version, and of pictures @param token the bot's
   */
  constructor(
    private readonly at: { address: string; cdn: string },
    private readonly token: string,
    private readonly signal: AbortSignal,
  ) {}

  /**
   * Fetches what an export does not contain of a server.
   * @param exportedName the server's name in the export
   * @throws RefusesToBoot
   */
  async access(id: string, exportedName: string): Promise<GuildAccess> {
    const name = cleanName(exportedName, NAME_MAX, id)
    const guildPath = `/guilds/${id}`
    const roles = await this.#read(`${guildPath}/roles`, name, z.array(Role).max(LIST_MAX))
    const channels = await this.#read(`${guildPath}/channels`, name, z.array(Channel).max(LIST_MAX))
    const stickers = await this.#read(`${guildPath}/stickers`, name, z.array(Sticker).max(LIST_MAX))
    const members = await this.#members(guildPath, name)
    const automod = await this.#readIfAllowed(
      `${guildPath}/auto-moderation/rules`,
      name,
      z.array(z.unknown()).max(LIST_MAX),
    )
    const onboarding = await this.#readIfAllowed(`${guildPath}/onboarding`, name, DiscordOnboarding)
    return {
      stickers,
      roles,
      channels: new Map(channels.map((channel) => [channel.id, channel])),
      members,
      automod,
      onboarding,
    }
  }

  /**
   * The small picture of a role, fetched without the token.
   * @param icon the picture's name on Discord
   * @returns undefined if Discord does not give it, or it is too large
   */
  async rolePicture(id: string, icon: string): Promise<Uint8Array | undefined> {
    const signal = AbortSignal.any([this.signal, AbortSignal.timeout(PICTURE_SECONDS_MAX * 1000)])
    const options = { headers: { 'user-agent': AGENT }, redirect: 'error' as const, signal }
    try {
      const answer = await fetch(`${this.at.cdn}/role-icons/${id}/${icon}.png?size=128`, options)
      const bytes = await bytesOf(answer, EMOJI_BYTES_MAX)
      return answer.status === 200 ? bytes : undefined
    } catch {
      this.signal.throwIfAborted()
      return undefined
    }
  }

  async #members(guildPath: string, name: string): Promise<Member[]> {
    const members: Member[] = []
    for (let after = 0n; ;) {
      const path = `${guildPath}/members?limit=${MEMBERS_AT_ONCE}&after=${after}`
      const page = await this.#read(path, name, z.array(Member).max(MEMBERS_AT_ONCE))
      const newMembers = page.filter(({ user }) => BigInt(user.id) > after)
      members.push(...newMembers)
      if (members.length > MEMBERS_MAX) throw new RefusesToBoot(`${name} has more than ${MEMBERS_MAX} members.`)
      if (page.length < MEMBERS_AT_ONCE || newMembers.length === 0) return members
      for (const { user } of newMembers) if (BigInt(user.id) > after) after = BigInt(user.id)
    }
  }

  async #read<S extends z.ZodType>(path: string, name: string, schema: S): Promise<z.infer<S>> {
    const answer = await this.#readIfAllowed(path, name, schema, [])
    return answer as z.infer<S>
  }

  /** @returns undefined if Discord refuses with one of these statuses */
  async #readIfAllowed<S extends z.ZodType>(
    path: string,
    name: string,
    schema: S,
    refusals = [403, 404],
  ): Promise<z.infer<S> | undefined> {
    for (let nth = 1; ; nth++) {
      const answer = await this.#ask(path)
      const { status } = answer
      if (status === 200) return this.#parse(path, await textOf(answer), schema)
      const body = await textOf(answer)
      if (refusals.includes(status)) return undefined
      if ((status !== 429 && status < 500) || nth === TRIES_MAX) throw new RefusesToBoot(refusal(status, path, name))
      await this.#pause(status === 429 ? pauseOf(answer, body) : 2 ** nth / 4)
    }
  }

  #ask(path: string): Promise<Response> {
    return fetch(`${this.at.address}${path}`, {
      headers: { authorization: `Bot ${this.token}`, 'user-agent': AGENT },
      // Do not send the token to another host.
      redirect: 'error',
      signal: AbortSignal.any([this.signal, AbortSignal.timeout(ANSWER_SECONDS_MAX * 1000)]),
    }).catch((error: unknown) => {
      this.signal.throwIfAborted()
      throw new RefusesToBoot(`Discord does not answer at ${this.at.address} (${messageOf(error)}).`)
    })
  }

  #parse<S extends z.ZodType>(path: string, text: string, schema: S): z.infer<S> {
    const result = schema.safeParse(jsonOf(text))
    if (result.success) return result.data
    const [issue] = result.error.issues
    throw new RefusesToBoot(`Discord answered ${path} otherwise than it documents (${issue?.path.join('.')}).`)
  }

  async #pause(seconds: number): Promise<void> {
    const pause = Promise.withResolvers<void>()
    const timer = setTimeout(pause.resolve, Math.min(seconds, PAUSE_SECONDS_MAX) * 1000)
    const abort = () => pause.reject(this.signal.reason)
    this.signal.addEventListener('abort', abort)
    try {
      this.signal.throwIfAborted()
      await pause.promise
    } finally {
      clearTimeout(timer)
      this.signal.removeEventListener('abort', abort)
    }
  }
}

/** The pause that Discord demands, in seconds. */
function pauseOf({ headers }: Response, body: string): number {
  const parsedBody = z.object({ retry_after: z.number().min(0) }).safeParse(jsonOf(body))
  const seconds = parsedBody.success ? parsedBody.data.retry_after : Number(headers.get('retry-after'))
  return Number.isFinite(seconds) && seconds > 0 ? seconds : 1
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The bytes of an answer; undefined if there are more than `bytesMax`. */
async function bytesOf(answer: Response, bytesMax: number): Promise<Buffer | undefined> {
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const part of answer.body ?? []) {
    bytes += part.length
    if (bytes > bytesMax) return undefined
    parts.push(part)
  }
  return Buffer.concat(parts)
}

/** @throws RefusesToBoot for an answer that is too long or truncated */
async function textOf(answer: Response): Promise<string> {
  const bytes = await bytesOf(answer, BYTES_MAX).catch((error: unknown) => {
    throw new RefusesToBoot(`Discord’s answer broke off (${messageOf(error)}).`)
  })
  if (!bytes) throw new RefusesToBoot(`Discord’s answer has more than ${BYTES_MAX} bytes.`)
  return bytes.toString()
}

function refusal(status: number, path: string, name: string): string {
  if (status === 401) return 'Discord does not know the token in DISCORD_TOKEN.'
  if (status === 403 && path.includes('/members'))
    return `Discord does not tell the bot who is in ${name}: switch Server Members Intent on for it.`
  if (status === 403 || status === 404) return `The bot whose token is in DISCORD_TOKEN is not in ${name}.`
  return `Discord answers ${path} with ${status}.`
}
