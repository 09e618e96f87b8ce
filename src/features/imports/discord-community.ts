import { z } from 'zod'
import { Snowflake } from './discord-format.ts'

const LIST_MAX = 1_000
const name = z.string().max(4_096)
const texts = z
  .array(name)
  .max(10_000)
  .nullish()
  .transform((list) => list ?? [])
const ids = z
  .array(Snowflake)
  .max(LIST_MAX)
  .nullish()
  .transform((list) => list ?? [])

// https://discord.com/developers/docs/resources/auto-moderation#auto-moderation-rule-object
export const DiscordRule = z.object({
  name,
  trigger_type: z.int(),
  trigger_metadata: z
    .object({
      keyword_filter: texts,
      regex_patterns: texts,
      allow_list: texts,
      mention_total_limit: z
        .int()
        .nullish()
        .transform((limit) => limit ?? 20),
    })
    .default({ keyword_filter: [], regex_patterns: [], allow_list: [], mention_total_limit: 20 }),
  actions: z
    .array(
      z.object({
        type: z.int(),
        metadata: z
          .object({
            channel_id: Snowflake.nullish(),
            duration_seconds: z.int().nullish(),
            custom_message: name.nullish(),
          })
          .nullish()
          .transform((metadata) => metadata ?? {}),
      }),
    )
    .max(LIST_MAX),
  enabled: z.boolean().default(false),
  exempt_roles: ids,
  exempt_channels: ids,
})
export type DiscordRule = z.infer<typeof DiscordRule>

// https://discord.com/developers/docs/resources/guild#guild-onboarding-object
export const DiscordOnboarding = z.object({
  enabled: z.boolean(),
  default_channel_ids: ids,
  prompts: z
    .array(
      z.object({
        title: name,
        single_select: z.boolean().default(false),
        required: z.boolean().default(false),
        in_onboarding: z.boolean().default(false),
        options: z
          .array(
            z.object({
              title: name,
              description: name.nullish(),
              emoji: z.object({ id: z.string().nullish(), name: name.nullish() }).nullish(),
              role_ids: ids,
              channel_ids: ids,
            }),
          )
          .max(LIST_MAX),
      }),
    )
    .max(LIST_MAX),
})
export type DiscordOnboarding = z.infer<typeof DiscordOnboarding>
