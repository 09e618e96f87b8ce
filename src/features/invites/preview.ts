import { areGuestsLetIn } from '../accounts/guest-door.ts'
import { found, Problem } from '../../core/errors.ts'
import type { PublicUser } from '../../core/schema.ts'
import type { Caller } from '../../http/caller.ts'
import type { Parts } from '../../parts.ts'
import { downloadOf } from '../files/access.ts'
import type { FileRow } from '../files/model.ts'
import { isBanLive } from '../members/ban.ts'
import { PRESENCE_MEMBERS_MAX } from '../members/model.ts'
import type { StatusOf } from '../status/model.ts'
import type { InvitePreview } from './model.ts'

interface PreviewRow {
  code: string
  expires_at: string | null
  temporary: InvitePreview['temporary']
  guest: boolean
  is_live: boolean
  is_banned: boolean
  server: Omit<InvitePreview['server'], 'icon_url'>
  inviter: PublicUser | null
  /** Null for a server with too many members to count. */
  member_ids: number[] | null
  icon: FileRow | null
  avatar: FileRow | null
}

/**
 * The preview of an invite. It includes pictures, because a client without an account cannot fetch them.
 * @throws Problem `not_found`, `banned`, `invite_gone`
 */
export async function previewOf(
  parts: Parts,
  statusOf: StatusOf,
  code: string,
  { user_id, base }: Caller,
): Promise<InvitePreview> {
  const { sql, objects } = parts
  const [row] = await sql<PreviewRow[]>`
    select i.code, i.expires_at, i.temporary, i.guest, is_live(i) as is_live,
      exists (select from bans b where b.server_id = s.id and b.user_id = ${user_id ?? null}
        and ${isBanLive(sql)}) as is_banned,
      json_build_object('id', s.id, 'name', s.name, 'description', s.description, 'icon_file_id', s.icon_file_id,
        'member_count', s.member_count) as server,
      case when m.user_id is not null then public_user(u) end as inviter,
      case when s.member_count <= ${PRESENCE_MEMBERS_MAX}
        then array(select each.user_id from members each where each.server_id = s.id) end as member_ids,
      (select to_json(f) from files f where f.id = s.icon_file_id) as icon,
      (select to_json(f) from files f where f.id = u.avatar_file_id and m.user_id is not null) as avatar
    from invites i join servers s on s.id = i.server_id join users u on u.id = i.creator_id
      left join members m on m.server_id = s.id and m.user_id = u.id
    where i.code = ${code}`
  const { is_live, is_banned, server, inviter, member_ids, icon, avatar, ...invite } = found(row)
  if (is_banned) throw new Problem('banned')
  if (!is_live) throw new Problem('invite_gone')
  const urlOf = async (file: FileRow | null) =>
    file && (await downloadOf(objects, file, base, file.thumbnail_key ? 'thumbnail' : 'original')).download_url
  return {
    ...invite,
    guest: invite.guest && (await areGuestsLetIn(parts)),
    server: { ...server, icon_url: await urlOf(icon) },
    inviter: inviter && { ...inviter, avatar_url: await urlOf(avatar) },
    online_count: member_ids && member_ids.filter((id) => statusOf(id) !== 'offline').length,
  }
}
