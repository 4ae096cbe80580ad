#!/usr/bin/env bash
# Plays a whole round with curl: signs in as a guest, takes a free position, wagers, decides, and prints what happened.
# Usage: samples/round.sh [ADDRESS [TABLE]]
set -euo pipefail

address=${1:-http://localhost:7777}
table=${2:-MTHB9-1}

# A request to read, and a command. Every command has its own key: sent again with the same key, it is executed once.
look() { curl --silent --show-error --header "Authorization: Bearer $token" "$address$1"; }
send() {
    curl --silent --show-error --header "Authorization: Bearer $token" --header 'X-Megalink: 1' \
        --header "Idempotency-Key: $(cat /proc/sys/kernel/random/uuid)" \
        --header 'Content-Type: application/json' --data "$2" "$address$1"
}
command() { send "/api/tables/$table/commands" "$1"; }

# Sign in as a guest with play credits. The answer contains the token that programs sign in with.
token=""
token=$(send /api/session/guest '{}' | grep --only-matching '"token":"[0-9a-f]*"' | cut --delimiter='"' --fields=4)
name=$(look /api/session | grep --only-matching '"name":"[^"]*"' | cut --delimiter='"' --fields=4)
look /api/me; echo

# What may be done now comes with its command: the first that starts like this, to be sent back as it is.
choice() { grep --only-matching "{\"do\":\"$1[^}]*}" | head --lines=1; }

# Take the first free position. If another Player is faster, try the next.
until
    take=$(look "/api/tables/$table" | choice 'take-position"' || true)
    [ -n "$take" ] && command "$take" | grep --quiet '"events"'
do sleep 0.2; done
position=$(grep --only-matching '"position":[0-9]*' <<<"$take" | cut --delimiter=: --fields=2)
echo "at position $position of $table"

# Place the least Ante that the table takes when bets are open, and remember the round.
until
    view=$(look "/api/tables/$table")
    round=$(grep --only-matching '"round":[0-9]*' <<<"$view" | head --lines=1 | cut --delimiter=: --fields=2)
    ante=$(choice "place-wager\",\"position\":$position,\"area\":\"ante\"" <<<"$view" || true)
    [ -n "$ante" ] && command "$ante" | grep --quiet '"events"'
do sleep 0.2; done
echo "an Ante in round $round: $ante"

# Make every wager that is due, until the round is settled or void.
until
    events=$(look "/api/tables/$table/rounds/$round")
    grep --quiet '"kind":"settled"\|"kind":"round-voided"' <<<"$events"
do
    wager=$(look "/api/tables/$table" | choice "decide\",\"position\":$position,\"decision\":\"wager\"" || true)
    if [ -n "$wager" ]; then command "$wager" >/dev/null; fi
    sleep 0.2
done

# Print what happened, as a Dealer would announce it, and what became of the own wagers.
grep --only-matching '"sentence":"[^"]*"' <<<"$events" | cut --delimiter='"' --fields=4
grep --only-matching "\"owner\":\"$name\",\"staked\":[^}]*\"collected\":[0-9]*" <<<"$events" || echo "no wager of $name was settled"
look /api/me; echo
command "{\"do\":\"leave-position\",\"position\":$position}" >/dev/null
curl --silent --show-error --request DELETE --header "Authorization: Bearer $token" --header 'X-Megalink: 1' "$address/api/session"
