import { z } from 'zod'
import { EVERYONE_PERMISSIONS, without } from '../../core/permissions.ts'
import { placeName, text } from '../../core/schema.ts'
import { CHANNELS_MAX, ChannelPatch, forumDraft, isChoosable, ServerChannelType } from '../access/model.ts'
import { OnboardingDraft, RulesDraft, WelcomeDraft } from '../arrival/model.ts'
import { PATTERNS_MAX, RuleDraft, RULES_MAX } from '../automod/model.ts'
import { KnownBits, RoleDraft } from '../roles/model.ts'
import { ServerDraft } from '../servers/model.ts'

/** Roles besides everyone, and the overwrites that one channel has of them and of everyone. */
const ROLES_MAX = 250

// A template has no ids: roles and channels are named by their place in its lists.
const RoleIndex = z
  .int()
  .min(0)
  .max(ROLES_MAX - 1)
  .describe('place in `roles`, from 0')
const ChannelIndex = z
  .int()
  .min(0)
  .max(CHANNELS_MAX - 1)
  .describe('place in `channels`, from 0')

/** Distinct places in a list. */
const places = (place: z.ZodInt, max: number) =>
  z
    .array(place)
    .max(max)
    .refine((list) => new Set(list).size === list.length, 'Must not repeat a place')
    .default([])

const TemplateOverwrite = z
  .strictObject({
    role: RoleIndex.nullable().describe('place in `roles`; null: everyone'),
    allow: KnownBits.default(0),
    deny: KnownBits.default(0),
  })
  .refine(({ allow, deny }) => without(allow, deny) === allow, 'A bit cannot be both allowed and denied')

/** Pictures of roles in one template: each is decoded when a server is created. */
export const PICTURES_MAX = 20
/** Bytes of one picture. */
export const PICTURE_BYTES_MAX = 48 * 1024

const TemplateRole = RoleDraft.omit({ confirm_opens: true }).extend({
  icon: z
    .base64()
    .max(Math.ceil(PICTURE_BYTES_MAX / 3) * 4)
    .nullable()
    .default(null)
    .describe(`its small picture, PNG, WebP or GIF of at most ${PICTURE_BYTES_MAX / 1024} KiB, as Base64; null: none`),
})

const TemplateChannel = z.strictObject({
  name: placeName(100),
  type: ServerChannelType,
  topic: text(0, 1024).default(''),
  parent: ChannelIndex.nullable().default(null).describe('its category'),
  slowmode_seconds: ChannelPatch.shape.slowmode_seconds.unwrap().default(0),
  opt_in: z.boolean().default(false),
  user_limit: ChannelPatch.shape.user_limit.unwrap().default(null),
  bitrate: ChannelPatch.shape.bitrate.unwrap().default(null),
  forum: z.strictObject(forumDraft).nullable().default(null).describe('only of a forum; its tags get new ids'),
  overwrites: z
    .array(TemplateOverwrite)
    .max(ROLES_MAX + 1)
    .refine((rows) => new Set(rows.map(({ role }) => role)).size === rows.length, 'Must name each role once')
    .default([]),
})

const TemplateRule = RuleDraft.omit({ exempt_role_ids: true, exempt_channel_ids: true }).extend({
  actions: RuleDraft.shape.actions.refine(
    (actions) => actions.every(({ type }) => type !== 'alert'),
    'A template has no alerts',
  ),
  exempt_roles: places(RoleIndex, 50),
  exempt_channels: places(ChannelIndex, 50),
})

const QuestionDraft = OnboardingDraft.shape.questions.element
const OptionDraft = QuestionDraft.shape.options.element
const TemplateOption = OptionDraft.omit({ id: true, role_ids: true, channel_ids: true }).extend({
  roles: places(RoleIndex, 10),
  channels: places(ChannelIndex, 50),
})
const TemplateQuestion = QuestionDraft.omit({ id: true, options: true }).extend({
  options: z.array(TemplateOption).min(1).max(25),
})

