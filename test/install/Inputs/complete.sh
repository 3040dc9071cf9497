# usage: complete.sh COMPLETION PROGRAM WORD: prints what bash proposes for the word.
compopt() { :; } # is for a shell that somebody types into
. "$1"
COMP_LINE="$2 $3" COMP_POINT=${#COMP_LINE} COMP_WORDS=("$2" "$3") COMP_CWORD=1
COMP_POINT=${#COMP_LINE}
"_${2//-/_}" && printf '%s\n' "${COMPREPLY[@]}"
