#!/usr/bin/env bash
# Plays a whole round with nothing but curl: comes in as a guest, takes a free position, wagers, decides, and reads out
# what happened. Usage: samples/round.sh [ADDRESS [TABLE]]
set -euo pipefail

address=${1:-http://localhost:7777}
table=${2:-MTHB9-1}

# A look, and a command. Every command has a key of its own: asked again with it, nothing happens twice.
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

# Take the first free position. Somebody else may be quicker; then there is the next.
for position in $(look /api/lobby | grep --only-matching "\"table\":\"$table\"[^}]*" |
    sed 's/.*"free":\[\([0-9,]*\)\].*/\1/; s/,/ /g'); do
    if command "{\"do\":\"take_position\",\"position\":$position}" | grep --quiet '"entries"'; then break; fi
done
echo "at position $position of $table"

# Place the least Ante when bets are open, and remember in which round.
until
    view=$(look "/api/tables/$table")
    round=$(grep --only-matching '"round":[0-9]*' <<<"$view" | head --lines=1 | cut --delimiter=: --fields=2)
    ante=$(grep --only-matching '"ante_least":[0-9]*' <<<"$view" | head --lines=1 | cut --delimiter=: --fields=2)
    grep --quiet "\"does\":\"place_wager\",\"position\":$position,\"area\":\"Ante\"" <<<"$view" &&
        command "{\"do\":\"place_wager\",\"position\":$position,\"area\":\"ante\",\"amount\":$ante}" | grep --quiet '"entries"'
do sleep 0.2; done
echo "an Ante of $ante cents in round $round"

# Make every wager that is asked for, until the round is settled or void.
until
    told=$(look "/api/tables/$table/rounds/$round")
    grep --quiet '"kind":"settled"\|"kind":"round_voided"' <<<"$told"
do
    if look "/api/tables/$table" | grep --quiet "\"does\":\"decide\",\"position\":$position,[^}]*\"decision\":\"wager\""; then
        command "{\"do\":\"decide\",\"position\":$position,\"decision\":\"wager\"}" >/dev/null
    fi
    sleep 0.2
done

# What happened, as a dealer would read it out.
grep --only-matching '"sentence":"[^"]*"' <<<"$told" | cut --delimiter='"' --fields=4
look /api/me; echo
command "{\"do\":\"leave_position\",\"position\":$position}" >/dev/null
curl --silent --show-error --request DELETE --header "Authorization: Bearer $token" --header 'X-Megalink: 1' "$address/api/session"
