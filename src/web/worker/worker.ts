import { forgetKept, keep } from '../device/kept.ts'
import type { PinRequest } from '../device/pin-record.ts'
import { sharedOf } from '../device/shared.ts'
import { assetOf, install, isAsset, isPage, keepFiles, pageOf, removeOld } from './files.ts'
import { open, receive, resubscribe } from './push.ts'
import { changePin } from './pinned-files.ts'
import { scope } from './scope.ts'

scope.addEventListener('install', (event) => event.waitUntil(install().then(() => scope.skipWaiting())))
scope.addEventListener('activate', (event) => event.waitUntil(removeOld().then(() => scope.clients.claim())))

scope.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (origin !== location.origin) return
  if (request.method === 'POST' && pathname === '/share') event.respondWith(takeShared(request))
  else if (request.method !== 'GET') return
  else if (isAsset(pathname)) event.respondWith(assetOf(request))
  else if (request.mode === 'navigate' && isPage(pathname)) event.respondWith(pageOf(request))
})

scope.addEventListener('push', (event) => {
  if (event.data) event.waitUntil(receive(event.data.json()))
})
scope.addEventListener('notificationclick', (event) => event.waitUntil(open(event.notification)))
scope.addEventListener('pushsubscriptionchange', (event) =>
  event.waitUntil(resubscribe(event.oldSubscription, event.newSubscription)),
)

const isPinRequest = (data: unknown): data is { pin: PinRequest } =>
  typeof data === 'object' && data !== null && 'pin' in data

scope.addEventListener('message', (event) => {
  const { data, ports } = event
  if (isPinRequest(data)) event.waitUntil(changePin(data.pin).then((answer) => ports[0]?.postMessage(answer)))
  else if (data === 'left') event.waitUntil(leave())
  else if (Array.isArray(data)) event.waitUntil(keepFiles(data.map(String)))
})

/** Stores content that another program shares, until the page that opens asks for its destination. */
async function takeShared(request: Request): Promise<Response> {
  await keep('shared', sharedOf(await request.formData()))
  return Response.redirect('/app?shared', 303)
}

/** Removes all data of the account after a logout. */
async function leave(): Promise<void> {
  await forgetKept()
  const { registration } = scope
  for (const notice of await registration.getNotifications()) notice.close()
  await navigator.clearAppBadge?.()
  const subscription = await registration.pushManager.getSubscription()
  await subscription?.unsubscribe()
}
