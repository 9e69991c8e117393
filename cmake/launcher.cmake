# ccache where there is one. It cannot see through precompiled headers, so it takes their place; whoever has it builds often.
find_program(REEVE_CCACHE ccache)
if(REEVE_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${REEVE_CCACHE})
endif()
if(CMAKE_CXX_COMPILER_LAUNCHER)
  set(once OFF)
else()
  set(once ON)
endif()
option(REEVE_PCH "Precompile Eigen and the standard headers" ${once})
# Nearly halves the time of a build from nothing; a build after a small change takes longer.
option(REEVE_UNITY "Compile several sources of a layer, a test program or the command as one" ${once})
