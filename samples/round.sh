#!/usr/bin/env bash
# Plays a whole round with nothing but curl: comes in as a guest, takes a free position, wagers, decides, and reads out
# what happened. Usage: samples/round.sh [ADDRESS [TABLE]]
set -euo pipefail

address=${1:-http://localhost:7777}
table=${2:-MTHB9-1}

# A look, and a command. Every command has a key of its own: a retry with it does nothing twice.
look() { curl --silent --show-error --header "Authorization: Bearer $token" "$address$1"; }
tell() {
    curl --silent --show-error --header "Authorization: Bearer $token" --header 'X-Megalink: 1' \
        --header "Idempotency-Key: $(cat /proc/sys/kernel/random/uuid)" \
        --header 'Content-Type: application/json' --data "$2" "$address$1"
}
command() { tell "/api/tables/$table/commands" "$1"; }

# Come in as a guest with play credits. The answer has the token that programs sign in with.
token=""
token=$(tell /api/session/guest '{}' | grep --only-matching '"token":"[0-9a-f]*"' | cut --delimiter='"' --fields=4)
look /api/me; echo

# What may be done now comes with its command: the first that starts like this, to be sent back as it is.
choice() { grep --only-matching "{\"do\":\"$1[^}]*}" | head --lines=1; }

# Take the first free position. Somebody else may be quicker; then there is the next.
until
    take=$(look "/api/tables/$table" | choice 'take-position"' || true)
    [ -n "$take" ] && command "$take" | grep --quiet '"events"'
do sleep 0.2; done
position=$(grep --only-matching '"position":[0-9]*' <<<"$take" | cut --delimiter=: --fields=2)
echo "at position $position of $table"

# Place the least Ante when bets are open, and remember in which round.
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

# What happened, as a dealer would read it out.
grep --only-matching '"sentence":"[^"]*"' <<<"$events" | cut --delimiter='"' --fields=4
look /api/me; echo
command "{\"do\":\"leave-position\",\"position\":$position}" >/dev/null
curl --silent --show-error --request DELETE --header "Authorization: Bearer $token" --header 'X-Megalink: 1' "$address/api/session"
