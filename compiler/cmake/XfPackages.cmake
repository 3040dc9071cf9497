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
# dpkg-shlibdeps leaves out libllvm22 in some runs, so libraries are listed; a test compares them with what it finds.
xf_package(xf "Compiler of transformers with sparse attention" devel "libxfrt-dev (= ${PROJECT_VERSION}), g++ | clang, python3 (>= 3.9), \
libc6 (>= 2.36), libgcc-s1 (>= 12), libjpeg62-turbo, libllvm22 (>= 1:22.1), libmlir-22 (>= 1:22.1), libpng16-16, libstdc++6 (>= 12), libz3-4, \
libzstd1, zlib1g" OFF)
xf_package(python3-xfrt "Models that xf has compiled, called from Python" python
  "libxfrt (= ${PROJECT_VERSION}), python3 (>= 3.9), python3-numpy" OFF)

# Two packings of one commit are the same bytes.
file(WRITE ${CMAKE_BINARY_DIR}/package/epoch.cmake "\
if(NOT DEFINED ENV{SOURCE_DATE_EPOCH})
  execute_process(COMMAND git -C ${CMAKE_SOURCE_DIR} log -1 --format=%ct OUTPUT_VARIABLE epoch OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(NOT epoch)
    file(TIMESTAMP ${CMAKE_SOURCE_DIR}/docs/CHANGELOG.md epoch %s UTC)
  endif()
  set(ENV{SOURCE_DATE_EPOCH} \${epoch})
endif()
")
set(CPACK_PROJECT_CONFIG_FILE ${CMAKE_BINARY_DIR}/package/epoch.cmake)
include(CPack)
