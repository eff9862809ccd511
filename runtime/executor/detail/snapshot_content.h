#pragma once

#include "runtime/executor/detail/module_state.h"
#include "runtime/executor/detail/saved_cache.h"
#include "runtime/executor/detail/saved_memory.h"
#include "runtime/executor/detail/saved_method.h"
#include "runtime/executor/snapshot.h"

#include <memory>
#include <vector>

namespace et::executor {

struct Snapshot::Content {
    const detail::ModuleState* module = nullptr;                      ///< the module it is of
    std::vector<detail::SavedMemory> arenas;                          ///< in the order of ArenaPool
    std::vector<std::unique_ptr<const detail::SavedMethod>> methods;  ///< in the order of loading
    std::vector<detail::SavedCache> caches;                           ///< by ascending layer
};

}  // namespace et::executor
