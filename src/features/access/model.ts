import { z } from 'zod'
import { Emoji, Id, patch, placeName, PublicUser, text, Time } from '../../core/schema.ts'

// Servers and channels as the accounts that see them get them.

/** 500 text and voice channels, and 50 categories. */
export const CHANNELS_MAX = 550

/** A century. */
const DAYS_MAX = 36_500

/** Age in days at which messages are deleted; null: no rule at this level. */
export const RetentionDays = z.int().min(1).max(DAYS_MAX).nullable()

export const Verification = z.enum(['none', 'mail', 'account_minutes', 'member_minutes'])
/** A week. */
export const VERIFICATION_MINUTES_MAX = 10_080
export const VerificationMinutes = z.int().min(1).max(VERIFICATION_MINUTES_MAX)

/** Times after which a member of a call is idle, minutes: those of Discord. */
export const AfkMinutes = z.literal([1, 5, 15, 30, 60])

/** Why a member only looks and reads. */
export const HeldBack = z.enum(['pending', 'unverified', 'quarantined'])
export type HeldBack = z.infer<typeof HeldBack>

/** The messages of which an account is notified. */
export const NotificationLevel = z.enum(['all', 'mentions', 'nothing'])

/** Number of a text of rules. */
export const RulesVersion = z.int().min(1).max(2_147_483_647)

/** End-to-end encryption of a server's calls, as far as the installation allows it. */
export const CallsEncryption = z.enum(['required', 'preferred', 'off'])
export type CallsEncryption = z.infer<typeof CallsEncryption>

export const Server = z
  .object({
    id: Id,
    name: z.string(),
    description: z.string(),
    owner_id: Id,
    icon_file_id: Id.nullable(),
    system_channel_id: Id.nullable().describe('where new members are announced; null: nowhere'),
    afk_channel_id: Id.nullable().describe('the voice channel that idle members of calls are moved to; null: none'),
    afk_minutes: AfkMinutes.describe('after this time without speech or input'),
    calls_encryption: CallsEncryption.describe(
      'required: members who cannot encrypt join no call; preferred: calls are encrypted while all members can',
    ),
    member_count: z.int(),
    message_retention_days: RetentionDays.describe(
      'messages are deleted after this many days, or sooner where the channel or the operator says so',
    ),
    verification: Verification.describe(
      'who may write after joining: everybody, accounts with a proven address, or accounts or members of an age',
    ),
    verification_minutes: VerificationMinutes.describe('that age'),
    default_notifications: NotificationLevel.describe('the messages that notify members who have set nothing'),
    rules_version: RulesVersion.nullable().describe('of the rules that new members accept; null: none'),
    appeal_contact: z
      .string()
      .nullable()
      .describe('a contact for appeals against decisions of moderators; banned accounts read it too'),
    public: z.boolean().describe('whether its channels may be public pages'),
    public_indexed: z.boolean().describe('whether search engines may list its public pages'),
    created_at: Time,
    updated_at: Time,
  })
  .meta({ title: 'Server' })
export type Server = z.infer<typeof Server>

/** Confirms that a change opens these channels to everybody, because a self-assignable role sees them. */
export const ConfirmedOpenings = z
  .array(Id)
  .max(CHANNELS_MAX)
  .default([])
  .describe('channels that may become visible to everybody who picks a self-assignable role')

/** Six hours. */
const SLOWMODE_SECONDS_MAX = 21_600
/** Periods after which a quiet thread may be archived: an hour, a day, three days, a week. */
const ARCHIVE_AFTER_SECONDS = [3_600, 86_400, 259_200, 604_800] as const

export const ServerChannelType = z.enum(['text', 'voice', 'category', 'forum', 'stage'])

export const TAGS_MAX = 20
/** Tags of one post. */
const TAGS_PER_POST_MAX = 5
const GUIDELINES_MAX = 2_000

export const ForumTag = z
  .object({
    id: Id,
    name: z.string().meta({ example: 'Question' }),
    emoji: z.string().nullable().meta({ example: '❓' }),
    moderated: z.boolean().describe('only members with manage_threads give or remove it'),
  })
  .meta({ title: 'ForumTag' })
export type ForumTag = z.infer<typeof ForumTag>

export const ForumSort = z.enum(['latest', 'created', 'votes'])
export type ForumSort = z.infer<typeof ForumSort>

/** Fields that only forums have. */
const forumFields = {
  tags: z.array(ForumTag).optional().describe('only of a forum'),
  tag_required: z.boolean().optional().describe('only of a forum: whether a post needs a tag'),
  guidelines: z.string().optional().describe('only of a forum: what people read before they post'),
  default_sort: ForumSort.optional().describe('only of a forum: by newest message, age or votes'),
  layout: z.enum(['list', 'gallery']).optional().describe('only of a forum'),
  default_reaction: z
    .string()
    .nullable()
    .optional()
    .describe('only of a forum: the reaction to a first message that counts as a vote'),
  post_slowmode_seconds: z.int().optional().describe('only of a forum: slowmode_seconds of its new posts'),
}

