import { z } from 'zod'
import { durable, type Payloads } from '../../core/events.ts'
import { ALL_PERMISSIONS, contains, without } from '../../core/permissions.ts'
import { Id, ownName, patch, PublicUser, Time } from '../../core/schema.ts'
import { ConfirmedOpenings, HeldBack } from '../access/model.ts'

/** A sum of permission bits (src/core/permissions.ts). */
export const PermissionSum = z.int().min(0).max(Number.MAX_SAFE_INTEGER)

/** A sum of bits that exist. */
export const KnownBits = PermissionSum.refine((sum) => contains(ALL_PERMISSIONS, sum), 'Must be a sum of known bits')

const Color = z
  .string()
  .regex(/^#[0-9a-f]{6}$/i, 'Must be #rrggbb')
  .overwrite((color) => color.toLowerCase())
  .meta({ example: '#3366cc' })

export const Role = z
  .object({
    id: Id,
    server_id: Id,
    name: z.string(),
    color: z.string().nullable(),
    permissions: PermissionSum,
    position: z.int(),
    is_everyone: z.boolean(),
    hoist: z.boolean().describe('its members are listed apart, above those of lower roles'),
    mentionable: z.boolean().describe('everyone may mention it'),
    self_assignable: z
      .boolean()
      .describe('members give it to themselves; it has no rank, and no permission that everyone does not start with'),
    bot_id: Id.nullable().describe('the bot that got it with the server: only its, and deleted with it'),
    icon_url: z
      .string()
      .nullable()
      .describe('the path of its small picture, a WebP of at most 128 pixels; null: none')
      .meta({ example: '/media/role-icons/0f1e2d3c4b5a69788796a5b4c3d2e1f0' }),
    created_at: Time,
    updated_at: Time,
  })
  .meta({ title: 'Role' })
export type Role = z.infer<typeof Role>

export const RoleDraft = z.strictObject({
  name: ownName(100).meta({ example: 'Moderators' }),
  color: Color.nullable().default(null),
  permissions: KnownBits.default(0),
  hoist: z.boolean().default(false),
  mentionable: z.boolean().default(false),
  self_assignable: z.boolean().default(false),
  confirm_opens: ConfirmedOpenings,
})
export const RolePatch = patch({
  name: ownName(100),
  color: Color.nullable(),
  permissions: KnownBits,
  hoist: z.boolean(),
  mentionable: z.boolean(),
  self_assignable: z.boolean(),
  position: z.int(),
  confirm_opens: ConfirmedOpenings.unwrap(),
})

/** The body of a deleted overwrite, which may let the category's through. */
export const OverwriteDeletion = z.strictObject({ confirm_opens: ConfirmedOpenings })

export const Overwrite = z
  .object({ channel_id: Id, role_id: Id, allow: PermissionSum, deny: PermissionSum })
  .meta({ title: 'Overwrite' })
export type Overwrite = z.infer<typeof Overwrite>

/** An overwrite for a single member. */
export const MemberOverwrite = z
  .object({ channel_id: Id, user: PublicUser, allow: PermissionSum, deny: PermissionSum })
  .meta({ title: 'MemberOverwrite' })
export type MemberOverwrite = z.infer<typeof MemberOverwrite>

/** The overwrite for the account itself in a channel or category; without bits where there is none any more. */
export const OwnOverwrite = z
  .object({ channel_id: Id, server_id: Id, allow: PermissionSum, deny: PermissionSum })
  .meta({ title: 'OwnOverwrite' })
export type OwnOverwrite = z.infer<typeof OwnOverwrite>

const DRAFT = { allow: KnownBits.default(0), deny: KnownBits.default(0) }
const isDecided = ({ allow, deny }: { allow: number; deny: number }) => without(allow, deny) === allow
const UNDECIDED = 'A bit cannot be both allowed and denied'

export const OverwriteDraft = z
  .strictObject({ ...DRAFT, confirm_opens: ConfirmedOpenings })
  .refine(isDecided, UNDECIDED)

/** An overwrite for a member needs bits: without any it is deleted. */
export const MemberOverwriteDraft = z
  .strictObject(DRAFT)
  .refine(isDecided, UNDECIDED)
  .refine(({ allow, deny }) => allow + deny > 0, 'Must allow or deny something')

/**
 * The reason for one bit: ownership, administrator, a role, an overwrite, a channel that shows its category, or
 * nothing.
 */
const Because = z.union([
  z
    .enum(['owner', 'administrator', 'not_granted', 'sees_channel', 'timed_out', 'guest', ...HeldBack.options])
    .describe('sees_channel: one of a category'),
  z.object({ role: Id }),
  z.object({ overwrite: Id, at: Id }).describe("the overwrite's role, and the channel or category that has it"),
  z.object({ member_overwrite_at: Id }).describe('the channel or category whose overwrite for the member decides'),
])

export const Explanation = z
  .object({
    user_id: Id,
    permissions: PermissionSum,
    bits: z.array(z.object({ name: z.string(), allowed: z.boolean(), because: Because })),
  })
  .meta({ title: 'Explanation' })
export type Explanation = z.infer<typeof Explanation>

const members = 'members of the server'
const key = (d: { id: number }) => `role:${d.id}`

export const roleEvents = {
  'role.created': durable(Role, key, members),
  'role.updated': durable(Role, key, members),
  'role.deleted': durable(z.object({ id: Id, server_id: Id, created_at: Time }), key, members),
  'channel.permissions_updated': durable(
    z.object({
      id: Id,
      server_id: Id,
      overwrites: z.array(Overwrite).nullable().describe('null: many have changed at once; fetch them when needed'),
    }),
    (d) => `overwrites:${d.id}`,
    'members who see the channel',
  ),
  'channel.own_overwrite_updated': durable(
    OwnOverwrite,
    (d) => `own_overwrite:${d.channel_id}`,
    'the account whose overwrite changed, if it sees the channel before or after',
  ),
}

declare module '../../core/events.ts' {
  interface Events extends Payloads<typeof roleEvents> {}
}
