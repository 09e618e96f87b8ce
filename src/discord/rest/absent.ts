import { Problem } from '../../core/errors.ts'
import { Refused } from '../refusals.ts'
import { route } from './router.ts'

// Things of Discord that this door does not have. Lists of them are empty, so that a program finds none; acts
// are refused with Discord's error. docs/discord.md says the same. Parley lacks these things.

const EMPTY_LISTS = [
  '/guilds/:guild/templates',
  '/applications/:application/role-connections/metadata',
  '/applications/:application/entitlements',
  '/applications/:application/skus',
  '/soundboard-default-sounds',
]

/** Lists within an object, by the field that has them. */
const EMPTY_FIELDS: Record<string, string> = {
  '/applications/:application/emojis': 'items',
  '/sticker-packs': 'sticker_packs',
}

const REFUSED: [method: string, pattern: string, what: string][] = [
  ['POST', '/applications/:application/emojis', 'emoji of applications'],
  ['PUT', '/applications/:application/guilds/:guild/commands/:command/permissions', 'permissions of single commands'],
  ['PUT', '/channels/:channel/recipients/:user', 'groups with bots'],
]

/** Discord's error of acts that only other types of channels have. */
const WRONG_CHANNEL = 50024
const OF_ANNOUNCEMENTS = ['/channels/:channel/messages/:message/crosspost', '/channels/:channel/followers']

export const absentRoutes = [
  ...EMPTY_LISTS.map((pattern) => route('GET', pattern, undefined, async () => [])),
  ...Object.entries(EMPTY_FIELDS).map(([pattern, field]) =>
    route('GET', pattern, undefined, async () => ({ [field]: [] })),
  ),
  ...REFUSED.map(([method, pattern, what]) =>
    route(method, pattern, undefined, async () => {
      throw new Problem('forbidden', `Parley has no ${what}`)
    }),
  ),
  ...OF_ANNOUNCEMENTS.map((pattern) =>
    route('POST', pattern, 'channel', async (call) => {
      await call.own('GET', `/api/channels/${await call.id('channel')}`)
      throw new Refused(WRONG_CHANNEL, 'Cannot execute action on this channel type')
    }),
  ),
]
