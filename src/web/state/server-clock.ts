/** Offset of the server's clock from this device's, ms. */
let ahead_ms = 0

/** Sets the server's time, which servers of earlier versions do not send. */
export function setServerTime(time: string | undefined): void {
  const at = Date.parse(time ?? '')
  if (!Number.isNaN(at)) ahead_ms = at - Date.now()
}

/** The server's time, ms since the epoch: its times are compared with it, however wrong the device's clock is. */
export const serverNow = (): number => Date.now() + ahead_ms
