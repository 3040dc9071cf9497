# libraries.sh ROOT PACKAGE: the packages of all libraries that programs and libraries in ROOT need are dependencies of PACKAGE.
set -e
depends=", $(dpkg-deb -f "$2" Depends),"
cd "$1"
mkdir -p debian && echo 'Source: xf' > debian/control
programs=$(find usr/bin usr/lib -type f | xargs file | sed -n 's/: *ELF.*\(executable\|shared object\).*//p')
found=$(dpkg-shlibdeps -O --ignore-missing-info -lusr/lib $programs 2>/dev/null | sed 's/^shlibs:Depends=//; s/ ([^)]*)//g; s/,//g')
[ -n "$found" ]
for package in $found; do
  case $depends in
  *", $package,"* | *", $package ("*) ;;
  *) echo "expected $package among the dependencies, got $depends" && exit 1 ;;
  esac
done
