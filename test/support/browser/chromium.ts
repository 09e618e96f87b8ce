import { chmodSync, existsSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'
import { installPackages } from '../debian.ts'

export const CHROMIUM = '/usr/bin/chromium'
/** Fake devices that beep and show a clock, and no connections of Chromium's own. Source: docs/voice.md. */
export const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--use-fake-device-for-media-stream',
  '--use-fake-ui-for-media-stream=display-media-type=browser',
  '--autoplay-policy=no-user-gesture-required',
  '--allow-loopback-in-peer-connection',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${[
    // Pages that a test serves through playwright's routes have to reach this machine.
    'LocalNetworkAccessChecks',
    'LocalNetworkAccessChecksWebSockets',
    // Chromium loads two pages for the address bar's suggestions with every window: half a second of the processor.
    'WebUIOmniboxPopup',
    'WebUIOmniboxAimPopup',
    'WebUIOmniboxFullPopup',
  ].join()}`,
]
/** The timeout of a test with a browser, on a busy machine, ms. */
export const BROWSER_MS = 300_000

/**
 * Starts Debian's Chromium with a fake microphone, camera and screen, each allowed without a dialog. Installs Chromium
 * if it is missing and this process runs as root.
 * @param executablePath a program that starts Chromium elsewhere, for example in a namespace
 * @param flags further flags of Chromium
 */
export async function launchChromium(executablePath = CHROMIUM, ...flags: string[]): Promise<Browser> {
  if (!existsSync(CHROMIUM)) installPackages('chromium')
  if (!existsSync(CHROMIUM)) throw new Error('These tests need Chromium: apt-get install chromium')
  return chromium.launch({ executablePath, args: [...FLAGS, ...flags] })
}

/** Starts it by a command that runs its arguments, for example in a namespace. */
export function launchChromiumIn(wrapper: string[]): Promise<Browser> {
  const script = join(mkdtempSync(join(tmpdir(), 'chromium-')), 'chromium')
  writeFileSync(script, `#!/bin/sh\nexec ${wrapper.join(' ')} ${CHROMIUM} "$@"\n`)
  chmodSync(script, 0o755)
  return launchChromium(script)
}
