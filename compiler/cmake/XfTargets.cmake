# The few functions that every CMakeLists.txt of the project uses. Sources are listed, layering is the link lists.

find_package(MLIR REQUIRED CONFIG)
list(APPEND CMAKE_MODULE_PATH ${MLIR_CMAKE_DIR} ${LLVM_CMAKE_DIR})
include(TableGen)
include(AddLLVM)
include(AddMLIR)

# TableGen reads these; C++ targets get them as system includes below.
include_directories(SYSTEM ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS})
include_directories(${CMAKE_SOURCE_DIR})
include_directories(SYSTEM ${CMAKE_BINARY_DIR}) # generated

# MLIR's headers take most of the time that a file takes to compile, so libraries share them parsed. The file holds
# nothing of this tree, not even its path: it is the same in every checkout, and so is what ccache makes of it.
option(XF_PRECOMPILED_HEADERS "Parse MLIR's headers once for all files" ON)
if(XF_PRECOMPILED_HEADERS)
  set(XF_PRECOMPILED ${CMAKE_BINARY_DIR}/mlir.pch)
  set(includes ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS})
  list(REMOVE_DUPLICATES includes)
  list(TRANSFORM includes PREPEND "-isystem")
  string(TOUPPER "${CMAKE_BUILD_TYPE}" config)
  separate_arguments(flags UNIX_COMMAND "${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${config}}")
  set(input ${CMAKE_CURRENT_LIST_DIR}/mlir-headers.inc)
  add_custom_command(
    OUTPUT ${XF_PRECOMPILED}
    COMMAND ${CMAKE_CXX_COMPILER} ${includes} ${flags} -fPIC -fno-rtti -fno-exceptions -std=c++20
            -fpch-instantiate-templates -Xclang -fno-pch-timestamp -MD -MT ${XF_PRECOMPILED} -MF ${XF_PRECOMPILED}.d
            -x c++-header - -o ${XF_PRECOMPILED} < ${input}
    DEPENDS ${input}
    DEPFILE ${XF_PRECOMPILED}.d
    WORKING_DIRECTORY /
    COMMENT "Parsing MLIR's headers"
    VERBATIM
  )
  add_custom_target(xf-precompiled DEPENDS ${XF_PRECOMPILED})
endif()

# xf_use_precompiled(TARGET SOURCES..)
function(xf_use_precompiled target)
  if(XF_PRECOMPILED_HEADERS)
    target_compile_options(${target} PRIVATE "SHELL:-include-pch ${XF_PRECOMPILED}")
    set_source_files_properties(${ARGN} PROPERTIES OBJECT_DEPENDS ${XF_PRECOMPILED})
    add_dependencies(${target} xf-precompiled)
  endif()
endfunction()

# xf_add_library(NAME SOURCES.. [DEPENDS ..] [LINK ..]): a static library of the compiler, which may include MLIR.
function(xf_add_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPENDS;LINK" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  target_include_directories(${name} PRIVATE ${CMAKE_SOURCE_DIR}/runtime/include)
  target_compile_options(${name} PRIVATE -fno-rtti -fno-exceptions)
  xf_use_precompiled(${name} ${ARG_SOURCES})
  xf_warnings(${name})
  target_link_libraries(${name} PUBLIC ${ARG_LINK})
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
endfunction()

# xf_add_tool(NAME SOURCES.. LINK ..): a program of the compiler in build/bin.
function(xf_add_tool name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_include_directories(${name} PRIVATE ${CMAKE_SOURCE_DIR}/runtime/include)
  target_compile_options(${name} PRIVATE -fno-rtti -fno-exceptions -fPIC) # the headers were parsed for libraries, not as -fPIE
  xf_use_precompiled(${name} ${ARG_SOURCES})
  xf_warnings(${name})
  target_link_libraries(${name} PRIVATE ${ARG_LINK} MLIR LLVM)
endfunction()
