# SPDX-FileCopyrightText: the gpuprof authors
# SPDX-License-Identifier: Apache-2.0
#
# Decides whether the collector and the CUPTI host planner can be built. Only the headers are needed: libcupti is opened
# at run time, so nothing links it.
set(GPUPROF_HAVE_CUPTI OFF)
if(NOT GPUPROF_COLLECTOR STREQUAL "OFF")
  find_package(CUDAToolkit QUIET)
  set(gpuprof_cupti_hints ${CUDAToolkit_INCLUDE_DIRS} ${CUDAToolkit_LIBRARY_ROOT}/extras/CUPTI/include
                          /usr/local/cuda/include /usr/local/cuda/extras/CUPTI/include)
  find_path(GPUPROF_CUPTI_INCLUDE cupti_range_profiler.h HINTS ${gpuprof_cupti_hints})
  find_path(GPUPROF_CUDA_INCLUDE cuda.h HINTS ${gpuprof_cupti_hints})
  if(GPUPROF_CUPTI_INCLUDE AND GPUPROF_CUDA_INCLUDE)
    set(GPUPROF_HAVE_CUPTI ON)
    add_library(gpuprof_cupti_headers INTERFACE)
    target_include_directories(gpuprof_cupti_headers SYSTEM INTERFACE ${GPUPROF_CUPTI_INCLUDE} ${GPUPROF_CUDA_INCLUDE})
  elseif(GPUPROF_COLLECTOR STREQUAL "ON")
    message(FATAL_ERROR "GPUPROF_COLLECTOR=ON, but cupti_range_profiler.h was not found. Install the CUDA Toolkit 12.9 or "
                        "later, or point CUDAToolkit_ROOT at it.")
  else()
    message(STATUS "CUDA Toolkit with CUPTI not found: building without the collector. gpuprof will report and compare, "
                   "but cannot record on this build.")
  endif()
endif()
