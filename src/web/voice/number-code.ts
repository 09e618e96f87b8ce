// The number that two people compare, as the text of a QR code. It names both accounts, so that somebody else's code is
// not taken for a wrong number.

const CODE = /^parley-devices:(\d{1,15}):(\d{1,15}):(\d{30})$/

const inOrder = (one: number, other: number): [number, number] => (one < other ? [one, other] : [other, one])

/** @param groups the digits that the two accounts compare */
export const codeText = (one: number, other: number, groups: readonly string[]): string =>
  ['parley-devices', ...inOrder(one, other), groups.join('')].join(':')

/**
 * Compares a scanned text: the same number, another number of the same two accounts, or nothing about them.
 * @param own the text that this device shows
 */
export function compareCode(own: string, scanned: string): 'same' | 'differs' | 'foreign' {
  const [mine, theirs] = [CODE.exec(own), CODE.exec(scanned)]
  if (!mine || !theirs || mine[1] !== theirs[1] || mine[2] !== theirs[2]) return 'foreign'
  return mine[3] === theirs[3] ? 'same' : 'differs'
}
