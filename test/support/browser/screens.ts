import { expect } from 'bun:test'
import { faultsOf } from './axe.ts'
import { PHONE } from './finger.ts'
import { shootThemes } from './shots.ts'
import { cutParts, smallTargets } from './targets.ts'
import type { Visitor } from './visitor.ts'

/** The screens on which a page is inspected, with the options of their visitors. */
export const SCREENS = {
  'on a desktop': {},
  'on a phone': { ...PHONE, reducedMotion: 'reduce' },
  'on a phone in Arabic': { ...PHONE, reducedMotion: 'reduce', locale: 'ar' },
} as const

/** Expects that the page has no fault of axe, and on a phone no small target, and nothing that is cut off. */
export async function inspect(visitor: Visitor, name: string): Promise<void> {
  await visitor.until(async () => (await visitor.page.locator('.loading').count()) === 0)
  const width = visitor.page.viewportSize()?.width ?? 0
  const faults = await faultsOf(visitor)
  if (width < 500) faults.push(...(await smallTargets(visitor)), ...(await cutParts(visitor)))
  await shootThemes(visitor, `${name}-${width}`)
  expect([name, faults]).toEqual([name, []])
  expect(await visitor.page.evaluate(() => document.documentElement.scrollWidth > innerWidth)).toBe(false)
}
