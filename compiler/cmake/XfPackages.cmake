# Packages of Debian: `cd build/release && cpack` writes one for each component of XfInstall.cmake.

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME xf)
set(CPACK_PACKAGE_VENDOR "The xf developers")
set(CPACK_PACKAGE_CONTACT "The xf developers <noreply@xf.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Compiler of transformers with sparse attention")
set(CPACK_RESOURCE_FILE_LICENSE ${CMAKE_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_ALL libxfrt libxfrt-dev xf python3-xfrt)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_STRIP_FILES ON)

# xf_package(COMPONENT SUMMARY SECTION DEPENDS SHLIBDEPS): a component's package, which has its name.
macro(xf_package component summary section depends shlibdeps)
  string(TOUPPER ${component} upper)
  set(CPACK_DEBIAN_${upper}_PACKAGE_NAME ${component})
  set(CPACK_COMPONENT_${upper}_DESCRIPTION "${summary}")
  set(CPACK_DEBIAN_${upper}_PACKAGE_SECTION ${section})
  set(CPACK_DEBIAN_${upper}_PACKAGE_DEPENDS "${depends}")
  set(CPACK_DEBIAN_${upper}_PACKAGE_SHLIBDEPS ${shlibdeps})
endmacro()

xf_package(libxfrt "Runtime of models that xf has compiled" libs "" ON)
xf_package(libxfrt-dev "Headers and static library of libxfrt" libdevel "libxfrt (= ${PROJECT_VERSION})" OFF)
xf_package(xf "Compiler of transformers with sparse attention" devel "libxfrt-dev (= ${PROJECT_VERSION}), g++ | clang, python3 (>= 3.9)" ON)
xf_package(python3-xfrt "Models that xf has compiled, called from Python" python
  "libxfrt (= ${PROJECT_VERSION}), python3 (>= 3.9), python3-numpy" OFF)
include(CPack)
