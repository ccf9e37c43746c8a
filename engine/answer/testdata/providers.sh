#!/bin/sh
# Asks two independent OpenAI-compatible servers from npm, to see that the client
# does not only understand the servers written for it. Run it by hand: it needs
# node, npm and the network, installs into a temporary folder, and stops what it
# started. `go test` never runs it.
#
#   sh engine/answer/testdata/providers.sh
set -eu

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
work=$(mktemp -d)
pids=
stop() {
	for pid in $pids; do kill "$pid" 2>/dev/null || true; done
	rm -rf "$work"
}
trap stop EXIT INT TERM

(cd "$root" && go build -o "$work/deermem-tui" ./cmd/deermem-tui)
(cd "$work" && npm init -y >/dev/null && npm install --no-audit --no-fund --silent @dwmkerr/mock-llm@0.1.29 openai-api-mock@0.4.0)
cp "$here/bridge.mjs" "$work/"

# The sample as a study of a model that a provider serves.
mkdir -p "$work/study/configs" "$work/study/manifests" "$work/study/prompts"
sed 's/model: offline-extractive-v1/model: gpt-4/' "$root/configs/sample-v1.yaml" >"$work/study/configs/study.yaml"
cp "$root"/manifests/sample-official-v1.json "$root"/manifests/sample-corrections-v1.json "$work/study/manifests/"
cp "$root/prompts/answer-sample-v1.txt" "$work/study/prompts/"

# port gives a free one.
port() { node -e 's=require("net").createServer().listen(0,"127.0.0.1",()=>{console.log(s.address().port);s.close()})'; }

# wait_for waits until something listens on a port.
wait_for() { node -e '
const net = require("net"); let tries = 100;
(function look() { net.connect(+process.argv[1], "127.0.0.1")
  .on("connect", () => process.exit(0))
  .on("error", () => --tries ? setTimeout(look, 100) : process.exit(1)); })()' "$1"; }

key=sk-not-a-real-key-4Zq81xVt0nEv
failed=0
# check NAME BASE-URL EXIT-CODE WORDS runs the study and looks at how it ended.
check() {
	code=0
	DEERMEM_EVAL_ANSWER_BASE_URL=$2 DEERMEM_EVAL_ANSWER_API_KEY=$key \
		"$work/deermem-tui" run-qa --protocol-dir "$work/study" --dataset "$root/manifests/sample-dataset.json" \
		--official-manifest "$work/study/manifests/sample-official-v1.json" --synthetic-manifest "$work/study/manifests/sample-corrections-v1.json" \
		--config "$work/study/configs/study.yaml" --output-dir "$work/run-$1" >"$work/$1.out" 2>"$work/$1.err" || code=$?
	if [ "$code" = "$3" ] && cat "$work/$1.out" "$work/$1.err" | grep -q "$4"; then
		echo "ok    $1: $(tail -n 1 "$work/$1.out")"
	else
		echo "FAIL  $1: exit code $code, want $3 and \"$4\""
		tail -n 5 "$work/$1.out" "$work/$1.err"
		failed=1
	fi
}

# mock-llm, with answers of its own, and a path where it refuses the key.
cat >"$work/mock-llm.yaml" <<'RULES'
rules:
  - path: "/v1/chat/completions"
    method: "POST"
    match: "@"
    response:
      status: 200
      content: |
        {"id": "chatcmpl-{{timestamp}}", "object": "chat.completion", "model": "{{jmes request body.model}}",
         "choices": [{"message": {"role": "assistant", "content": "two weeks"}, "finish_reason": "stop"}]}
  - path: "/v1/locked/chat/completions"
    method: "POST"
    match: "@"
    response:
      status: 401
      content: |
        {"error": {"message": "Incorrect API key provided: {{headers.authorization}}", "type": "invalid_request_error"}}
RULES
first=$(port)
(cd "$work" && HOST=127.0.0.1 PORT=$first exec node node_modules/@dwmkerr/mock-llm/dist/main.js --config mock-llm.yaml >/dev/null 2>&1) &
pids="$pids $!"
wait_for "$first"
check mock-llm "http://127.0.0.1:$first/v1" 0 "0 reused, 90 called, 0 failed"
check mock-llm-without-v1 "http://127.0.0.1:$first" 0 "0 reused, 90 called, 0 failed"
check mock-llm-endpoint "http://127.0.0.1:$first/v1/chat/completions" 0 "0 reused, 90 called, 0 failed"
check mock-llm-wrong-path "http://127.0.0.1:$first/v9" 1 "HTTP 404"
check mock-llm-wrong-key "http://127.0.0.1:$first/v1/locked" 1 "HTTP 401: Incorrect API key provided"

# openai-api-mock, which serves another model than the one asked for.
second=$(port)
(cd "$work" && PORT=$second exec node bridge.mjs >/dev/null 2>&1) &
pids="$pids $!"
wait_for "$second"
check openai-api-mock "http://127.0.0.1:$second/v1" 0 "another model than gpt-4"

# The key is in nothing that was written.
if grep -rq "$key" "$work"/run-* "$work"/*.out "$work"/*.err; then
	echo "FAIL  the key was written"
	failed=1
fi

exit $failed
