import { Problem } from '../../core/errors.ts'
import { customEmojiId } from '../../core/emoji.ts'
import { holds } from '../../core/permissions.ts'
import { columns, type Sql } from '../../database/database.ts'
import type { Parts } from '../../parts.ts'
import type { Membership } from '../access/guard.ts'
import { Channel } from '../access/model.ts'
import { selectOnboarding } from '../arrival/onboarding.ts'
import { selectRules } from '../arrival/rules.ts'
import { selectWelcome } from '../arrival/welcome.ts'
import { selectRules as selectAutomod } from '../automod/rules.ts'
import { Overwrite, Role } from '../roles/model.ts'
import type { Template } from './model.ts'
import { describeRolePictures } from './role-pictures.ts'

type ForumFields = Pick<
  Channel,
  'tags' | 'tag_required' | 'guidelines' | 'default_sort' | 'layout' | 'default_reaction' | 'post_slowmode_seconds'
>

/** Larger templates could not be sent back: a request has at most 256 KiB, and a name besides. */
export const BYTES_MAX = 255 * 1024

/** Places of things in a list, by their ids. */
const placesOf = (rows: { id: number }[]) => {
  const places = new Map(rows.map(({ id }, at) => [id, at]))
  return (ids: number[]): number[] => ids.flatMap((id) => places.get(id) ?? [])
}

/** @returns the bytes of the template @throws Problem `template_too_large`, which names the largest part */
function demandSmall(template: Template): number {
  const sizes = Object.entries(template).map(
    ([part, value]) => [part, Buffer.byteLength(JSON.stringify(value))] as const,
  )
  const total = sizes.reduce((sum, [, size]) => sum + size, 0)
  const [largest] = sizes.toSorted((a, b) => b[1] - a[1])
  if (total > BYTES_MAX) throw new Problem('template_too_large', `The part ${largest?.[0]} is too large for a template`)
  return total
}

/** The rules of AutoMod without alerts, for members who may read them. */
async function automodOf(sql: Sql, { server_id, permissions }: Membership) {
  if (!holds(permissions, 'manage_server')) return []
  const rules = await selectAutomod(sql, sql`a.server_id = ${server_id}`)
  return rules
    .map((rule) => ({ ...rule, actions: rule.actions.filter(({ type }) => type !== 'alert') }))
    .filter(({ actions }) => actions.length > 0)
}

/** The fields of a forum. Custom emoji stay in their server, and ids of tags in their forum. */
function forumOf({ tags = [], default_reaction, ...forum }: ForumFields): Template['channels'][number]['forum'] {
  const unicodeOnly = (emoji: string | null | undefined) => (emoji && customEmojiId(emoji) === undefined ? emoji : null)
  const { tag_required, guidelines, default_sort, layout, post_slowmode_seconds } = forum
  return {
    tags: tags.map(({ name, emoji, moderated }) => ({ name, emoji: unicodeOnly(emoji), moderated })),
    default_reaction: unicodeOnly(default_reaction),
    tag_required,
    guidelines,
    default_sort,
    layout,
    post_slowmode_seconds,
  }
}

/**
 * A server as a template, as far as the member sees it: without bots, members, messages, and what leads into it.
 * @throws Problem `template_too_large`
 */
export async function describeServer(
  parts: Pick<Parts, 'objects' | 'sql' | 'read'>,
  member: Membership,
): Promise<Template> {
  const { template, roleIds } = await parts.read('templates', (sql) => describeTexts(sql, member))
  const bytesLeft = BYTES_MAX - demandSmall(template)
  const icons = await describeRolePictures(parts, member.server_id, bytesLeft)
  const roles = template.roles.map((role, at) => ({ ...role, icon: icons.get(roleIds[at] ?? 0) ?? null }))
  return { ...template, roles }
}

/** The template without pictures, and the ids of its roles. */
async function describeTexts(sql: Sql, member: Membership): Promise<{ template: Template; roleIds: number[] }> {
  const { server_id, user_id, permissions } = member
  const allRoles = await sql<Role[]>`select ${columns(sql, Role)} from roles
    where server_id = ${server_id} and bot_id is null order by position`
  const [everyone, ...roles] = allRoles
  const channels = await sql<Channel[]>`select ${columns(sql, Channel, 'c')} from channels c
    join channel_permissions cp on cp.channel_id = c.id and cp.user_id = ${user_id}
    where c.server_id = ${server_id} and c.type <> 'thread' and can_view(cp.permissions)
    order by c.type <> 'category', c.position, c.id`
  const overwrites = await sql<Overwrite[]>`select ${columns(sql, Overwrite)} from overwrites
    where channel_id = any(${channels.map(({ id }) => id)}) and role_id = any(${allRoles.map(({ id }) => id)})
    order by role_id`
  const [rolePlaces, channelPlaces] = [placesOf(roles), placesOf(channels)]
  const isWhole = holds(permissions, 'manage_server') && holds(permissions, 'manage_roles')
  const { questions } = await selectOnboarding(sql, { server_id, user_id }, isWhole)
  const welcome = await selectWelcome(sql, { server_id, user_id })
  const isWelcoming = welcome.content !== '' || welcome.channels.length > 0
  const automod = await automodOf(sql, member)
  const template: Template = {
    everyone: everyone?.permissions ?? 0,
    roles: roles.map(({ name, color, permissions: bits, hoist, mentionable, self_assignable }) => {
      return { name, color, permissions: bits, hoist, mentionable, self_assignable, icon: null }
    }),
    channels: channels.map(({ id, name, type, topic, parent_id, slowmode_seconds, opt_in_since, ...more }) => ({
      name,
      type: type as Template['channels'][number]['type'],
      topic,
      parent: parent_id === null ? null : (channelPlaces([parent_id])[0] ?? null),
      slowmode_seconds,
      opt_in: opt_in_since !== null,
      user_limit: more.user_limit ?? null,
      bitrate: more.bitrate ?? null,
      forum: type === 'forum' ? forumOf(more) : null,
      overwrites: overwrites
        .filter(({ channel_id }) => channel_id === id)
        .map(({ role_id, allow, deny }) => ({ role: rolePlaces([role_id])[0] ?? null, allow, deny })),
    })),
    rules: (await selectRules(sql, server_id)).content,
    automod: automod.map(({ name, enabled, trigger, actions, covers_bots, covers_webhooks, ...rule }) => ({
      name,
      enabled,
      trigger,
      actions,
      covers_bots,
      covers_webhooks,
      exempt_roles: rolePlaces(rule.exempt_role_ids),
      exempt_channels: channelPlaces(rule.exempt_channel_ids),
    })),
    questions: questions.map(({ title, description, multiple, required, options }) => ({
      title,
      description,
      multiple,
      required,
      options: options.map(({ label, emoji, description: text, role_ids, channel_ids }) => ({
        label,
        emoji,
        description: text,
        roles: rolePlaces(role_ids),
        channels: channelPlaces(channel_ids),
      })),
    })),
    welcome: isWelcoming
      ? {
          content: welcome.content,
          channels: welcome.channels.flatMap(({ channel_id, emoji, line }) =>
            channelPlaces([channel_id]).map((channel) => ({ channel, emoji, line })),
          ),
        }
      : null,
  }
  return { template, roleIds: roles.map(({ id }) => id) }
}
