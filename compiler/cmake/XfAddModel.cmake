# xf_add_model(TARGET [SOURCE] model.cpp|model.mlir [ENTRIES entry..] [VJP entry..] [MCPU cpu..] [WEIGHTS file] [OPTIONS option..])
#
# Makes a library TARGET of a model: TARGET.h, which users of the library include, and the object behind it. It links libxfrt
# and the C library, and no C++ runtime.
#
# SOURCE   a program in the dialect xf, or a C++ program that writes one: it is built with xf::models and run in a folder of
#          its own, where it writes TARGET.mlir (Program::save) or prints it (Program::str)
# ENTRIES  what is compiled (default: all of the program)
# VJP      entries whose derivative is compiled too, as ENTRY_vjp
# MCPU     what the code is for, as in xfc --mcpu (default: the machine that builds); of several, as in xfc --multi-isa, the
#          processor that runs the program takes the best that it can. Needed where CMake cross compiles
# WEIGHTS  a safetensors file; its path is the macro TARGET_WEIGHTS, in upper case, for users of the library
# OPTIONS  further options of xfc
#
# Where CMake cross compiles, for Linux on another architecture, the package xf is that of a runtime for this architecture. A
# C++ program would have to run on the machine that builds: its .mlir is the SOURCE there.

set(XF_WRITE_MODEL ${CMAKE_CURRENT_LIST_DIR}/XfWriteModel.cmake)

function(xf_add_model target)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "SOURCE;WEIGHTS" "ENTRIES;VJP;MCPU;OPTIONS")
  if(NOT ARG_SOURCE)
    list(POP_FRONT ARG_UNPARSED_ARGUMENTS ARG_SOURCE)
  endif()
  if(ARG_UNPARSED_ARGUMENTS OR NOT ARG_SOURCE)
    message(FATAL_ERROR "xf_add_model(${target}): expected one source, got '${ARG_SOURCE};${ARG_UNPARSED_ARGUMENTS}'")
  endif()

  set(folder ${CMAKE_CURRENT_BINARY_DIR}/${target}.xf)
  file(MAKE_DIRECTORY ${folder})
  cmake_path(ABSOLUTE_PATH ARG_SOURCE BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} OUTPUT_VARIABLE program)
  cmake_path(GET program EXTENSION LAST_ONLY extension)
  # The object brings no language of its own: what the project links with, and C where it has both.
  get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
  if("C" IN_LIST languages)
    set(language C)
  elseif("CXX" IN_LIST languages)
    set(language CXX)
  else()
    message(FATAL_ERROR "xf_add_model(${target}): expected a project of C or C++, as by project(NAME C), got '${languages}'")
  endif()
  set(options)
  if(CMAKE_CROSSCOMPILING)
    if(NOT extension STREQUAL ".mlir")
      message(FATAL_ERROR "xf_add_model(${target}): expected a .mlir where CMake cross compiles, got '${ARG_SOURCE}'; a program "
                          "that writes one runs on the machine that builds")
    endif()
    if(NOT ARG_MCPU)
      message(FATAL_ERROR "xf_add_model(${target}): expected MCPU with a CPU of ${CMAKE_SYSTEM_PROCESSOR}, got none")
    endif()
    list(APPEND options --target-triple=${CMAKE_SYSTEM_PROCESSOR}-linux-gnu)
  endif()
  if(NOT extension STREQUAL ".mlir")
    if(NOT "CXX" IN_LIST languages)
      message(FATAL_ERROR "xf_add_model(${target}): expected a project of C++, as by project(NAME C CXX), for the program "
                          "${ARG_SOURCE}, got '${languages}'")
    endif()
    add_executable(${target}_writer ${program})
    target_link_libraries(${target}_writer PRIVATE xf::models)
    set(program ${folder}/${target}.mlir)
    add_custom_command(
      OUTPUT ${program}
      COMMAND ${CMAKE_COMMAND} -D WRITER=$<TARGET_FILE:${target}_writer> -D TARGET=${target} -D FOLDER=${folder} -D SOURCE=${ARG_SOURCE}
              -P ${XF_WRITE_MODEL}
      DEPENDS ${target}_writer ${XF_WRITE_MODEL}
      COMMENT "Writing ${target}.mlir"
      VERBATIM
    )
  endif()

  list(APPEND options ${ARG_OPTIONS})
  foreach(entry IN LISTS ARG_ENTRIES)
    list(APPEND options --entry=${entry})
  endforeach()
  foreach(entry IN LISTS ARG_VJP)
    list(APPEND options --vjp=${entry})
  endforeach()
  list(LENGTH ARG_MCPU cpus)
  list(JOIN ARG_MCPU "," names)
  if(cpus GREATER 1)
    list(APPEND options --multi-isa=${names})
  elseif(cpus EQUAL 1)
    list(APPEND options --mcpu=${names})
  endif()
  set(object ${folder}/${target}.o)
  set(header ${folder}/${target}.h)
  add_custom_command(
    OUTPUT ${object} ${header}
    COMMAND xf::xfc ${program} -o ${object} ${options}
    DEPENDS ${program} xf::xfc
    COMMENT "Compiling the model ${target}"
    VERBATIM
  )

  add_library(${target} STATIC ${object} ${header})
  set_target_properties(${target} PROPERTIES LINKER_LANGUAGE ${language})
  set_source_files_properties(${object} PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)
  target_include_directories(${target} PUBLIC ${folder})
  target_link_libraries(${target} PUBLIC xf::runtime m)
  if(ARG_WEIGHTS)
    cmake_path(ABSOLUTE_PATH ARG_WEIGHTS BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} OUTPUT_VARIABLE weights)
    string(TOUPPER ${target} macro)
    target_compile_definitions(${target} INTERFACE ${macro}_WEIGHTS="${weights}")
  endif()
endfunction()
