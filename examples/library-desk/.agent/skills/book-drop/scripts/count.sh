# Counts what was dropped into the box.
if [ ! -f inputs/box.txt ]; then
  echo "the box is locked" >&2
  exit 3
fi
lines=0
while read -r _; do lines=$((lines + 1)); done < inputs/box.txt
echo "$lines in the box"