/** People in a voice channel at once. */
const USER_LIMIT_MAX = 99
/** Bits of Opus per second: what Opus needs for speech, and what its best music takes. */
const [BITRATE_MIN, BITRATE_MAX] = [8_000, 384_000] as const

const UserLimit = z.int().min(1).max(USER_LIMIT_MAX).nullable()
const Bitrate = z.int().min(BITRATE_MIN).max(BITRATE_MAX).nullable()

/** Fields that only voice channels have. */
const voiceFields = {
  user_limit: UserLimit.optional().describe(
    'only of a voice channel: how many people it takes, besides those who may move members; null: no limit',
  ),
  bitrate: Bitrate.optional().describe(
    'only of a voice channel: bits per second of each microphone; null: as the client thinks best',
  ),
}

/** A running stage. */
export const Stage = z
  .object({
    id: Id.describe('of this run of the stage; no channel has the same id'),
    topic: z.string().meta({ example: 'Owls at night' }),
    started_by: Id,
    started_at: Time,
  })
  .meta({ title: 'Stage' })
export type Stage = z.infer<typeof Stage>

/** Fields that only stages have. */
const stageFields = {
  stage: Stage.nullable().optional().describe('only of a stage: what it is about while it runs'),
}

/** Fields that only channels with public pages have. */
const publicFields = {
  public_since: Time.optional().describe('everybody reads the channel without an account, if its server is public'),
  public_older: z.boolean().optional().describe('whether that concerns messages from before, too'),
}

/** Fields that only posts have: threads of a forum. */
const postFields = {
  first_message_id: Id.nullable().optional().describe('only of a post: its first message, if that is still there'),
  tag_ids: z.array(Id).optional().describe('only of a post; may still name tags that the forum has no more'),
  answer_message_id: Id.nullable().optional().describe('only of a post: the message that answers it'),
  pinned: z.boolean().optional().describe('only of a post: it comes first in the forum'),
  votes: z.int().optional().describe('only of a post: how many gave its first message the default reaction'),
  hidden: z.boolean().optional().describe('only of a post: listed only for members with manage_threads'),
}

export const Channel = z
  .object({
    id: Id,
    server_id: Id.nullable().describe('null for a dm or group'),
    parent_id: Id.nullable().describe('its category; of a thread, the channel or forum that it belongs to'),
    name: z.string().describe('empty for a dm, and for a group until it is named'),
    type: z.enum([...ServerChannelType.options, 'thread', 'dm', 'group']),
    topic: z.string(),
    position: z
      .int()
      .describe('its place, from 0, among the channels of its category; categories are counted by themselves'),
    recipients: z
      .array(PublicUser)
      .nullable()
      .describe(
        'participants of a dm or group, including you, in the order in which they joined; null for other channels',
      ),
    owner_id: Id.nullable().describe('of a group; of a thread, who began it'),
    icon_file_id: Id.nullable().describe('of a group; only for its participants'),
    last_message_id: Id.nullable(),
    last_message_at: Time.nullable().describe('of a thread: when its newest message was written'),
    slowmode_seconds: z
      .int()
      .describe('so long each member waits between two messages, in a forum between two posts; 0: not at all'),
    message_id: Id.nullable().describe('of a thread: the message that it began at, if that is still there'),
    message_count: z.int().describe('of a thread'),
    archived_at: Time.nullable().describe('of a thread: a message brings it back, unless it is locked'),
    locked: z.boolean().describe('a thread in which only members with manage_threads write'),
    archive_after_seconds: z.int().nullable().describe('of a thread: quiet for so long, it is archived'),
    ...forumFields,
    ...postFields,
    ...voiceFields,
    ...stageFields,
    ...publicFields,
    message_retention_days: RetentionDays.describe(
      'messages are deleted after this many days, or sooner where the server or the operator says so',
    ),
    opt_in_since: Time.nullable().describe(
      'members who joined later list the channel only if they choose it, and it notifies them of nothing until then',
    ),
    pruned_before_id: Id.nullable().describe('messages with smaller ids have been deleted by their age'),
    created_at: Time,
    updated_at: Time,
  })
  .meta({ title: 'Channel' })
export type Channel = z.infer<typeof Channel>

const [FORUM_FIELDS, POST_FIELDS, VOICE_FIELDS, STAGE_FIELDS, PUBLIC_FIELDS] = [
  forumFields,
  postFields,
  voiceFields,
  stageFields,
  publicFields,
].map((fields) => new Set(Object.keys(fields))) as [Set<string>, Set<string>, Set<string>, Set<string>, Set<string>]

