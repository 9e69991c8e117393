# CMake toolchain: Debian's clang 19 to wasm32-wasi, without exceptions and threads.
set(CMAKE_SYSTEM_NAME Generic)  # CMake 3.25 does not know WASI
set(CMAKE_SYSTEM_PROCESSOR wasm32)
set(CMAKE_CXX_COMPILER clang++-19)
set(CMAKE_CXX_COMPILER_TARGET wasm32-wasi)
find_program(CMAKE_AR NAMES llvm-ar-19 REQUIRED)  # GNU ar writes no symbol index for wasm objects
find_program(CMAKE_RANLIB NAMES llvm-ranlib-19 REQUIRED)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)  # never a library of the host
set(CMAKE_EXECUTABLE_SUFFIX_CXX .wasm)
# The core has no exceptions; -Os would make Eigen ten times slower.
set(CMAKE_CXX_FLAGS_INIT "-msimd128 -fno-exceptions")
# The default stack of 64 kB overflows silently into the heap: give it 1 MB, placed so that overflow traps.
set(CMAKE_EXE_LINKER_FLAGS_INIT "-Wl,-z,stack-size=1048576,--stack-first")
