import { z } from 'zod'
import { Id, line, patch, PublicUser, text, Time } from '../../core/schema.ts'
import { KnownBits, PermissionSum } from '../roles/model.ts'

export const APPLICATIONS_PER_OWNER_MAX = 25
const DESCRIPTION_LENGTH_MAX = 400

/** An application as its owner's export names it. */
export const ApplicationMark = z.object({ id: Id, name: z.string(), description: z.string(), created_at: Time })

export const Application = z
  .object({
    id: Id.describe('that of its bot’s account'),
    bot: PublicUser,
    owner: PublicUser.nullable(),
    description: z.string(),
    created_at: Time,
  })
  .meta({ title: 'Application' })
export type Application = z.infer<typeof Application>

const token = z.string().describe('of the bot; shown this once')
export const CreatedApplication = Application.extend({ token }).meta({ title: 'CreatedApplication' })
export const BotToken = z.object({ token }).meta({ title: 'BotToken' })

const Description = text(0, DESCRIPTION_LENGTH_MAX).meta({ example: 'Rolls dice' })
export const ApplicationDraft = z.strictObject({
  name: line(32).meta({ example: 'Dice' }),
  description: Description.default(''),
})
export const ApplicationPatch = patch({ name: line(32), description: Description })
/** What a bot changes of itself. */
export const OwnApplicationPatch = patch({
  name: line(32),
  description: Description,
  avatar_file_id: Id.nullable().describe('a picture that the bot has uploaded'),
})

export const Addition = z.strictObject({
  permissions: KnownBits.default(0).describe('of the bot’s own role: bits that the caller holds'),
})

/** A bot in a server, and what it may do there as a whole. */
export const AddedApplication = z
  .object({
    application: Application,
    role_id: Id.nullable().describe('its own role; null where it has none'),
    permissions: PermissionSum.describe('by all its roles'),
    joined_at: Time,
  })
  .meta({ title: 'AddedApplication' })
export type AddedApplication = z.infer<typeof AddedApplication>
