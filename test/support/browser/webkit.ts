import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, firefox } from 'playwright-core'
import { debianProgram } from '../debian.ts'

/**
 * Starts WebKitGTK's MiniBrowser, one for each context. playwright takes it for a Firefox, because the bridge speaks
 * like one.
 * @param DISPLAY where its windows are
 */
export async function launchWebkit(DISPLAY: string): Promise<Browser> {
  if (!debianProgram('WebKitWebDriver', 'webkit2gtk-driver'))
    throw new Error('These tests need WebKitGTK: apt-get install webkit2gtk-driver')
  const home = mkdtempSync(join(tmpdir(), 'webkit-'))
  const starter = join(home, 'webkit')
  const bridge = join(import.meta.dir, 'webkit/bridge.ts')
  writeFileSync(starter, `#!/bin/sh\nexec '${process.execPath}' '${bridge}'\n`, { mode: 0o700 })
  return firefox.launch({
    channel: 'moz-firefox',
    executablePath: starter,
    env: { ...process.env, HOME: home, DISPLAY },
  })
}