/** True if channels of the type can be listed by choice. */
export const isChoosable = (type: Channel['type']): boolean => type === 'text' || type === 'forum' || isSpoken(type)

/** True if people speak and listen in channels of the type, which contain messages too. */
export const isSpoken = (type: Channel['type']): boolean => type === 'voice' || type === 'stage'

/** True for a post: a thread of a forum. Rows have null where the wire has nothing. */
export const isPost = ({ tag_ids }: Pick<Channel, 'tag_ids'>): boolean => tag_ids !== undefined && tag_ids !== null

/** A channel as it goes over the wire: without fields that do not concern it. */
export function channelOf(row: Channel): Channel {
  const [isForum, isOfForum, isVoice] = [row.type === 'forum', isPost(row), row.type === 'voice']
  const isPublic = row.public_since !== undefined && row.public_since !== null
  const own = Object.entries(row).filter(
    ([name]) =>
      (isForum || !FORUM_FIELDS.has(name)) &&
      (isOfForum || !POST_FIELDS.has(name)) &&
      (isVoice || !VOICE_FIELDS.has(name)) &&
      (row.type === 'stage' || !STAGE_FIELDS.has(name)) &&
      (isPublic || !PUBLIC_FIELDS.has(name)),
  )
  return Channel.parse(Object.fromEntries(own))
}

const TagDraft = z.strictObject({
  id: Id.optional().describe('of a tag that exists; a new one has none'),
  name: placeName(20).meta({ example: 'Question' }),
  emoji: Emoji.nullable().default(null),
  moderated: z.boolean().default(false),
})

/** Fields of a forum in the body of a request. */
const forumChanges = {
  tags: z
    .array(TagDraft)
    .max(TAGS_MAX)
    .refine((tags) => new Set(tags.map(({ name }) => name)).size === tags.length, 'Two tags have the same name')
    .describe('only of a forum: all of its tags, in order'),
  tag_required: z.boolean().describe('only of a forum'),
  guidelines: text(0, GUIDELINES_MAX).describe('only of a forum'),
  default_sort: ForumSort.describe('only of a forum'),
  layout: z.enum(['list', 'gallery']).describe('only of a forum'),
  default_reaction: Emoji.nullable().describe('only of a forum'),
  post_slowmode_seconds: z.int().min(0).max(SLOWMODE_SECONDS_MAX).describe('only of a forum'),
}

export const PostTags = z
  .array(Id)
  .max(TAGS_PER_POST_MAX)
  .refine((ids) => new Set(ids).size === ids.length, 'Must not repeat an id')

/** Fields of a forum as a client creates it. */
export const forumDraft = z.strictObject(forumChanges).partial().shape
export type ForumChange = z.infer<z.ZodObject<typeof forumDraft>>

/** Fields of a voice channel as a client creates it. */
export const voiceDraft = {
  user_limit: UserLimit.optional().describe('only of a voice channel'),
  bitrate: Bitrate.optional().describe('only of a voice channel'),
}

export const ChannelPatch = patch({
  name: z.union([placeName(100), z.literal('')]).describe('empty only for a group: its people name it then'),
  topic: text(0, 1024).describe('not of a group'),
  parent_id: Id.nullable().describe('not of a group'),
  position: z.int().describe('not of a group'),
  message_retention_days: RetentionDays.describe('not of a group'),
  opt_in: z
    .boolean()
    .describe('only of a text channel, voice channel, stage or forum: who joins later lists it only by choice'),
  icon_file_id: Id.nullable().describe('only of a group: its picture'),
  confirm_opens: ConfirmedOpenings.unwrap(),
  slowmode_seconds: z.int().min(0).max(SLOWMODE_SECONDS_MAX).describe('0: off; not of a group'),
  archived: z.boolean().describe('only of a thread'),
  locked: z.boolean().describe('only of a thread'),
  archive_after_seconds: z.literal(ARCHIVE_AFTER_SECONDS).describe('of a thread, or of new posts of a forum'),
  ...forumChanges,
  user_limit: UserLimit.describe('only of a voice channel'),
  bitrate: Bitrate.describe('only of a voice channel'),
  tag_ids: PostTags.describe('only of a post'),
  answer_message_id: Id.nullable().describe('only of a post: a message in it; by its author, or manage_threads'),
  pinned: z.boolean().describe('only of a post; at most five in a forum'),
  hidden: z.boolean().describe('only of a post'),
  public: z.boolean().describe('only of a text channel or forum; needs manage_server'),
  public_older: z.boolean().describe('messages from before are public too; only the owner turns it on'),
})
