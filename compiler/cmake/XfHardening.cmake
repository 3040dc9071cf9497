# What every object of the build is compiled and linked with, whatever target it belongs to: protection of stacks and of calls,
# and bytes that do not depend on the folder of the build.

# Paths in __FILE__ and in debug information start at the root of the sources. The last one that fits counts.
add_compile_options(-ffile-prefix-map=${PROJECT_SOURCE_DIR}/= -ffile-prefix-map=${CMAKE_BINARY_DIR}/=build/)

# Programs and libraries find each other by a path relative to themselves, in the build tree as where they are installed. CMake
# would otherwise pad the build tree's RUNPATH with empty elements, each of which means the current folder.
set(CMAKE_BUILD_WITH_INSTALL_RPATH ON)
file(RELATIVE_PATH libraries ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})
set(CMAKE_INSTALL_RPATH "$ORIGIN/../lib" "$ORIGIN/${libraries}")
list(REMOVE_DUPLICATES CMAKE_INSTALL_RPATH)
set(CMAKE_INSTALL_RPATH_USE_LINK_PATH ON) # LLVM's libraries are in a folder of their own

# XF_SANITIZERS: the flags of this build's, an empty list without any.
string(TOUPPER "${CMAKE_BUILD_TYPE}" config)
set(XF_BUILD_FLAGS "${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${config}}")
string(REGEX MATCHALL "-f(no-)?sanitize[^ ]*" XF_SANITIZERS "${XF_BUILD_FLAGS}")

option(XF_HARDENING "Compile with stack protectors, checked copies and control-flow protection" ON)
if(XF_HARDENING)
  set(XF_HARDENING_FLAGS "-fstack-protector-strong -fstack-clash-protection")
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    string(APPEND XF_HARDENING_FLAGS " -fcf-protection=full")
  elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "aarch64|arm64")
    string(APPEND XF_HARDENING_FLAGS " -mbranch-protection=standard")
  endif()
  # Sanitizers check copies themselves; without optimization the C library only warns.
  if(NOT XF_SANITIZERS AND XF_BUILD_FLAGS MATCHES "-O[123sgz]")
    string(APPEND XF_HARDENING_FLAGS " -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3")
  endif()
  # Variables, not add_compile_options: the precompiled header has to be parsed with the same ones.
  string(APPEND CMAKE_C_FLAGS " ${XF_HARDENING_FLAGS}")
  string(APPEND CMAKE_CXX_FLAGS " ${XF_HARDENING_FLAGS}")
  add_link_options(-Wl,-z,relro,-z,now -Wl,-z,noexecstack)
endif()
