#!/usr/bin/env bash
# Runs a command in a network of its own, where every name has an address and every address answers, and writes down each packet.
# usage: private-network.sh CAPTURE SINK_LOG NODE COMMAND...     (as root)
# A default route and an interface that is up matter: with loopback alone Chromium takes itself for offline, and silence proves nothing.
set -euo pipefail
export CAPTURE=$1 SINK_LOG=$2 NODE=$3 HERE
HERE=$(cd "$(dirname "$0")" && pwd)
shift 3
exec unshare --net --mount --propagation private bash -c '
set -euo pipefail
resolver=$(mktemp)
echo "nameserver 10.77.0.53" > "$resolver"
mount --bind "$resolver" /etc/resolv.conf
ip link set lo up
ip link add out0 type veth peer name peer0
ip addr add 10.77.0.2/24 dev out0
ip link set out0 up
ip link set peer0 up
ip neigh add 10.77.0.1 lladdr 02:00:00:00:00:99 dev out0
ip addr add 10.77.0.53/32 dev lo
ip route add default via 10.77.0.1 dev out0
if ip -6 addr add fd77::2/64 dev out0 nodad 2>/dev/null; then
  ip -6 neigh add fd77::1 lladdr 02:00:00:00:00:99 dev out0
  ip -6 route add default via fd77::1 dev out0
fi
# Addresses of the world that the sink answers for.
for range in 93.184.215.0/24 198.51.100.0/24; do ip route add local "$range" dev lo; done
"$NODE" "$HERE/sink.mjs" > "$SINK_LOG" & sink=$!
tcpdump -i any -nn -tt -l "not arp and not icmp6 and not ip6 proto 0" > "$CAPTURE" 2> "$CAPTURE.words" & capture=$!
for attempt in $(seq 100); do
  grep -q "listening on" "$CAPTURE.words" && grep -q ready "$SINK_LOG" && break
  sleep 0.1
done
code=0
"$@" || code=$?
sleep 1
kill $capture $sink 2>/dev/null || true
wait 2>/dev/null || true
rm -f "$resolver"
exit $code
' private-network "$@"
