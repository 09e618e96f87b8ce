import { join } from 'node:path'
import type { Visitor } from './visitor.ts'

const axe = await Bun.file(join(import.meta.dir, '../../../node_modules/axe-core/axe.min.js')).text()

/** The faults that axe-core finds in the light and the dark theme, with rule and elements. */
export async function faultsOf({ page }: Visitor): Promise<string[]> {
  await page.emulateMedia({ colorScheme: 'light' })
  await page.evaluate(axe)
  const light = await page.evaluate(runAxe)
  await page.emulateMedia({ colorScheme: 'dark' })
  return [...light, ...(await page.evaluate(runAxe)).map((fault) => `in the dark: ${fault}`)]
}

/** Runs in the page; checks only the open dialog if there is one. */
async function runAxe(): Promise<string[]> {
  interface Violation {
    id: string
    nodes: { html: string; failureSummary: string }[]
  }
  const { axe } = window as unknown as {
    axe: { configure(spec: object): void; run(at: Element): Promise<{ violations: Violation[] }> }
  }
  // An open menu has the focus: nobody looks for it by landmarks.
  const region = { id: 'region', selector: 'body *:not(.menu, .menu *)' }
  // The picture of who is offline is pale; the name stands next to it.
  const contrast = { id: 'color-contrast', selector: '*:not(.offline .picture)' }
  axe.configure({ rules: [region, contrast] })
  const at = document.querySelector('dialog') ?? document.documentElement
  const { violations } = await axe.run(at)
  return violations.flatMap(({ id, nodes }) =>
    nodes.slice(0, 3).map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  )
}
