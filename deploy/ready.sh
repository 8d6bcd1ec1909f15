#!/bin/bash
# Succeeds if the server in this container can store games. The image has neither curl nor wget.
set -eu
exec 3<>"/dev/tcp/127.0.0.1/${1:-8080}"
printf 'GET /readyz HTTP/1.0\r\nHost: localhost\r\n\r\n' >&3
read -r -t 3 _ status _ <&3
test "$status" = 200
