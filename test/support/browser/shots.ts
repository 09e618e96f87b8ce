import type { Visitor } from './visitor.ts'

/** The folder that gets pictures of what the tests show; none are taken without it. */
const SHOTS = process.env['SHOTS']

/** Takes a picture of the page as it is. @param name of the file */
export async function shoot({ page }: Visitor, name: string): Promise<void> {
  if (SHOTS) await page.screenshot({ path: `${SHOTS}/${name}.png` })
}

/** Takes a picture of the page in each theme; the page stays dark. */
export async function shootThemes(visitor: Visitor, name: string): Promise<void> {
  if (!SHOTS) return
  for (const colorScheme of ['light', 'dark'] as const) {
    await visitor.page.emulateMedia({ colorScheme })
    // Colours fade.
    await visitor.page.waitForTimeout(300)
    await shoot(visitor, `${name}-${colorScheme}`)
  }
}
