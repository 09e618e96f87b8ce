/** Parts of an export that have no equivalent here, or only a partial one. */
const LOSSES = {
  file_missing: 'files that the export names but does not contain',
  file_outside: 'files outside the folder of the export, which are not read',
  file_large: 'files larger than MAX_FILE_BYTES',
  file_odd: 'files that cannot be read, or are empty',
  picture: 'pictures of embeds, avatars or the server that are missing or damaged',
  emoji: 'custom emoji without a usable picture, or beyond 250: they stay as :name:',
  reaction: 'reactions with that emoji, or beyond 20 different emoji on a message',
  reaction_people: 'reactions without the people who reacted',
  reaction_many: 'reactions of one message beyond 50000',
  reply: 'replies to messages that the export does not contain: they become plain messages',
  pin: 'pins beyond 250 in a channel',
  embed_cut: 'embeds that were shortened',
  embed_video: 'videos of embeds: their links stay',
  sticker: 'stickers without a picture: their names stay',
  sticker_many: 'stickers whose picture cannot be one here, or beyond 60: they stay as pictures in messages',
  empty: 'messages without content in the export: polls, voice messages without their file, deleted embeds',
  kind: 'messages of kinds that do not exist here',
  old: 'messages older than MESSAGE_RETENTION_DAYS, which would be deleted at once',
  twice: 'messages that the export contains twice',
  damaged: 'files that cannot be read and were skipped: export these again',
  direct: 'direct messages and groups, which are not imported: conversations belong to accounts',
  private: 'private threads: each becomes a channel that only the owner and administrators see',
  role: 'roles beyond 249',
  role_picture: 'small pictures of roles that Discord did not give, or that the server has no space for',
  person_overwrite: 'permissions of single people in channels who were not imported',
  shut_out: 'people who cannot see a channel on Discord, but can here until they claim their messages',
  open_category:
    'categories that are open here because a channel inside is: channels created in them later are open too',
  unknown_channel: 'channels that are no longer on Discord: only the owner and administrators see them',
  automod: 'AutoMod rules without an equivalent here, such as lists of words that Discord keeps itself',
  automod_unread: 'servers whose AutoMod rules the bot may not read: it needs Manage Server',
  automod_pattern: 'patterns of AutoMod rules that are not allowed here, or cost too much time',
  automod_action: 'actions of AutoMod rules, such as alerts in a channel that everybody sees',
  onboarding: 'questions of the onboarding beyond 8, or without options',
  onboarding_role: 'options of the onboarding without a role that has more permissions than everyone starts with',
  other: 'files that are not exports of channels',
} as const
type Loss = keyof typeof LOSSES

const EXAMPLES_MAX = 5
/** Damaged files to list by name: each must be exported again. */
export const DAMAGED_MAX = 100
const EXAMPLE_UNITS_MAX = 200

/** Counts what was lost, with a few examples of each kind. */
export class Report {
  readonly #losses = new Map<Loss, { count: number; examples: Set<string> }>()

  /** @param example its location or name */
  note(loss: Loss, example?: string, count = 1): void {
    const entry = this.#losses.get(loss) ?? { count: 0, examples: new Set() }
    this.#losses.set(loss, entry)
    entry.count += count
    if (example !== undefined && entry.examples.size < (loss === 'damaged' ? DAMAGED_MAX : EXAMPLES_MAX))
      entry.examples.add(example.slice(0, EXAMPLE_UNITS_MAX).replace(/\p{C}/gu, ' '))
  }

  count(loss: Loss): number {
    return this.#losses.get(loss)?.count ?? 0
  }

  /** One line per kind of loss. */
  lines(): string[] {
    return Object.entries(LOSSES).flatMap(([loss, words]) => {
      const entry = this.#losses.get(loss as Loss)
      if (!entry) return []
      const examples = entry.examples.size > 0 ? `, such as ${[...entry.examples].join(', ')}` : ''
      return [`  ${entry.count} ${words}${examples}`]
    })
  }
}
