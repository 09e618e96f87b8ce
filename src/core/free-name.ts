/** The first code points, at most `codePointsMax`. */
export const clip = (text: string, codePointsMax: number): string =>
  text.length <= codePointsMax
    ? text
    : Array.from(text.slice(0, 2 * codePointsMax))
        .slice(0, codePointsMax)
        .join('')

/**
 * The name, with a number appended if it is taken: `owls-2`.
 * @param takenNames compared exactly
 * @param joiner what separates the number
 */
export function freeName(name: string, takenNames: ReadonlySet<string>, codePointsMax: number, joiner: string): string {
  let candidate = name
  for (let nth = 2; takenNames.has(candidate); nth++) {
    const ending = `${joiner}${nth}`
    candidate = clip(name, codePointsMax - ending.length) + ending
  }
  return candidate
}
