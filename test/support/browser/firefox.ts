import { existsSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, firefox } from 'playwright-core'
import { installPackages } from '../debian.ts'
import { relayed } from './bidi-relay.ts'

const FIREFOX = '/usr/bin/firefox-esr'
/** Fake devices without a question, ICE on loopback, clicks that count for 30 s, no connections of Firefox's own. */
const PREFERENCES = {
  'media.navigator.streams.fake': true,
  'media.navigator.permission.disabled': true,
  'media.peerconnection.ice.loopback': true,
  // A busy machine sends fewer pictures, not smaller ones.
  'media.peerconnection.video.lock_scaling': true,
  'media.peerconnection.ice.obfuscate_host_addresses': false,
  'dom.user_activation.transient.timeout': 30_000,
  'services.settings.server': 'data:,',
  'app.normandy.enabled': false,
  'dom.push.connection.enabled': false,
  'network.captive-portal-service.enabled': false,
  'network.trr.mode': 5,
  'browser.region.network.url': '',
  'toolkit.telemetry.server': '',
}

/**
 * Starts Debian's Firefox with a fake microphone and camera. Installs it if it is missing and this process runs as
 * root.
 * @param DISPLAY a screen that pages can share
 */
export async function launchFirefox(DISPLAY?: string): Promise<Browser> {
  if (!existsSync(FIREFOX)) installPackages('firefox-esr')
  if (!existsSync(FIREFOX)) throw new Error('These tests need Firefox: apt-get install firefox-esr')
  // Firefox keeps files in the home of its user, and refuses a home of another one.
  const HOME = mkdtempSync(join(tmpdir(), 'firefox-'))
  return firefox.launch({
    channel: 'moz-firefox',
    executablePath: relayed(FIREFOX),
    firefoxUserPrefs: PREFERENCES,
    env: { ...process.env, HOME, DISPLAY },
  })
}
