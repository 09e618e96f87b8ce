/** Offset of the server's clock from this device's, ms. */
let aheadMs = 0

/** Sets the server's time, which servers of earlier versions do not send. */
export function setServerTime(time: string | undefined): void {
  const at = Date.parse(time ?? '')
  if (!Number.isNaN(at)) aheadMs = at - Date.now()
}

/** The server's time, ms since the epoch: its times are compared with it, however wrong the device's clock is. */
export const serverNow = (): number => Date.now() + aheadMs
