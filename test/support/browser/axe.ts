import { join } from 'node:path'
import type { Visitor } from './visitor.ts'

const axe = await Bun.file(join(import.meta.dir, '../../../node_modules/axe-core/axe.min.js')).text()

/** The serious faults that axe-core finds, with rule and elements. The dark theme is checked for contrast only. */
export async function faultsOf({ page }: Visitor): Promise<string[]> {
  await page.emulateMedia({ colorScheme: 'light' })
  await page.evaluate(axe)
  const light = await page.evaluate(runAxe, [])
  await page.emulateMedia({ colorScheme: 'dark' })
  return [...light, ...(await page.evaluate(runAxe, ['color-contrast'])).map((fault) => `in the dark: ${fault}`)]
}

/** Runs in the page; checks the open dialog alone if there is one. */
async function runAxe(rules: string[]): Promise<string[]> {
  interface Violation {
    id: string
    impact: string
    nodes: { html: string; failureSummary: string }[]
  }
  const { axe } = window as unknown as {
    axe: { run(at: Element, options: object): Promise<{ violations: Violation[] }> }
  }
  const at = document.querySelector('dialog') ?? document.documentElement
  const { violations } = await axe.run(at, rules.length > 0 ? { runOnly: rules } : {})
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.slice(0, 3).map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`))
}