const WelcomeRow = WelcomeDraft.shape.channels.unwrap().element
const TemplateWelcome = z.strictObject({
  content: WelcomeDraft.shape.content,
  channels: z
    .array(WelcomeRow.omit({ channel_id: true }).extend({ channel: ChannelIndex }))
    .max(5)
    .default([]),
})

const isUnlimited = ({ user_limit, bitrate }: { user_limit: number | null; bitrate: number | null }): boolean =>
  user_limit === null && bitrate === null
const isCategory = (channel: { type: string } | undefined): boolean => channel?.type === 'category'

export const Template = z
  .strictObject({
    everyone: KnownBits.default(EVERYONE_PERMISSIONS).describe('of it, the bits that everyone starts with'),
    roles: z
      .array(TemplateRole)
      .max(ROLES_MAX)
      .refine(
        (roles) => roles.filter(({ icon }) => icon !== null).length <= PICTURES_MAX,
        `At most ${PICTURES_MAX} roles may have a picture`,
      )
      .default([])
      .describe('from the lowest one'),
    channels: z.array(TemplateChannel).min(1).max(CHANNELS_MAX).describe('in their order'),
    rules: RulesDraft.shape.content.default(''),
    automod: z.array(TemplateRule).max(RULES_MAX).default([]),
    questions: z.array(TemplateQuestion).max(8).default([]),
    welcome: TemplateWelcome.nullable().default(null),
  })
  .refine(
    ({ channels }) =>
      channels.every(({ type, parent }) => parent === null || (type !== 'category' && isCategory(channels[parent]))),
    { path: ['channels'], message: 'A parent must be a category, and stands in no other' },
  )
  .refine(({ channels }) => channels.some(({ type }) => type === 'text'), {
    path: ['channels'],
    message: 'Must contain a text channel',
  })
  .refine(({ channels }) => channels.every(({ type, forum }) => forum === null || type === 'forum'), {
    path: ['channels'],
    message: 'Only a forum has the fields of one',
  })
  .refine(({ channels }) => channels.every(({ type, opt_in }) => !opt_in || isChoosable(type)), {
    path: ['channels'],
    message: 'Only a text channel, voice channel, stage or forum can be opt-in',
  })
  .refine(({ channels }) => channels.every(({ type, ...limits }) => type === 'voice' || isUnlimited(limits)), {
    path: ['channels'],
    message: 'Only a voice channel has a limit or a bitrate',
  })
  .refine(
    ({ roles, channels, automod, questions }) => {
      const options = questions.flatMap((question) => question.options)
      return [
        ...channels.flatMap(({ overwrites }) => overwrites.flatMap(({ role }) => role ?? [])),
        ...automod.flatMap(({ exempt_roles }) => exempt_roles),
        ...options.flatMap((option) => option.roles),
      ].every((index) => index < roles.length)
    },
    { path: ['roles'], message: 'Must contain each role that is named' },
  )
  .refine(
    ({ channels, automod, questions, welcome }) => {
      const options = questions.flatMap((question) => question.options)
      const named = [
        ...options.flatMap((option) => option.channels),
        ...(welcome?.channels ?? []).map(({ channel }) => channel),
      ]
      return (
        automod.every(({ exempt_channels }) => exempt_channels.every((index) => index < channels.length)) &&
        named.every((index) => index < channels.length && !isCategory(channels[index]))
      )
    },
    { path: ['channels'], message: 'Must contain each channel that is named' },
  )
  .refine(
    ({ automod }) =>
      automod.flatMap(({ trigger }) => ('patterns' in trigger ? trigger.patterns : [])).length <= PATTERNS_MAX,
    { path: ['automod'], message: `A server has at most ${PATTERNS_MAX} patterns` },
  )
  .meta({ title: 'Template' })
export type Template = z.infer<typeof Template>

export const NewServer = ServerDraft.extend({
  template: Template.optional().describe('roles, channels and more; absent: a text channel "general"'),
})
