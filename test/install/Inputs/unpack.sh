# usage: unpack.sh PACKAGES ROOT: unpacks all packages of a folder into ROOT.
for package in "$1"/*.deb; do dpkg-deb -x "$package" "$2" || exit 1; done
