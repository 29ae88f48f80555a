#!/bin/bash
# build.sh SOURCE OUTPUT [flags]: a header-only build against the wheel's headers (3 to 5 minutes). CXX=clang++-19 is the fair comparison.
. "$(dirname "$0")/env.sh"
src=$1; out=$2; shift 2
${CXX:-g++} -std=c++17 -DNDEBUG -DBOOST_MPL_LIMIT_LIST_SIZE=30 -DBOOST_MPL_LIMIT_VECTOR_SIZE=30 -DBOOST_MPL_CFG_NO_PREPROCESSED_HEADERS \
  -DBOOST_FUSION_INVOKE_MAX_ARITY=12 -I"$CMEEL/include" -I"$CMEEL/include/eigen3" "$@" "$HERE/$src" -o "$PEERS/bin/$out" \
  -L"$CMEEL/lib" -Wl,-rpath,"$CMEEL/lib" -lboost_serialization
