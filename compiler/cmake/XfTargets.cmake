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

# Headers of libraries take most of the time that a file takes to compile, so files share them parsed.
option(XF_PRECOMPILED_HEADERS "Parse the headers of libraries once for all files" ON)

# xf_precompile(NAME INPUT FLAGS..): makes build/NAME.pch of the includes in INPUT. The file holds nothing of this tree, not even
# its path: it is the same in every checkout, and so is what ccache makes of it.
function(xf_precompile name input)
  if(NOT XF_PRECOMPILED_HEADERS)
    return()
  endif()
  set(output ${CMAKE_BINARY_DIR}/${name}.pch)
  string(TOUPPER "${CMAKE_BUILD_TYPE}" config)
  separate_arguments(flags UNIX_COMMAND "${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${config}}")
  add_custom_command(
    OUTPUT ${output}
    COMMAND ${CMAKE_CXX_COMPILER} ${ARGN} ${flags} -fPIC -std=c++20
            -fpch-instantiate-templates -Xclang -fno-pch-timestamp -MD -MT ${output} -MF ${output}.d
            -x c++-header - -o ${output} < ${input}
    DEPENDS ${input}
    DEPFILE ${output}.d
    WORKING_DIRECTORY /
    COMMENT "Parsing ${name}'s headers"
    VERBATIM
  )
  add_custom_target(xf-precompiled-${name} DEPENDS ${output})
endfunction()

# xf_use_precompiled(TARGET NAME): all sources of TARGET, a target of this folder with the flags of NAME.pch.
function(xf_use_precompiled target name)
  if(XF_PRECOMPILED_HEADERS)
    target_compile_options(${target} PRIVATE "SHELL:-include-pch ${CMAKE_BINARY_DIR}/${name}.pch")
    get_target_property(sources ${target} SOURCES)
    set_source_files_properties(${sources} PROPERTIES OBJECT_DEPENDS ${CMAKE_BINARY_DIR}/${name}.pch)
    add_dependencies(${target} xf-precompiled-${name})
  endif()
endfunction()

set(includes ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS})
list(REMOVE_DUPLICATES includes)
list(TRANSFORM includes PREPEND "-isystem")
xf_precompile(mlir ${CMAKE_CURRENT_LIST_DIR}/mlir-headers.inc ${includes} -fno-rtti -fno-exceptions)
xf_precompile(std ${CMAKE_CURRENT_LIST_DIR}/std-headers.inc)

# xf_add_library(NAME SOURCES.. [DEPENDS ..] [LINK ..]): a static library of the compiler, which may include MLIR.
function(xf_add_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPENDS;LINK" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  target_include_directories(${name} PRIVATE ${CMAKE_SOURCE_DIR}/runtime/include)
  target_compile_options(${name} PRIVATE -fno-rtti -fno-exceptions)
  xf_use_precompiled(${name} mlir)
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
  xf_use_precompiled(${name} mlir)
  xf_warnings(${name})
  target_link_libraries(${name} PRIVATE ${ARG_LINK} MLIR LLVM)
endfunction()
