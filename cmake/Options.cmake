# SPDX-FileCopyrightText: the gpuprof authors
# SPDX-License-Identifier: Apache-2.0
#
# One interface target carries the compile options that every target of the project shares.
add_library(gpuprof_options INTERFACE)
target_include_directories(gpuprof_options INTERFACE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
target_compile_options(gpuprof_options INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion
                                                 -ffunction-sections -fdata-sections)
if(GPUPROF_WARNINGS_AS_ERRORS)
  target_compile_options(gpuprof_options INTERFACE -Werror)
endif()
if(GPUPROF_SANITIZE)
  target_compile_options(gpuprof_options INTERFACE -fsanitize=${GPUPROF_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(gpuprof_options INTERFACE -fsanitize=${GPUPROF_SANITIZE})
endif()
