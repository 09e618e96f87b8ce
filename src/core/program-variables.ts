import { z } from 'zod'
import { onOff, port, ranges, secureUrl } from './variable-values.ts'

/** The variables of applications that have a URL. */
export const botVariables = {
  DISCORD_API: onOff
    .default('on')
    .describe('`off`: no door for programs that were made for Discord; see [discord.md](discord.md)'),
  DISCORD_VOICE_PORT: port
    .default(20_999)
    .describe('UDP port by which all bots made for Discord speak and listen in calls; `0` takes a free one'),
  INTERACTION_URLS: onOff
    .default('on')
    .describe('`off`: the server asks no application by a URL of its own; bots hear of what is asked by the gateway'),
  INTERACTION_ALLOWED_ADDRESSES: ranges.describe(
    'addresses or CIDR ranges, such as your own network, where applications are called on every port, also without TLS',
  ),
}

/** The variables of `bun run import`. */
export const importVariables = {
  DISCORD_TOKEN: z
    .string()
    .regex(/^[\x21-\x7E]{1,500}$/, 'Must be only the token')
    .optional()
    .describe(
      'token of a bot on Discord, with which `bun run import` fetches members and permissions; not for servers',
    ),
  DISCORD_API_URL: secureUrl
    .transform((url) => url.replace(/\/$/, ''))
    .default('https://discord.com/api/v10')
    .describe('where `bun run import` finds Discord’s REST interface'),
}
