#!/usr/bin/env bash
# A two-household NAT lab in network namespaces, for voice tests that must see P2P work, fail and be cut.
#
#   labA ── natA ─┐
#                 ├─ labS (server: 203.0.113.1)        lab.sh up                 make it
#   labB ── natB ─┘                                    lab.sh nat cone|symmetric|noudp   choose both routers' behaviour
#                                                      lab.sh cut | heal         stop / resume traffic between the households
#                                                    lab.sh narrow A|B 200kbit 5   a slow line that loses 5 %, until the next nat
#                                                      lab.sh exec A|B|S CMD…    run CMD on that host
#                                                      lab.sh down               remove it
# Needs root, Debian's iproute2 and nftables. Nothing leaves this machine. LAB in the environment begins the names of
# its namespaces, so that several can be there at once.
set -eu
L=${LAB-}
host() { echo "${L}lab$1"; }
link() { # namespace device address  namespace device address
  ip link add "$2" netns "$1" type veth peer name "$5" netns "$4"
  ip -n "$1" addr add "$3" dev "$2"; ip -n "$4" addr add "$6" dev "$5"
  ip -n "$1" link set "$2" up; ip -n "$4" link set "$5" up
}
all() { echo "${L}labA ${L}labB ${L}labS ${L}natA ${L}natB"; }
case ${1:-} in
up)
  for n in $(all); do ip netns add "$n"; ip -n "$n" link set lo up; done
  link "${L}labA" lan 10.77.1.2/24 "${L}natA" lan 10.77.1.1/24; link "${L}labB" lan 10.77.2.2/24 "${L}natB" lan 10.77.2.1/24
  link "${L}natA" wan 198.51.100.2/30 "${L}labS" wanA 198.51.100.1/30; link "${L}natB" wan 198.51.100.6/30 "${L}labS" wanB 198.51.100.5/30
  ip -n "${L}labA" route add default via 10.77.1.1; ip -n "${L}labB" route add default via 10.77.2.1
  ip -n "${L}natA" route add default via 198.51.100.1; ip -n "${L}natB" route add default via 198.51.100.5
  ip -n "${L}labS" addr add 203.0.113.1/32 dev lo
  for n in "${L}labS" "${L}natA" "${L}natB"; do ip netns exec "$n" sysctl -qw net.ipv4.ip_forward=1; done
  "$0" nat cone ;;
nat)
  how=""; udp=""
  case $2 in
  cone) ;;
  symmetric) how="fully-random" ;;
  noudp) udp="meta l4proto udp drop" ;;   # a firewall that lets out nothing but TCP
  *) echo "cone, symmetric or noudp" >&2; exit 2 ;;
  esac
  for n in "${L}natA" "${L}natB"; do
    ip netns exec "$n" nft flush ruleset
    for dev in wan lan; do ip netns exec "$n" tc qdisc del dev "$dev" root 2>/dev/null || true; done
    ip netns exec "$n" nft -f - <<R
table ip nat {
  chain out {
    type nat hook postrouting priority 100
    oifname "wan" masquerade $how
  }
}
table ip filter {
  chain forward {
    type filter hook forward priority 0; policy accept
    $udp
    iifname "wan" ct state new drop
  }
  chain input {
    type filter hook input priority 0; policy accept
    iifname "wan" ct state new drop
  }
}
R
  done
  "$0" heal ;;
cut) ip netns exec "${L}labS" sysctl -qw net.ipv4.ip_forward=0 ;;   # households still reach the server, not each other
heal) ip netns exec "${L}labS" sysctl -qw net.ipv4.ip_forward=1 ;;
narrow) # household, rate, loss in percent: both ways, of UDP
  n=${L}nat$2
  for dev in wan lan; do ip netns exec "$n" tc qdisc replace dev "$dev" root tbf rate "$3" burst 5kb latency 300ms; done
  ip netns exec "$n" nft -f - <<R
table ip loss {
  chain forward {
    type filter hook forward priority 10; policy accept
    meta l4proto udp numgen random mod 100 < $4 drop
  }
}
R
  ;;
exec) n=$(host "$2"); shift 2; exec ip netns exec "$n" "$@" ;;
down) for n in $(all); do ip netns del "$n" 2>/dev/null || true; done ;;
*) sed -n '2,14p' "$0"; exit 2 ;;
esac
