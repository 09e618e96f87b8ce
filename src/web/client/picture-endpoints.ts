import type { z } from 'zod'
import type { CustomEmoji, EmojiDraft, EmojiPatch, UsedEmoji, UsedEmojiQuery } from '../../features/emoji/model.ts'
import type { Favourite, FavouriteDraft } from '../../features/favourites/model.ts'
import type { File } from '../../features/files/model.ts'
import type { BannerChange, Profile, ProfilePatch } from '../../features/profiles/model.ts'
import type { Assets, Sticker, StickerDraft, StickerPatch } from '../../features/stickers/model.ts'

type Cursor = { limit?: number; offset?: number; before?: number; after?: number; around?: number }
type Takes<Body extends z.ZodType, Answer> = { body: z.input<Body>; answer: Answer }
type Gives<Answer, Query extends object = object> = { query: Query; answer: Answer }

/** Endpoints of custom emoji, stickers, kept pictures and profiles. */
export interface PictureEndpoints {
  'GET /api/servers/:server_id/emoji': Gives<CustomEmoji[], Cursor>
  'POST /api/servers/:server_id/emoji': Takes<typeof EmojiDraft, CustomEmoji>
  'PUT /api/emoji/:emoji_id': Takes<typeof EmojiPatch, CustomEmoji>
  'DELETE /api/emoji/:emoji_id': Gives<void>
  'POST /api/emoji/used': Takes<typeof UsedEmojiQuery, UsedEmoji[]>
  'GET /api/servers/:server_id/stickers': Gives<Sticker[], Cursor>
  'POST /api/servers/:server_id/stickers': Takes<typeof StickerDraft, Sticker>
  'PUT /api/stickers/:sticker_id': Takes<typeof StickerPatch, Sticker>
  'DELETE /api/stickers/:sticker_id': Gives<void>
  'GET /api/servers/:server_id/assets': Gives<z.output<typeof Assets>>
  'GET /api/favourites': Gives<Favourite[]>
  'POST /api/favourites': Takes<typeof FavouriteDraft, Favourite>
  'POST /api/favourites/:favourite_id/file': Gives<File>
  'DELETE /api/favourites/:favourite_id': Gives<void>
  'GET /api/users/:user_id/profile': Gives<Profile>
  'PUT /api/auth/profile': Takes<typeof ProfilePatch, Profile>
  'PUT /api/auth/banner': Takes<typeof BannerChange, Profile>
}
