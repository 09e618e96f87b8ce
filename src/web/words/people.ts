/** Words for people that the page starts with. */
export const peopleWords = {
  status: { online: 'Online', idle: 'Idle', offline: 'Offline' },
  friends: { title: 'Friends' },
  profile: { open: 'Profile' },
  deletedUser: 'Deleted user',
}
