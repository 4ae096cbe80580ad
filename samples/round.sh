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
look /api/me; echo

# Take the first free position. If another Player is faster, try the next.
for position in $(look /api/lobby | grep --only-matching "\"table\":\"$table\"[^}]*" |
    sed 's/.*"free":\[\([0-9,]*\)\].*/\1/; s/,/ /g'); do
    if command "{\"do\":\"take-position\",\"position\":$position}" | grep --quiet '"entries"'; then break; fi
done
echo "at position $position of $table"

# Place the minimum Ante when bets are open, and remember the round.
until
    view=$(look "/api/tables/$table")
    round=$(grep --only-matching '"round":[0-9]*' <<<"$view" | head --lines=1 | cut --delimiter=: --fields=2)
    ante=$(grep --only-matching '"ante_least":[0-9]*' <<<"$view" | head --lines=1 | cut --delimiter=: --fields=2)
    grep --quiet "\"does\":\"place_wager\",\"position\":$position,\"area\":\"Ante\"" <<<"$view" &&
        command "{\"do\":\"place-wager\",\"position\":$position,\"area\":\"ante\",\"amount\":$ante}" | grep --quiet '"entries"'
do sleep 0.2; done
echo "an Ante of $ante cents in round $round"

# Make every wager that is due, until the round is settled or void.
until
    report=$(look "/api/tables/$table/rounds/$round")
    grep --quiet '"kind":"settled"\|"kind":"round_voided"' <<<"$report"
do
    if look "/api/tables/$table" | grep --quiet "\"does\":\"decide\",\"position\":$position,[^}]*\"decision\":\"wager\""; then
        command "{\"do\":\"decide\",\"position\":$position,\"decision\":\"wager\"}" >/dev/null
    fi
    sleep 0.2
done

# Print what happened, as a Dealer would announce it.
grep --only-matching '"sentence":"[^"]*"' <<<"$report" | cut --delimiter='"' --fields=4
look /api/me; echo
command "{\"do\":\"leave-position\",\"position\":$position}" >/dev/null
curl --silent --show-error --request DELETE --header "Authorization: Bearer $token" --header 'X-Megalink: 1' "$address/api/session"
