import { z } from 'zod'
import { Id, ownName, patch, PublicUser, text, Time } from '../../core/schema.ts'
import { KnownBits, PermissionSum } from '../roles/model.ts'

export const APPLICATIONS_PER_OWNER_MAX = 25
const DESCRIPTION_LENGTH_MAX = 400
const URL_UNITS_MAX = 1024

/** An application as it appears in its owner's export. */
export const ApplicationMark = z.object({
  id: Id,
  name: z.string(),
  description: z.string(),
  created_at: Time,
  interactions_url: z.string().nullable(),
})

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

/** An application as its owner and its bot see it. */
export const OwnApplication = Application.extend({
  interactions_url: z.string().nullable().describe('where it is asked in place of events; null: by the gateway'),
  public_key: z.string().describe('Ed25519, hexadecimal: what is posted there is signed by it'),
}).meta({ title: 'OwnApplication' })
export type OwnApplication = z.infer<typeof OwnApplication>

const token = z.string().describe('of the bot; shown this once')
export const CreatedApplication = OwnApplication.extend({ token }).meta({ title: 'CreatedApplication' })
export const BotToken = z.object({ token }).meta({ title: 'BotToken' })

const Description = text(0, DESCRIPTION_LENGTH_MAX).meta({ example: 'Rolls dice' })
export const ApplicationDraft = z.strictObject({
  name: ownName(32).meta({ example: 'Dice' }),
  description: Description.default(''),
})
const interactions_url = z
  .string()
  .max(URL_UNITS_MAX)
  .regex(/^[!-~]+$/, 'Must be a URL')
  .nullable()
  .describe('an https URL at a public address, where it is asked in place of events; null: by the gateway')
  .meta({ example: 'https://dice.example.org/interactions' })
const avatar_file_id = Id.nullable().describe('a picture that the caller has uploaded')
export const ApplicationPatch = patch({
  name: ownName(32),
  description: Description,
  interactions_url,
  avatar_file_id,
})

export const Addition = z.strictObject({
  permissions: KnownBits.default(0).describe('of the bot’s own role: bits that the caller holds'),
})

/** A bot in a server, with its server-wide permissions. */
export const AddedApplication = z
  .object({
    application: Application,
    role_id: Id.nullable().describe('its own role; null where it has none'),
    permissions: PermissionSum.describe('by all its roles'),
    joined_at: Time,
  })
  .meta({ title: 'AddedApplication' })
export type AddedApplication = z.infer<typeof AddedApplication>
