/**
 * A GIF of 20 by 10 pixels that is played three times: a pattern of red, green, blue and white; a smaller one that is
 * cleared; a white square, after which what lay below is restored; a blue corner.
 */
export const gif = (): Uint8Array =>
  Uint8Array.from(
    Buffer.from(
      'R0lGODlhFAAKAIEAAP8AAAD/AAAA/////yH/C05FVFNDQVBFMi4wAwECAAAh+QQEFAAAACwAAAAAFAAKAAACGUQ0hprX65iMFNqH' +
        '59W59u1xYkiC5oeOZwEAIfkECQUAAQAsBAACAAYABAAAAgZEZHjJ61IAIfkEDAEAAAAsAgABAAgACAAAAgacj6nL7V0AIfkEBB4A' +
        'AAAsCgAFAAoABQAAAgaUj6nLnQUAOw==',
      'base64',
    ),
  )
