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

function(xf_warnings target)
  target_compile_options(${target} PRIVATE -Wall -Wextra)
  if(XF_WARNINGS_AS_ERRORS)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
endfunction()

# xf_add_library(NAME SOURCES.. [DEPENDS ..] [LINK ..]): a static library of the compiler, which may include MLIR.
function(xf_add_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPENDS;LINK" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  target_include_directories(${name} PRIVATE ${CMAKE_SOURCE_DIR}/runtime/include)
  target_compile_options(${name} PRIVATE -fno-rtti -fno-exceptions)
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
  target_compile_options(${name} PRIVATE -fno-rtti -fno-exceptions)
  xf_warnings(${name})
  target_link_libraries(${name} PRIVATE ${ARG_LINK} MLIR LLVM)
endfunction()
