# same.sh BUILD PACKAGES FOLDER: packs BUILD once more, in FOLDER, which gives the bytes of PACKAGES.
set -e
cpack -D CPACK_DEBIAN_COMPRESSION_TYPE=zstd --config "$1/CPackConfig.cmake" -B "$3" >/dev/null
for package in "$2"/*.deb; do
  cmp "$package" "$3/${package##*/}"
done
