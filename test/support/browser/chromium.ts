import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'
import { installPackages } from '../debian.ts'

export const CHROMIUM = '/usr/bin/chromium'
/** Source: voice.md, "Testing it for real". Devices that beep and show a clock, and no connection of Chromium's own. */
const FLAGS = [
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
  // Pages that the test hands out come from nowhere, and yet have to reach this machine.
  '--disable-features=LocalNetworkAccessChecks,LocalNetworkAccessChecksWebSockets',
]
/** The time for a test that starts a browser, on a busy machine. */
export const BROWSER_MS = 120_000

/**
 * Starts Debian's Chromium with a microphone, a camera and a screen that nobody has to allow; installs it when it is
 * missing and this process is root's.
 * @param executablePath of what starts it elsewhere
 * @param flags beside the usual ones
 */
export async function launchChromium(executablePath = CHROMIUM, ...flags: string[]): Promise<Browser> {
  if (!existsSync(CHROMIUM)) installPackages('chromium')
  if (!existsSync(CHROMIUM)) throw new Error('These tests need Chromium: apt-get install chromium')
  return chromium.launch({ executablePath, args: [...FLAGS, ...flags] })
}
