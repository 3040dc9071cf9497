option(XF_WARNINGS_AS_ERRORS "Treat warnings in the project's own code as errors" ON)

# xf_warnings(TARGET): for every target that is not generated.
function(xf_warnings target)
  target_compile_options(${target} PRIVATE -Wall -Wextra)
  if(XF_WARNINGS_AS_ERRORS)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
endfunction()
