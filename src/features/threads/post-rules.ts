import { demand } from '../access/guard.ts'
import type { Channel } from '../access/model.ts'
import { field } from '../../http/answers.ts'

/**
 * Demands that a post may have these tags instead of those before: each is one of its forum, the forum gets the one
 * that it requires, and only a moderator gives or removes moderated ones.
 * @throws Problem `validation_failed`, `missing_permission`
 */
export function demandTags(
  { tags = [], tag_required }: Pick<Channel, 'tags' | 'tag_required'>,
  before: number[],
  after: number[],
  isModerator: boolean,
): void {
  const tagsById = new Map(tags.map((tag) => [tag.id, tag]))
  if (after.some((id) => !tagsById.has(id))) throw field('tag_ids', 'There is no such tag in this forum')
  // A forum whose tags are all moderated can require none of everybody.
  const isRequired = tag_required === true && tags.some(({ moderated }) => isModerator || !moderated)
  if (isRequired && after.length === 0) throw field('tag_ids', 'A post in this forum needs a tag')
  const changed = [...after.filter((id) => !before.includes(id)), ...before.filter((id) => !after.includes(id))]
  if (!isModerator && changed.some((id) => tagsById.get(id)?.moderated === true)) demand(0, 'manage_threads')
}
