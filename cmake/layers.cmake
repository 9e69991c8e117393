# reeve_layer(NAME [OUTER] [DEPENDS layer...]): one library target per folder of src/reeve.
# Every .cpp in the folder belongs to it, so a new joint or cable model needs no line here.
# An OUTER layer may throw and touch files: it is compiled with exceptions and not for WebAssembly.
add_library(reeve_flags INTERFACE)
target_compile_features(reeve_flags INTERFACE cxx_std_23)
# Same bits everywhere: no contraction into fused multiply-add, no vectorised reductions in Eigen.
target_compile_definitions(reeve_flags INTERFACE EIGEN_DONT_VECTORIZE)
target_compile_options(reeve_flags INTERFACE -ffp-contract=off)
target_link_libraries(reeve_flags INTERFACE Eigen3::Eigen)

set(REEVE_WARNINGS -Wall -Wextra -Wconversion -Wno-sign-conversion)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  # g++ 12 sees overflows in std::string and uninitialised values in Eigen that are not there (GCC bugs 105329, 105651).
  # What these would find is found by clang with the sanitizers.
  list(APPEND REEVE_WARNINGS -Wno-array-bounds -Wno-stringop-overflow -Wno-stringop-overread -Wno-restrict
       -Wno-maybe-uninitialized)
endif()
if(REEVE_WERROR)
  list(APPEND REEVE_WARNINGS -Werror)
endif()

# Header-only packages of the host, for a cross compiler that must not see the rest of its include folder.
if(CMAKE_CROSSCOMPILING)
  find_path(REEVE_NLOHMANN nlohmann/json.hpp PATHS /usr/include /usr/local/include NO_CMAKE_FIND_ROOT_PATH REQUIRED)
  file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/host-headers)
  file(CREATE_LINK ${REEVE_NLOHMANN}/nlohmann ${CMAKE_BINARY_DIR}/host-headers/nlohmann SYMBOLIC)
  target_include_directories(reeve_flags SYSTEM INTERFACE $<BUILD_INTERFACE:${CMAKE_BINARY_DIR}/host-headers>)
endif()

set(REEVE_APP_FLAGS "" CACHE STRING "Flags of the command's sources alone, after all others")

# reeve_precompiled(NAME header...): a precompiled header that targets of the same flags share through reeve_use.
function(reeve_precompiled NAME)
  file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/${NAME}.cpp CONTENT "// Carries the precompiled header.\n")
  add_library(${NAME} OBJECT ${CMAKE_CURRENT_BINARY_DIR}/${NAME}.cpp)
  target_link_libraries(${NAME} PRIVATE reeve_flags)
  target_compile_options(${NAME} PRIVATE ${REEVE_WARNINGS})
  target_precompile_headers(${NAME} PRIVATE ${ARGN})
endfunction()

if(REEVE_PCH)
  reeve_precompiled(reeve_pch <Eigen/Dense> <algorithm> <cmath> <cstdint> <expected> <optional> <span> <string>
                    <string_view> <utility> <vector>)
  target_compile_options(reeve_pch PRIVATE -fno-exceptions)
  # For what may throw: outer layers, and the command with its own flags.
  foreach(pch reeve_outer_pch reeve_app_pch)
    reeve_precompiled(${pch} <Eigen/Dense> <algorithm> <cmath> <cstdint> <expected> <map> <optional> <span> <string>
                      <string_view> <utility> <vector>)
  endforeach()
  target_compile_options(reeve_app_pch PRIVATE ${REEVE_APP_FLAGS})
endif()

set(REEVE_LAYERS "")

function(reeve_layer NAME)
  cmake_parse_arguments(ARG "OUTER" "" "DEPENDS" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/reeve/${NAME}/*.cpp ${PROJECT_SOURCE_DIR}/src/reeve/${NAME}/*/*.cpp)
  if(ARG_OUTER AND CMAKE_SYSTEM_PROCESSOR STREQUAL wasm32)
    return()
  endif()
  if(sources)
    add_library(reeve_${NAME} STATIC ${sources})
    set(scope PUBLIC)
    target_compile_options(reeve_${NAME} PRIVATE ${REEVE_WARNINGS})
    set_target_properties(reeve_${NAME} PROPERTIES UNITY_BUILD ${REEVE_UNITY} UNITY_BUILD_BATCH_SIZE 10)
    if(ARG_OUTER)
      set(pch reeve_outer_pch)
    else()
      set(pch reeve_pch)
      target_compile_options(reeve_${NAME} PRIVATE -fno-exceptions)
    endif()
    if(REEVE_PCH)
      target_precompile_headers(reeve_${NAME} REUSE_FROM ${pch})
    endif()
  else()
    add_library(reeve_${NAME} INTERFACE)
    set(scope INTERFACE)
  endif()
  set(closure "")
  foreach(dep ${ARG_DEPENDS})
    get_property(its GLOBAL PROPERTY reeve_closure_${dep})
    list(APPEND closure ${its})
  endforeach()
  if(sources)
    list(APPEND closure ${NAME})
  endif()
  list(REMOVE_DUPLICATES closure)
  set_property(GLOBAL PROPERTY reeve_closure_${NAME} ${closure})
  set_target_properties(reeve_${NAME} PROPERTIES EXPORT_NAME ${NAME})
  target_include_directories(reeve_${NAME} ${scope} $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src> $<INSTALL_INTERFACE:include>)
  target_link_libraries(reeve_${NAME} ${scope} reeve_flags)
  foreach(dep ${ARG_DEPENDS})
    target_link_libraries(reeve_${NAME} ${scope} reeve_${dep})
  endforeach()
  set(REEVE_LAYERS ${REEVE_LAYERS} reeve_${NAME} PARENT_SCOPE)
endfunction()

# reeve_lightly(TARGET layer...): for programs compiled with less optimisation than the layers they use. The linker keeps the
# first of all copies of an inline function, so the layers, and what they need, come before the program's own objects.
function(reeve_lightly TARGET)
  set(all "")
  foreach(layer ${ARGN})
    get_property(closure GLOBAL PROPERTY reeve_closure_${layer})
    list(APPEND all ${closure})
  endforeach()
  list(REMOVE_DUPLICATES all)
  list(REVERSE all)
  list(TRANSFORM all REPLACE "(.+)" "$<TARGET_FILE:reeve_\\1>")
  target_link_options(${TARGET} PRIVATE LINKER:--whole-archive ${all} LINKER:--no-whole-archive)
endfunction()
