import { Elysia } from 'elysia'
import { emojiMedia } from '../features/emoji/media.ts'
import { emojiRoutes } from '../features/emoji/routes.ts'
import { favouriteRoutes } from '../features/favourites/routes.ts'
import { bannerMedia, profileRoutes } from '../features/profiles/routes.ts'
import { roleIconMedia, roleIconRoutes } from '../features/role-icons/routes.ts'
import { soundMedia } from '../features/sounds/media.ts'
import { soundRoutes } from '../features/sounds/routes.ts'
import { stickerMedia } from '../features/stickers/media.ts'
import { stickerRoutes } from '../features/stickers/routes.ts'
import type { Sessions } from '../features/sessions/store.ts'
import type { Parts } from '../parts.ts'

/** Pictures and sounds that a server keeps, pictures that accounts keep, and their profiles. */
export const assetRoutes = (parts: Parts, sessions: Sessions) =>
  new Elysia()
    .use(emojiRoutes(parts, sessions))
    .use(emojiMedia(parts))
    .use(stickerRoutes(parts, sessions))
    .use(stickerMedia(parts))
    .use(favouriteRoutes(parts, sessions))
    .use(soundRoutes(parts, sessions))
    .use(soundMedia(parts))
    .use(roleIconRoutes(parts, sessions))
    .use(roleIconMedia(parts))
    .use(profileRoutes(parts, sessions))
    .use(bannerMedia(parts))
