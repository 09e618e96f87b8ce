const ends: (() => void)[] = []

/** Has something done when all test files have run, or the program ends in which this is used otherwise. */
export const atEnd = (end: () => void): void => void ends.push(end)

/** Called once when all test files have run: bun test does not tell of its exit. */
export function endAll(): void {
  for (const end of ends.splice(0)) end()
}
process.on('exit', endAll)
