#!/bin/sh
# Usage: reaper.sh <directory>, started by reaper.ts.
# Waits until no process holds <directory>/alive open, then ends every process whose TMPDIR or working directory lies in
# the directory, and removes the directory, and the network namespaces that <directory>/namespaces names.
directory=$1
# Signals to the process group are for the tests.
trap '' INT HUP TERM
cat "$directory/alive" >/dev/null

marked() {
  if [ -d /proc/self ]; then
    {
      grep -lsz "^TMPDIR=$directory" /proc/[0-9]*/environ
      # Redis writes its title over its environment.
      find /proc/[0-9]* -maxdepth 1 -name cwd -lname "$directory*"
    } 2>/dev/null | cut -d/ -f3 | sort -u
  else
    ps axeww -o pid= -o command= | grep -F "TMPDIR=$directory" | grep -v grep | awk '{ print $1 }'
  fi
}

# A PostgreSQL that is killed leaves its shared memory behind: it gets 5 s to quit.
for round in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25; do
  pids=$(marked)
  [ -n "$pids" ] || break
  for pid in $pids; do
    case $(cat "/proc/$pid/comm" || ps -o comm= -p "$pid") in
    *postgres*) kill -QUIT "$pid" && kill -CONT "$pid" ;;
    *) kill -KILL "$pid" ;;
    esac
  done 2>/dev/null
  sleep 0.2
done
kill -KILL $(marked) 2>/dev/null
if [ -f "$directory/namespaces" ]; then
  while read -r name; do ip netns del "$name"; done <"$directory/namespaces" 2>/dev/null
fi
rm -rf "$directory"
