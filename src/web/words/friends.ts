// Printed from locales/en/friends.json. After a change there: bun run words
import { inLanguage } from './plural.ts'

/** Words for friends and relations, which are loaded with the pages that show them. */
export const friendWords = inLanguage('friends', {
  relation: {
    none: '',
    friends: 'Friend',
    pending_incoming: 'wants to be your friend',
    pending_outgoing: 'Request sent',
    blocked: 'Blocked',
  },
  tabs: {
    friends: 'Friends',
    waiting: 'Requests',
    blocked: 'Blocked',
    find: 'Find people',
  },
  none: {
    friends: ['No friends yet', 'Add friends to see who is online, message and call them, and create groups.'],
    waiting: ['No pending requests', 'Friend requests that you send or receive appear here until they are answered.'],
    blocked: ['Nobody is blocked', 'People you block cannot message or call you. They are not notified.'],
  },
  nobody: 'No people found',
  nobodyText: 'Enter a full username, or part of a display name.',
  search: 'Username or display name',
  searchHint: 'A full username, or part of a display name.',
  find: 'Search',
  add: 'Add friend',
  accept: 'Accept',
  decline: 'Decline',
  cancel: 'Cancel request',
  remove: 'Remove friend',
  block: 'Block',
  unblock: 'Unblock',
  messageRequests: {
    title: 'Message requests',
    text: (name: string) =>
      `${name} wants to write to you, and cannot tell whether you have read this. If you reply or accept, they can write to you like anyone you know.`,
    hint: 'Messages from people you do not know wait here. You are not notified of them, and their pictures are covered.',
    ignore: 'Ignore',
    ignored: 'Ignored',
    none: 'No message requests',
  },
})
