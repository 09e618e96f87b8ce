/** Letters that stay whole when their marks are taken off. */
const SPELLED: Record<string, string> = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ð: 'd', þ: 'th', ł: 'l', đ: 'd', ı: 'i' }

/**
 * Suggests a username for a display name: its letters without marks, its words joined by dots.
 * @returns an empty text if fewer than two characters would be left, as for names in other scripts
 */
export function usernameFrom(displayName: string): string {
  const plain = displayName
    .slice(0, 64)
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[ßæœøðþłđı]/g, (letter) => SPELLED[letter] ?? '')
  const name = (plain.match(/[a-z0-9_-]+/g) ?? []).join('.').slice(0, 32).replace(/\.$/, '')
  return name.length < 2 ? '' : name
}
