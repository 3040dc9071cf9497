# What `cmake --install` gives: the tools, libxf (the frontend with the compiler), libxfrt, their headers, and a package for
# find_package(xf). Nothing that is installed for users of LLVM: libxf shows none of it. Where the runtime is built for another
# machine, only that: the package then looks for this machine's xfc.

include(CMakePackageConfigHelpers)

set(XF_CONFIG_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/xf)

install(TARGETS xf-run xf-bench xf-weights)
install(TARGETS xfrt xfrt_static EXPORT xfTargets)
if(XF_PARTS STREQUAL all)
  install(TARGETS xf-opt xf-reference) # the last is what xf-run --target=reference starts
  install(TARGETS xf_frontend xfc EXPORT xfTargets)
  install(DIRECTORY ${CMAKE_SOURCE_DIR}/frontend/include/xf
    DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
    FILES_MATCHING PATTERN "*.h" PATTERN "*.hpp"
  )
endif()
install(DIRECTORY ${CMAKE_SOURCE_DIR}/runtime/include/xfrt
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  FILES_MATCHING PATTERN "*.h" PATTERN "*.hpp"
)
install(EXPORT xfTargets NAMESPACE xf:: DESTINATION ${XF_CONFIG_DIR})

configure_package_config_file(
  ${CMAKE_CURRENT_LIST_DIR}/xfConfig.cmake.in ${CMAKE_BINARY_DIR}/xfConfig.cmake
  INSTALL_DESTINATION ${XF_CONFIG_DIR}
)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/xfConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES
  ${CMAKE_BINARY_DIR}/xfConfig.cmake
  ${CMAKE_BINARY_DIR}/xfConfigVersion.cmake
  ${CMAKE_CURRENT_LIST_DIR}/XfAddModel.cmake
  DESTINATION ${XF_CONFIG_DIR}
)
