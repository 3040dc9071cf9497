# What `cmake --install` gives: the tools, libxf (the frontend with the compiler), libxfrt, their headers, and packages for
# find_package(xf) and pkg-config. Nothing that is installed for users of LLVM: libxf shows none of it. Where the runtime is built
# for another machine, only that: the package then looks for this machine's xfc.
#
# Components are the packages of XfPackages.cmake: libxfrt, what an application needs; libxfrt-dev, what compiles one; xf, tools,
# frontend, manuals and examples; python3-xfrt. libxfrt-mpi, the plug-ins for MPI, is no package: which MPI is the machine's own affair.
# libxfrt-nccl, the one for GPUs, is installed as well, by its own component.

include(CMakePackageConfigHelpers)

# Files of packages are made in a folder of their own: find_package looks beside the folders of PATH, so also beside the build's.
set(XF_CONFIG_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/xf)

# Each part says under which licence it and what it contains are, and what changed.
file(READ ${CMAKE_SOURCE_DIR}/NOTICE notice)
file(READ ${CMAKE_SOURCE_DIR}/LICENSE license)
file(WRITE ${CMAKE_BINARY_DIR}/package/copyright "${notice}\n${license}")
find_program(GZIP gzip REQUIRED)
execute_process(COMMAND ${GZIP} -9nc ${CMAKE_SOURCE_DIR}/docs/CHANGELOG.md
  OUTPUT_FILE ${CMAKE_BINARY_DIR}/package/changelog.gz COMMAND_ERROR_IS_FATAL ANY)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS docs/CHANGELOG.md LICENSE NOTICE)
foreach(component libxfrt libxfrt-dev libxfrt-mpi libxfrt-nccl xf python3-xfrt)
  install(FILES ${CMAKE_BINARY_DIR}/package/copyright ${CMAKE_BINARY_DIR}/package/changelog.gz
    DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${component} COMPONENT ${component})
endforeach()

install(TARGETS xf-run xf-bench xf-weights COMPONENT xf)
install(TARGETS xfrt EXPORT xfTargets COMPONENT libxfrt)
install(TARGETS xfrt_static EXPORT xfTargets COMPONENT libxfrt-dev)
foreach(plugin xfrt-mpi xfrt-mpi-abi)
  if(TARGET ${plugin})
    install(TARGETS ${plugin} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT libxfrt-mpi)
  endif()
endforeach()
if(TARGET xfrt-nccl)
  install(TARGETS xfrt-nccl LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT libxfrt-nccl)
endif()
install(DIRECTORY ${CMAKE_SOURCE_DIR}/runtime/include/xfrt
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  COMPONENT libxfrt-dev
  FILES_MATCHING PATTERN "*.h" PATTERN "*.hpp"
)
configure_file(${CMAKE_CURRENT_LIST_DIR}/xfrt.pc.in ${CMAKE_BINARY_DIR}/package/xfrt.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/package/xfrt.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT libxfrt-dev)

install(EXPORT xfTargets NAMESPACE xf:: DESTINATION ${XF_CONFIG_DIR} COMPONENT xf)
configure_package_config_file(
  ${CMAKE_CURRENT_LIST_DIR}/xfConfig.cmake.in ${CMAKE_BINARY_DIR}/package/xfConfig.cmake
  INSTALL_DESTINATION ${XF_CONFIG_DIR}
)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/package/xfConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES
  ${CMAKE_BINARY_DIR}/package/xfConfig.cmake
  ${CMAKE_BINARY_DIR}/package/xfConfigVersion.cmake
  ${CMAKE_CURRENT_LIST_DIR}/XfAddModel.cmake
  ${CMAKE_CURRENT_LIST_DIR}/XfWriteModel.cmake
  DESTINATION ${XF_CONFIG_DIR}
  COMPONENT xf
)

if(XF_PARTS STREQUAL all)
  configure_file(${CMAKE_CURRENT_LIST_DIR}/xf.pc.in ${CMAKE_BINARY_DIR}/package/xf.pc @ONLY)
  install(FILES ${CMAKE_BINARY_DIR}/package/xf.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT xf)
  install(TARGETS xf-lsp-server xf-opt xf-reduce xf-reference COMPONENT xf) # the last is what xf-run --target=reference starts
  install(TARGETS classify embed generate train_text COMPONENT xf)
  install(PROGRAMS ${CMAKE_SOURCE_DIR}/compiler/tools/xf-reduce/xf-interesting TYPE BIN COMPONENT xf)
  install(TARGETS xf_frontend xf_models xfc EXPORT xfTargets COMPONENT xf)
  install(DIRECTORY ${CMAKE_SOURCE_DIR}/frontend/include/xf ${CMAKE_SOURCE_DIR}/frontend/models/xf
    DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
    COMPONENT xf
    FILES_MATCHING PATTERN "*.h" PATTERN "*.hpp"
  )
  install(DIRECTORY ${CMAKE_SOURCE_DIR}/frontend/examples DESTINATION ${CMAKE_INSTALL_DATADIR}/xf
    COMPONENT xf PATTERN CMakeLists.txt EXCLUDE)
  install(DIRECTORY ${CMAKE_SOURCE_DIR}/runtime/python/xfrt DESTINATION lib/python3/dist-packages
    COMPONENT python3-xfrt FILES_MATCHING PATTERN "*.py" PATTERN py.typed PATTERN __pycache__ EXCLUDE)

  # Manuals and completion say what --help says. A build that cannot make them installs none.
  find_package(Python3 COMPONENTS Interpreter)
  if(Python3_FOUND)
    set(tools xfc xf-run xf-bench xf-weights xf-lsp-server xf-opt xf-reduce classify embed generate train_text)
    list(TRANSFORM tools REPLACE "(.+)" "$<TARGET_FILE:\\1>" OUTPUT_VARIABLE programs)
    list(TRANSFORM tools REPLACE "(.+)" "${CMAKE_BINARY_DIR}/man/\\1.1" OUTPUT_VARIABLE manuals)
    list(APPEND programs ${CMAKE_SOURCE_DIR}/compiler/tools/xf-reduce/xf-interesting) # no target
    list(APPEND manuals ${CMAKE_BINARY_DIR}/man/xf-interesting.1)
    add_custom_command(
      OUTPUT ${manuals} ${CMAKE_BINARY_DIR}/man/completion
      COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/tool_pages.py ${PROJECT_VERSION} ${CMAKE_BINARY_DIR}/man ${programs}
      DEPENDS ${CMAKE_CURRENT_LIST_DIR}/tool_pages.py ${programs}
      COMMENT "Writing manuals and completion"
    )
    add_custom_target(manuals ALL DEPENDS ${manuals} ${CMAKE_BINARY_DIR}/man/completion)
    install(FILES ${manuals} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT xf)
    foreach(tool IN LISTS tools ITEMS xf-interesting) # bash looks for the file of a program's name
      install(FILES ${CMAKE_BINARY_DIR}/man/completion RENAME ${tool}
        DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions COMPONENT xf)
    endforeach()
  endif()
  include(${CMAKE_CURRENT_LIST_DIR}/XfPackages.cmake)
endif()
