import { resolve } from 'node:path'
import { z } from 'zod'
import { onOff, path, port, ranges, secureUrl, whole } from './variable-values.ts'

/** The variables of applications that have a URL. */
export const botVariables = {
  DISCORD_API: onOff
    .default('on')
    .describe('`off`: no door for programs that were made for Discord; see [discord.md](discord.md)'),
  DISCORD_VOICE_PORT: port
    .default(20_999)
    .describe('UDP port through which all bots made for Discord speak and listen in calls; `0` takes a free one'),
  INTERACTION_URLS: onOff
    .default('on')
    .describe('`off`: the server posts nothing to the URLs of applications; bots get interactions through the gateway'),
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
  DISCORD_CDN_URL: secureUrl
    .transform((url) => url.replace(/\/$/, ''))
    .default('https://cdn.discordapp.com')
    .describe('where `bun run import` finds the small pictures of Discord’s roles; it gets no token'),
}

/** The variables of backups. */
export const backupVariables = {
  BACKUP_DIR: path
    .transform((dir) => resolve(dir))
    .optional()
    .describe('directory for backups; without it `backups` in `DATA_DIR`'),
  BACKUP_EVERY: z
    .union([z.literal('off'), z.string().regex(/^[1-9]\d{0,3}[mhd]$/)])
    .default('off')
    .describe('interval of automatic backups: `24h`, `30m`, `7d`; `off` makes none'),
  BACKUP_KEEP: whole(1, 1000).default(7).describe('automatic backups to keep in `BACKUP_DIR`'),
  BACKUP_PASSPHRASE_FILE: path
    .optional()
    .describe('path of a file whose first line is a passphrase: with it every backup is encrypted'),
  UPGRADE_BACKUP: z
    .enum(['on', 'required', 'off'])
    .default('on')
    .describe(
      'backup of the database before a new version changes its schema: `on` skips one that does not fit, ' +
        '`required` then refuses to start, `off` makes none',
    ),
}
