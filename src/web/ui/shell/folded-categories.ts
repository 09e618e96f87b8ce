import { signal } from '@preact/signals'
import { onDevice } from '../../state/stored.ts'

const KEY = 'parley.folded'
/** Older ones are forgotten. */
const FOLDED_MAX = 1_000

function storedIds(): Set<number> {
  try {
    const ids: unknown = JSON.parse(onDevice.getItem(KEY) ?? '[]')
    return new Set(Array.isArray(ids) ? ids.filter((id) => Number.isSafeInteger(id)) : [])
  } catch {
    return new Set()
  }
}

/** The categories that are folded in this browser. */
export const foldedCategories = signal<ReadonlySet<number>>(storedIds())

export function toggleFolded(id: number): void {
  const { value } = foldedCategories
  const next = value.has(id) ? value.difference(new Set([id])) : value.union(new Set([id]))
  foldedCategories.value = next
  onDevice.setItem(KEY, JSON.stringify([...next].slice(-FOLDED_MAX)))
}
