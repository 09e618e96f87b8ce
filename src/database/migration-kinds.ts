/**
 * How a change of the schema affects servers that already run, from the version before or an earlier one:
 * - expand: they go on working next to servers of this version. It only adds; nothing is dropped, renamed or narrowed.
 * - break: they have to stop first.
 */
export type MigrationKind = 'expand' | 'break'

/** The first line of a migration. */
const HEADER = /^-- kind: (expand|break)\n/

/** The kind that a migration states; `break` if it states none, as those from before version 0.18.0. */
export const kindOf = (source: string): MigrationKind => (HEADER.exec(source)?.[1] === 'expand' ? 'expand' : 'break')

/**
 * The kind of an upgrade. Without a migration it is a break, even if only functions differ: a server of the earlier
 * version could start again, because it has every migration, and would install its functions over the new ones.
 */
export const kindOfAll = (kinds: MigrationKind[]): MigrationKind =>
  kinds.length > 0 && kinds.every((kind) => kind === 'expand') ? 'expand' : 'break'
